// What peaks fall by without each site, function and type is what a look at every moment gives: process and benchmark, one thread and several, one file and paths or sites.
// RUN: %benchmem-cc -O2 -pthread %s -o a && for threads in 1 4; do for o in paths=full paths=sites; do rm -rf d && mkdir d && (cd d && BENCHMEM_OPTIONS=saves=1:$o BENCHMEM_OUTPUT=p.bmem ../a $threads expected && %figures p.bmem >figures && %python %inputs/saves.py %bindir/benchmem-report p.bmem expected) || exit 1; done; done
// RUN: %benchmem-cc -O0 -pthread %s -o b && BENCHMEM_OPTIONS=saves=1 BENCHMEM_OUTPUT=q.bmem ./b 2 expected && %python %inputs/saves.py %bindir/benchmem-report q.bmem expected
// What benchmem-run packs says the same.
// RUN: %benchmem-run --saves -o r.bmem -- ./a 3 expected && %python %inputs/saves.py %bindir/benchmem-report r.bmem expected
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 60, EVENTS = 6000, PASSES = 3, MOST_GROUPS = 64 };

/* Who asked for a block; of one place there is one of these. */
struct asker {
    int line;
    const char *function, *type;
};

struct group {
    char name[40];
    uint64_t live, others;
};

struct account {
    uint64_t live, peak;
    struct group groups[MOST_GROUPS];
    unsigned nr;
};

static struct account process, bench;
static struct slot {
    void *block;
    size_t size;
    struct asker asker;
    int pass;
} slots[SLOTS];
static struct asker asker; /* of the call at hand */
static int pass;
static uint64_t random_state = 88172645463325252u;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

#define ASK(t) (asker = (struct asker){__LINE__, __func__, #t})

struct small { int a; };
struct large { char a[1000]; };

/* Each line is a site; two functions have two, and types go across. */
static void one(void **out, size_t n)
{
    ASK(struct small), *out = (struct small *)malloc(n);
}
static void two(void **out, size_t n)
{
    if (n % 2)
        ASK(struct small), *out = (struct small *)calloc(1, n);
    else
        ASK(struct large), *out = (struct large *)malloc(n);
}
static void three(void **out, size_t n)
{
    if (n % 3)
        ASK(struct large), *out = (struct large *)malloc(n);
    else
        ASK(double), *out = (double *)malloc(n);
}
static void grow(void **out, size_t n)
{
    ASK(double), *out = (double *)realloc(*out, n);
}

static uint64_t pick(uint64_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % n;
}

static struct group *group_of(struct account *account, const char *name)
{
    struct group *group = account->groups;

    for (; group < account->groups + account->nr; group++)
        if (!strcmp(group->name, name))
            return group;
    if (account->nr++ == MOST_GROUPS)
        abort();
    strcpy(group->name, name);
    group->others = account->peak;
    return group;
}

static void hold(struct account *account, const struct asker *who, uint64_t size)
{
    char names[3][40];

    snprintf(names[0], 40, "site %d", who->line);
    snprintf(names[1], 40, "function %s", who->function);
    snprintf(names[2], 40, "type %s", who->type);
    for (int i = 0; i < 3; i++)
        group_of(account, names[i])->live += size;
    account->live += size;
}

static void look(struct account *account)
{
    if (account->live > account->peak)
        account->peak = account->live;
    for (unsigned i = 0; i < account->nr; i++) {
        struct group *group = &account->groups[i];

        if (account->live - group->live > group->others)
            group->others = account->live - group->live;
    }
}

static void count(const struct slot *gone, const struct slot *made)
{
    if (gone->block)
        hold(&process, &gone->asker, -(uint64_t)gone->size);
    if (made->block)
        hold(&process, &made->asker, made->size);
    look(&process);
    if (gone->block && gone->pass == pass)
        hold(&bench, &gone->asker, -(uint64_t)gone->size);
    if (made->block)
        hold(&bench, &made->asker, made->size);
    look(&bench);
}

static void event(void)
{
    static void (*const ways[])(void **, size_t) = {one, two, three, grow};

    pthread_mutex_lock(&lock);
    struct slot *slot = &slots[pick(SLOTS)], before = *slot;
    size_t size = pick(pick(20) ? 3000 : 60000) + 1;

    if (before.block && pick(2)) {
        free(before.block);
        *slot = (struct slot){0};
    } else {
        (before.block ? grow : ways[pick(4)])(&slot->block, size);
        slot->size = size;
        slot->asker = asker;
        slot->pass = pass;
    }
    count(&before, slot);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    for (int p = 0; p < PASSES; p++) {
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < EVENTS / PASSES; i++)
            event();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

__attribute__((noinline)) void bench_mix(void)
{
    pass++;
    bench.live = 0;
    for (unsigned i = 0; i < bench.nr; i++)
        bench.groups[i].live = 0;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

static void tell(int fd, const char *whose, const struct account *account)
{
    for (unsigned i = 0; i < account->nr; i++)
        dprintf(fd, "%s %s %llu\n", whose, account->groups[i].name,
                (unsigned long long)(account->peak - account->groups[i].others));
}

int main(int argc, char **argv)
{
    int threads = atoi(argv[argc - 2]);
    pthread_t ids[8];

    pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < PASSES; i++)
        bench_mix();
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    int fd = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    tell(fd, "process", &process);
    tell(fd, "bench", &bench);
    return 0;
}
