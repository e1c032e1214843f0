/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * --open: shows a file that was written in the user's browser.
 */
#ifndef BENCHMEM_TOOLS_OPEN_H
#define BENCHMEM_TOOLS_OPEN_H

/* Through xdg-open; -1 with an error printed where that fails. */
int bm_open_in_browser(const char *path);

#endif
