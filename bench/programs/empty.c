/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nothing: what recording costs before main and behind it. */
int main(void)
{
    return 0;
}
