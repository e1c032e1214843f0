/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/open.h"

#include "base/error.h"
#include "base/process.h"

int bm_open_in_browser(const char *path)
{
    char *const argv[] = {"xdg-open", (char *)path, NULL};
    struct bm_process_end end;

    if (bm_process_run(argv, &end) || bm_process_shell_status(&end))
        return bm_error("cannot open %s: xdg-open failed; open it yourself",
                        path);
    return 0;
}
