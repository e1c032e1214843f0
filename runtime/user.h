/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* <benchmem/benchmem.h> as the recorder sees it: the types it is handed. */
#ifndef BENCHMEM_RUNTIME_USER_H
#define BENCHMEM_RUNTIME_USER_H

#define BENCHMEM_RECORDER_SIDE_
#include "../include/benchmem/benchmem.h"

#endif
