/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/temporary.h"

#include "base/error.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *bm_temporary_folder(void)
{
    const char *root = getenv("TMPDIR");
    struct bm_str path = BM_STR_INIT;

    bm_str_printf(&path, "%s/benchmem-XXXXXX", root && *root ? root : "/tmp");
    if (mkdtemp(path.data))
        return bm_str_detach(&path);
    bm_error("cannot make %s: %s", path.data, strerror(errno));
    bm_str_clear(&path);
    return NULL;
}

void bm_temporary_remove(char *folder)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL)
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    if (folder)
        rmdir(folder);
    free(folder);
}
