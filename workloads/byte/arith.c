/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of one type: for i from 2 to 101, y = i * i and z += y / (y - 1). arithoh
 * is the loop alone; register is int with its variables so declared, which an
 * optimising compiler does not heed. The start is read anew for each pass, so that
 * no compiler can know the sum, and every pass's sum is compared. */
#include "bench.h"

#define TERMS 100

static volatile int first = 2, zero = 0;

#define BODY(name, storage, type, expected)                                 \
    static int name##_body(struct run *run, uint64_t count)                 \
    {                                                                       \
        int differs = 0;                                                    \
        for (uint64_t pass = 0; pass < count; pass++) {                     \
            storage type x, y, z = (type)zero;                              \
            storage int i = first, end = i + TERMS;                         \
            for (; i != end; i++) {                                         \
                x = (type)i;                                                \
                y = x * x;                                                  \
                z += y / (y - 1);                                           \
            }                                                               \
            differs |= z != (expected);                                     \
        }                                                                   \
        return differs ? bench_fail(run, "wrong-sum") : 0;                  \
    }

/* Integer division makes each term 1. The true sum is 100.75 - 0.5 / 101 - 0.5 / 102;
 * these are it as IEEE's additions round it, the same on every machine. */
#define FLOAT_SUM 0x1.92f5ecp+6f
#define DOUBLE_SUM 0x1.92f5e93ce1a26p+6

BODY(short, , short, TERMS)
BODY(int, , int, TERMS)
BODY(register, register, int, TERMS)
BODY(long, , long, TERMS)
BODY(float, , float, FLOAT_SUM)
BODY(double, , double, DOUBLE_SUM)

static int oh_body(struct run *run, uint64_t count)
{
    int differs = 0;
    for (uint64_t pass = 0; pass < count; pass++) {
        int i = first, end = i + TERMS;
        for (; i != end; i++)
            __asm__ volatile("" : "+r"(i));
        differs |= i != 2 + TERMS;
    }
    return differs ? bench_fail(run, "wrong-end") : 0;
}

#define ARITH(name, function)                                               \
    BENCHMARK(name, .metric = "us", .count = 100, .batches = 3, .flags = BENCH_MODES, \
              .body = function##_body)

ARITH(arithoh, oh);
ARITH(arith_register, register);
ARITH(arith_short, short);
ARITH(arith_int, int);
ARITH(arith_long, long);
ARITH(arith_float, float);
ARITH(arith_double, double);
