/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What paths.c asks of the rest of the recorder, for tests without one:
 * memory, and records that go nowhere.
 */
#ifndef BENCHMEM_TEST_NO_RECORDS_H
#define BENCHMEM_TEST_NO_RECORDS_H

extern unsigned no_records_flags;

#endif
