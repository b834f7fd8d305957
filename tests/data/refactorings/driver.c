/* Runs versions of a routine on the same data, and prints the number of each that leaves other bits than the
   first one, with the seed of the data. The numbers of versions, seeds and arguments are defined before this
   text, `prepare`, `shape` and `call` behind it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 60 };

typedef struct {
    int words; /* of the whole argument */
    int step;  /* words of an element */
    int is_int;
    int block; /* in which it lies */
    int offset; /* in its block */
} argument;

static argument arguments[ARGUMENTS];
static uint32_t *kept[ARGUMENTS]; /* the blocks before a call */
static uint32_t *used[ARGUMENTS]; /* the blocks in a call */
static int lengths[ARGUMENTS];
static uint64_t state;

static int prepare(int mode, int is_large); /* draws the parameters; the number of bodies */
static void shape(void);
static uint32_t call(int version);

static uint32_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static int between(int low, int high)
{
    return low + (int)(draw() % (uint32_t)(high - low + 1));
}

static int small(void)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, -1, -3};
    return sizes[draw() % 10];
}

static int up_to_capacity(int is_large)
{
    return is_large ? between(63, 65) : small();
}

/* ordinary numbers, small whole ones, some that are extreme, ones of one order, or all extreme */
static float number(int mode)
{
    static const float edges[] = {0.0F, -0.0F, 1.0F, -1.0F, 0.5F, 2.0F, 1e-45F, -1e-45F, 1e38F, -3e38F,
                                  NAN, INFINITY, -INFINITY};
    const float x = (float)draw() / 1073741824.0F - 1.0F;
    switch (mode) {
    case 0:
        return x;
    case 1:
        return edges[draw() % 6];
    case 2:
        return draw() % 50 ? x : edges[6 + draw() % 7];
    case 3:
        return x * 1e25F;
    case 4:
        return x * 1e-25F;
    default:
        return edges[draw() % 13];
    }
}

static float parameter(int mode)
{
    return draw() % 2 ? number(mode) : (float)(draw() % 1000) / 500.0F;
}

/* symmetric and positive definite, if it is square */
static void definite(float *x, int count)
{
    int n = 0;
    int i;
    int j;
    while ((n + 1) * (n + 1) <= count) {
        n++;
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++) {
            x[n * i + j] = i == j ? (float)n + 0.1F : number(0);
            x[n * j + i] = x[n * i + j];
        }
    }
}

/* inertia matrices, of six numbers each */
static void inertias(float *x, int count)
{
    static const float diagonal[] = {2.0F, 0.1F, 0.2F, 2.5F, 0.3F, 3.0F};
    int i;
    for (i = 0; i < count; i++) {
        x[i] = diagonal[i % 6];
    }
}

static void positive(float *x, int count)
{
    int i;
    for (i = 0; i < count; i++) {
        x[i] = fabsf(x[i]) + 0.1F;
    }
}

static void ascending(float *x, int count)
{
    int i;
    for (i = 1; i < count; i++) {
        x[i] = x[i - 1] + fabsf(number(0));
    }
}

static void *block_of(int words)
{
    void *found = malloc((size_t)words * 4);
    if (found == NULL) {
        exit(2);
    }
    return found;
}

/* each argument in a block of its own, or all of numbers in the first one and all of integers in the next */
static void place(int mode, int is_together, int bodies)
{
    int i;
    int a;
    for (i = 0; i < ARGUMENTS; i++) {
        lengths[i] = 0;
    }
    for (a = 0; a < ARGUMENTS; a++) {
        argument *one = &arguments[a];
        one->block = is_together ? one->is_int : a;
        one->offset = 0;
        if (is_together) {
            const int overlaps = draw() % 2 && one->step > 0;
            one->offset = overlaps ? one->step * between(0, ROOM / one->step / 4) : lengths[one->block];
        }
        if (lengths[one->block] < one->offset + one->words) {
            lengths[one->block] = one->offset + one->words;
        }
    }
    for (i = 0; i < ARGUMENTS; i++) {
        kept[i] = block_of(lengths[i]);
        for (a = 0; a < ARGUMENTS; a++) {
            int k;
            for (k = 0; arguments[a].block == i && k < arguments[a].words; k++) {
                const int body = between(-2, bodies + 1);
                const float x = number(mode);
                memcpy(kept[i] + arguments[a].offset + k, arguments[a].is_int ? (const void *)&body : &x, 4);
            }
        }
    }
}

static void *at(int a)
{
    return used[arguments[a].block] + arguments[a].offset;
}

static float *begins(int a)
{
    return (float *)(void *)(kept[arguments[a].block] + arguments[a].offset);
}

/* one NaN for all; integers that look like one are negative, which only indices of bodies are */
static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffffU) > 0x7f800000U ? 0x7fc00000U : bits;
}

int main(void)
{
    static int differs[VERSIONS];
    int seed;
    for (seed = 0; seed < SEEDS; seed++) {
        const int mode = seed % 6;
        const int is_together = seed % 5 == 4 && seed % 97 != 96;
        uint32_t *expected[ARGUMENTS];
        uint32_t returned = 0;
        int version;
        int i;
        state = (uint64_t)seed * 12345 + 1;
        place(mode, is_together, prepare(mode, seed % 97 == 96));
        if (mode % 2 == 0 && draw() % 3) {
            shape();
        }
        for (version = 0; version < VERSIONS; version++) {
            uint32_t got;
            int is_same;
            for (i = 0; i < ARGUMENTS; i++) {
                used[i] = block_of(lengths[i]);
                memcpy(used[i], kept[i], (size_t)lengths[i] * 4);
            }
            got = canonical(call(version));
            if (version == 0) {
                returned = got;
            }
            is_same = got == returned;
            for (i = 0; i < ARGUMENTS; i++) {
                int k;
                for (k = 0; version > 0 && k < lengths[i]; k++) {
                    is_same = is_same && canonical(used[i][k]) == canonical(expected[i][k]);
                }
                if (version == 0) {
                    expected[i] = used[i];
                } else {
                    free(used[i]);
                }
            }
            if (!is_same && !differs[version]) {
                differs[version] = 1;
                printf("%d %d\n", version, seed);
            }
        }
        for (i = 0; i < ARGUMENTS; i++) {
            free(expected[i]);
            free(kept[i]);
        }
    }
    return 0;
}
