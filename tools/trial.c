/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/trial.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/process.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The folder of this program, in front of what there was. */
static void push_path(struct bm_strvec *settings)
{
    char *self = bm_process_sibling("");
    const char *path = getenv("PATH");

    if (*self)
        bm_strvec_pushf(settings, "PATH=%s%s%s", self, path ? ":" : "",
                        path ? path : "");
    free(self);
}

/* False with trial->why where the shell's command did not end well. */
static bool shell(struct bm_trial *trial, struct bm_strvec *settings,
                  const char *command)
{
    const struct bm_process_place place = {
        .folder = trial->folder,
        .log = trial->log,
        .settings = settings->items,
    };
    char *const argv[] = {"sh", "-c", (char *)command, NULL};
    struct bm_process_end end = {0, 0};

    if (bm_process_run_at(&place, argv, &end))
        bm_die("cannot run a shell in %s: %s", trial->folder, strerror(errno));
    if (!bm_process_shell_status(&end))
        return true;
    if (end.signal)
        bm_str_printf(&trial->why, "`%s` was ended by signal %d", command,
                      end.signal);
    else
        bm_str_printf(&trial->why, "`%s` ended with status %d", command,
                      end.status);
    return false;
}

static void measure(struct bm_trial *trial, struct bm_strvec *settings)
{
    struct bm_strvec found = BM_STRVEC_INIT;

    if (trial->build && !shell(trial, settings, trial->build)) {
        trial->outcome = BM_TRIAL_NOT_BUILT;
        return;
    }
    trial->profiles = bm_temporary_folder();
    if (!trial->profiles)
        exit(BM_EXIT_USAGE);
    bm_strvec_pushf(settings, "BENCHMEM_OUTPUT=%s/%%e.%%p.bmem",
                    trial->profiles);
    if (!shell(trial, settings, trial->command)) {
        trial->outcome = BM_TRIAL_NOT_RUN;
        return;
    }
    trial->outcome = BM_TRIAL_NO_RUN;
    if (!bm_locate_profiles(trial->profiles, &found) && found.count)
        trial->run = bm_run_load(trial->profiles, NULL);
    if (trial->run)
        trial->outcome = BM_TRIAL_OK;
    else
        bm_str_printf(&trial->why,
                      "`%s` left no profile: was it built with "
                      "benchmem-cc?",
                      trial->command);
    bm_strvec_clear(&found);
}

void bm_trial_run(struct bm_trial *trial)
{
    struct bm_strvec settings = BM_STRVEC_INIT;

    push_path(&settings);
    for (size_t i = 0; trial->settings && i < trial->settings->count; i++)
        bm_strvec_push(&settings, trial->settings->items[i]);
    trial->why = (struct bm_str)BM_STR_INIT;
    measure(trial, &settings);
    bm_strvec_clear(&settings);
}

void bm_trial_clear(struct bm_trial *trial)
{
    bm_run_free(trial->run);
    bm_temporary_remove(trial->profiles);
    bm_str_clear(&trial->why);
}
