/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The manifest of a run: every measurement as an entry of its own, as
 * docs/measuring.md lists the keys, and its summary for people.
 */
#ifndef BENCHMEM_MEASURE_MANIFEST_H
#define BENCHMEM_MEASURE_MANIFEST_H

#include "measure/session.h"

/* Writes session->manifest and session->summary. -1 after an error. */
int bm_manifest_keep(struct bm_session *session);

/*
 * The summary of the manifest at path, to output (NULL: beside it, with the
 * ending .md). -1 after an error; an existing file needs force.
 */
int bm_manifest_summarize(const char *path, const char *output, bool force,
                          bool quiet);

#endif
