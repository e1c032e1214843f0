/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The same source is C++ too. */
#include "use.c"
