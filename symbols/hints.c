/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/str.h"
#include "symbols/symbols.h"

#include <string.h>

/* What is wrong with a module's names, and what helps. */
static const struct {
    const char *what;
    const char *fix;
    bool by_file; /* the debug file of its build id would help */
} problems[] = {
    [BM_SYMBOLS_DYNAMIC] = {"is stripped: its functions are shown by the "
                            "nearest dynamic symbol",
                            "keep its symbols", true},
    [BM_SYMBOLS_NONE] = {"is stripped: its functions are shown by address",
                         "keep its symbols", true},
    [BM_SYMBOLS_ABSENT] = {"could not be read: its functions are shown by "
                           "address",
                           "let benchmem-run start the program, which names "
                           "them at its end",
                           false},
    [BM_SYMBOLS_OTHER] = {"is not the file that ran: its functions are shown "
                          "by address",
                          "record the program again", false},
};

/* The kernel's own module has no file that could have names. */
static bool is_of_kernel(const char *path)
{
    return !strncmp(path, "linux-vdso.", strlen("linux-vdso.")) ||
           !strncmp(path, "linux-gate.", strlen("linux-gate."));
}

void bm_symbols_hints(const struct bm_profile *profile, struct bm_strvec *hints)
{
    for (size_t i = 0; i < profile->nr_modules; i++) {
        const struct bm_module *module = &profile->modules[i];
        const char *id = module->build_id;

        if (module->symbols < BM_SYMBOLS_DYNAMIC || is_of_kernel(module->path))
            continue;
        struct bm_str line = BM_STR_INIT;
        bm_str_printf(&line, "%s (build id %s) %s; %s", module->path,
                      id ? id : "none", problems[module->symbols].what,
                      problems[module->symbols].fix);
        if (problems[module->symbols].by_file && id && strlen(id) > 2)
            bm_str_printf(&line,
                          ", or install its debug symbols as "
                          "/usr/lib/debug/.build-id/%.2s/%s.debug",
                          id, id + 2);
        bm_strvec_push(hints, line.data);
        bm_str_clear(&line);
    }
}
