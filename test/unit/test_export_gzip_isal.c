/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ISA-L's gzip, read back by zlib. */
#include "test/unit/gzip_round_trip.h"

static void any_size_comes_back(void **state)
{
    (void)state;
    check_sizes();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
