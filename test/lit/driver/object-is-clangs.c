// The instructions of code that allocates nothing are clang's to the byte, and no symbol is added to the program.
// RUN: for o in -O0 -O2 -Os; do %clang $o -c %s -o want.o && %benchmem-cc $o -c %s -o got.o && llvm-objcopy -O binary --only-section=.text want.o want.bin && llvm-objcopy -O binary --only-section=.text got.o got.bin && test -s want.bin && cmp want.bin got.bin || exit 1; done
extern int other(int);

int sum(const int *values, int n)
{
    int total = 0;

    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}

int calls(int n)
{
    return n > 10 ? other(n) : sum(&n, 1) + other(n + 1);
}
