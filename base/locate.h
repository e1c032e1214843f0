/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where profiles lie: the folder .benchmem, searched upwards as git searches
 * .git, and the *.bmem files of a folder.
 */
#ifndef BENCHMEM_BASE_LOCATE_H
#define BENCHMEM_BASE_LOCATE_H

#include "base/strvec.h"

#include <stdbool.h>

#define BM_FOLDER_NAME ".benchmem"
#define BM_PROFILE_SUFFIX ".bmem"

/*
 * Path of the nearest .benchmem of the current folder or one above it,
 * relative to the current folder, the caller's to free; NULL if none.
 */
char *bm_locate_folder(void);

/*
 * Makes a folder that git ignores, if it is not there. -1 with an error
 * printed.
 */
int bm_locate_make_folder(const char *folder);

/*
 * Appends the *.bmem files of a folder (not of folders in it), each as
 * folder/name, by name: regular files, and links that lead to them or to
 * nothing. -1 with errno set if the folder cannot be read.
 */
int bm_locate_profiles(const char *folder, struct bm_strvec *paths);

bool bm_is_folder(const char *path);

#endif
