// Hooks wait for no lock: loading libraries, stdio and allocation at once come to an end.
// RUN: echo '#include <stdlib.h>' >plugin.c && echo 'void *mk(void) { return malloc(7); }' >>plugin.c
// RUN: %benchmem-cc -O2 -shared -fPIC plugin.c -o plugin.so && %benchmem-cc -O2 -pthread %s -o a
// RUN: BENCHMEM_OUTPUT=p.bmem timeout 300 ./a | cat >out && %figures p.bmem | %filecheck
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *load(void *unused)
{
    for (int i = 0; i < 200; i++) {
        void *library = dlopen("./plugin.so", RTLD_NOW);
        void *(*mk)(void) = library ? (void *(*)(void))dlsym(library, "mk") : NULL;
        if (!mk)
            exit(3);
        free(mk());
        dlclose(library);
    }
    return unused;
}

static void *print(void *unused)
{
    for (int i = 0; i < 20000; i++)
        printf("%d %f\n", i, i / 3.0);
    return unused;
}

static void *allocate(void *unused)
{
    for (int i = 0; i < 300000; i++) {
        void *volatile p = malloc(24);
        // CHECK: site locks.c:[[@LINE-1]] allocate malloc allocations=300000 frees=300000 {{.*}} live=0
        free(p);
    }
    return unused;
}

int main(void)
{
    static void *(*const work[])(void *) = {load, print, allocate};
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
// CHECK: site plugin.c:2 mk malloc allocations=200 frees=200 allocated=1400 {{.*}} live=0
