// Where a profile goes: the default folder, which git ignores by itself, the pattern, and never over a file.
// RUN: %benchmem-cc -O2 %s -o prog
// RUN: mkdir one && cd one && ../prog && ls -A .benchmem | %filecheck --check-prefix=DEFAULT && cat .benchmem/.gitignore | has -x '[*]'
// RUN: mkdir ../two && cd ../two && BENCHMEM_OUTPUT='%%e-%%p-%%n-%%%%.bmem' ../prog && ls -A | %filecheck --check-prefix=PATTERN
// RUN: mkdir ../three && cd ../three && echo mine >x.bmem && BENCHMEM_OUTPUT=x.bmem ../prog && grep -qx mine x.bmem && ls | %filecheck --check-prefix=TAKEN
// RUN: mkdir ../four && cd ../four && BENCHMEM_OUTPUT=deep/er/x.bmem ../prog; ls -R | grep -c bmem | has -E '^[01]$'
#include <stdlib.h>

void *volatile S;

int main(void)
{
    S = malloc(1);
    return 0;
}
// DEFAULT: .gitignore
// DEFAULT-NEXT: prog.{{[0-9]+}}.bmem
// PATTERN: prog-{{[0-9]+}}-{{[0-9]+}}-%.bmem
// TAKEN: x.{{[0-9]+}}.bmem
// TAKEN-NEXT: x.bmem
