/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A folder of our own for files that no one named, in $TMPDIR or /tmp, which
 * no one else can enter. A command that is killed leaves it behind.
 */
#ifndef BENCHMEM_BASE_TEMPORARY_H
#define BENCHMEM_BASE_TEMPORARY_H

/* Its path, for bm_temporary_remove; NULL with an error printed. */
char *bm_temporary_folder(void);

/* Removes it with the files in it (folders in it stay) and frees the path,
   which may be NULL. */
void bm_temporary_remove(char *folder);

#endif
