// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the section benchmem_calls: for each call instruction of a module
// the address behind it and the frame that it is in the source. The code
// itself is left as it is, to the byte.
//
// A pass cannot see machine code being printed, so the printer is reached
// through LLVM's target registry: its constructor for each target is replaced
// by one that adds a handler to what the target's own constructor made.
#ifndef BENCHMEM_PASS_CALLTABLE_H
#define BENCHMEM_PASS_CALLTABLE_H

namespace benchmem {

/// Makes every printer for a supported target that is constructed from now
/// on write the table. Once per process; later calls change nothing.
void installCallTable();

} // namespace benchmem

#endif
