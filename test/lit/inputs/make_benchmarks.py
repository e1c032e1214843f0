# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program with N benchmarks of 5 passes each, or its figures."""
import sys

count = int(sys.argv[1])
if len(sys.argv) > 2:
    for i in range(count):
        print(
            "bench t.c::bench_f%d passes=5 peak=%d allocated=%d allocations=2 retained=0"
            % (i, 10 * (i + 1), 10 * (i + 1) + i)
        )
    sys.exit()
print("#include <stdlib.h>\nvoid *volatile S;")
for i in range(count):
    print("void bench_f%d(void) { S = malloc(%d); free(S); S = malloc(%d); free(S); }" % (i, i, 10 * (i + 1)))
print("int main(void) { for (int i = 0; i < 5; i++) {")
for i in range(count):
    print("    bench_f%d();" % i)
print("} return 0; }")
