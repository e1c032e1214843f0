# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a C file whose #line names are UTF-8 and not UTF-8."""
import sys

sys.stdout.buffer.write(
    b"#include <stdlib.h>\n"
    b"void *volatile S;\n"
    b"int main(void)\n{\n"
    b'#line 3 "na\xc3\xafve_\xe6\x95\xb0.c"\n'
    b"    S = malloc(10);\n"
    b'#line 9 "bad\xff.c"\n'
    b"    S = malloc(20);\n"
    b"    return 0;\n}\n"
)
