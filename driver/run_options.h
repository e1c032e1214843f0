/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The command line of benchmem-run: the recorder's options from its own table,
 * those of measuring (measure/options.h), and the program with its words.
 */
#ifndef BENCHMEM_DRIVER_RUN_OPTIONS_H
#define BENCHMEM_DRIVER_RUN_OPTIONS_H

#include "measure/options.h"

/* Does not return on --help, --version or wrong usage. m is set up first. */
void bm_run_options_read(struct bm_measuring *m, int argc, char **argv);

#endif
