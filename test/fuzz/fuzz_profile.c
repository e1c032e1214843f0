/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Any bytes as a profile. What the reader takes is used as the tools use it;
 * where its identities hold, it is the same after it was written small.
 */
#include "test/unit/same_profile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_profile: %s\n", what);
    abort();
}

static size_t length(const char *text)
{
    return text ? strlen(text) : 0;
}

/* Follows every pointer; chains end, since they lead to lower indices. */
static size_t use(const struct bm_profile *p)
{
    size_t used = length(p->writer) + length(p->program) + length(p->host);

    for (size_t i = 0; i < p->nr_notes; i++)
        used += length(p->notes[i]);
    for (size_t i = 0; i < p->nr_paths; i++)
        for (const struct bm_path_info *path = &p->paths[i]; path;
             path = path->outer)
            used += length(path->frame->function);
    for (size_t i = 0; i < p->nr_frames; i++)
        for (const struct bm_frame_info *frame = &p->frames[i]; frame;
             frame = frame->inlined_into)
            used += frame->module ? length(frame->module->path) : 1;
    for (size_t i = 0; i < p->nr_sites; i++)
        used += length(p->sites[i].kind);
    for (size_t i = 0; i < p->nr_nodes; i++)
        used += length(p->nodes[i].site->kind);
    for (size_t i = 0; i < p->nr_benchmarks; i++)
        used += length(p->benchmarks[i].id) + length(p->benchmarks[i].file);
    return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_parse(data, size, "fuzz", &error);

    if (!profile) {
        demand(error.why && error.offset <= size, "no reason or offset");
        return 0;
    }
    demand(!error.why, "a reason though it was read");
    demand(use(profile) < SIZE_MAX, "texts without an end");
    if (!bm_profile_check(profile)) {
        const char *differs = small_form_differs(profile);

        demand(!differs, differs);
    }
    bm_profile_free(profile);
    return 0;
}
