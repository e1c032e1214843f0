#include <stdlib.h>

void *mk(void)
{
    return malloc(10);
}
