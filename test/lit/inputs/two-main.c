#include <stdlib.h>

void *mk(void);
void *volatile S;

int main(void)
{
    S = mk();
    S = malloc(20);
    return 0;
}
