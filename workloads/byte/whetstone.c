/* SPDX-License-Identifier: BSD-3-Clause */
/* After Curnow and Wichmann's synthetic program (Computer Journal 19, 1976): its
 * modules and their weights, in code of our own. One count is 100,000 Whetstone
 * instructions, so that MWIPS = 100,000 / (us of one count). The modules of weight 0
 * are left out; the functions are the C library's, whose speed is part of it. */
#include <math.h>

#include "bench.h"

/* How often each module's loop runs in one count; the paper's numbers. */
#define ARRAY 12
#define PARAMETER 14
#define JUMPS 345
#define INTEGERS 210
#define TRIGONOMETRY 32
#define CALLS 899
#define REFERENCES 616
#define FUNCTIONS 93

#define APART __attribute__((noinline)) static

/* Read anew in every pass, so that no compiler works a module out beforehand. */
static volatile double t = 0.499975, t1 = 0.50025, t2 = 2.0;
static volatile int once = 1;

static double e[4], x, y, z;
static int j, k, l;
static struct result {
    double array, parameter, trigonometry_x, trigonometry_y, calls, functions;
    double sum, product;
    int jumps, elements;
} result;

static void start_array(void)
{
    e[0] = once;
    e[1] = e[2] = e[3] = -once;
}

static void array_elements(void)
{
    double scale = t;
    start_array();
    for (int i = ARRAY * once; i; i--) {
        e[0] = (e[0] + e[1] + e[2] - e[3]) * scale;
        e[1] = (e[0] + e[1] - e[2] + e[3]) * scale;
        e[2] = (e[0] - e[1] + e[2] + e[3]) * scale;
        e[3] = (-e[0] + e[1] + e[2] + e[3]) * scale;
    }
    result.array = e[3];
}

APART void six_times(double *a, double scale, double divisor)
{
    for (int i = 0; i < 6; i++) {
        a[0] = (a[0] + a[1] + a[2] - a[3]) * scale;
        a[1] = (a[0] + a[1] - a[2] + a[3]) * scale;
        a[2] = (a[0] - a[1] + a[2] + a[3]) * scale;
        a[3] = (-a[0] + a[1] + a[2] + a[3]) / divisor;
    }
}

static void array_parameter(void)
{
    double scale = t, divisor = t2;
    start_array();
    for (int i = PARAMETER * once; i; i--)
        six_times(e, scale, divisor);
    result.parameter = e[3];
}

/* The barriers keep three tests from becoming one, as their values can be foreseen. */
static void conditional_jumps(void)
{
    int state = once;
    for (int i = JUMPS * once; i; i--) {
        state = state == 1 ? 2 : 3;
        __asm__ volatile("" : "+r"(state));
        state = state > 2 ? 0 : 1;
        __asm__ volatile("" : "+r"(state));
        state = state < 1 ? 1 : 0;
        __asm__ volatile("" : "+r"(state));
    }
    result.jumps = state;
}

static void integers(void)
{
    int a = once, b = 2 * once, c = 3 * once;
    for (int i = INTEGERS * once; i; i--) {
        a = a * (b - a) * (c - b);
        b = c * b - (c - a) * b;
        c = (c - b) * (b + a);
        e[c - 2] = a + b + c;
        e[b - 2] = a * b * c;
    }
    result.sum = e[1];
    result.product = e[0];
}

static double turned(double angle, double other, double scale, double two)
{
    return scale * atan(two * sin(angle) * cos(angle) /
                        (cos(angle + other) + cos(angle - other) - 1.0));
}

static void trigonometry(void)
{
    double scale = t, two = t2, a = 0.5 * once, b = a;
    for (int i = TRIGONOMETRY * once; i; i--) {
        a = turned(a, b, scale, two);
        b = turned(b, a, scale, two);
    }
    result.trigonometry_x = a;
    result.trigonometry_y = b;
}

APART void add_and_halve(double a, double b, double *to, double scale, double two)
{
    a = scale * (a + b);
    b = scale * (a + b);
    *to = (a + b) / two;
}

static void calls(void)
{
    double scale = t, two = t2;
    x = y = z = once;
    for (int i = CALLS * once; i; i--)
        add_and_halve(x, y, &z, scale, two);
    result.calls = z;
}

APART void move_elements(void)
{
    e[j] = e[k];
    e[k] = e[l];
    e[l] = e[j];
}

static void references(void)
{
    j = once, k = 2 * once, l = 3 * once;
    e[j] = 1.0, e[k] = 2.0, e[l] = 3.0;
    for (int i = REFERENCES * once; i; i--)
        move_elements();
    result.elements = (int)e[j] * 100 + (int)e[k] * 10 + (int)e[l];
}

static void functions(void)
{
    double divisor = t1, a = 0.75 * once;
    for (int i = FUNCTIONS * once; i; i--)
        a = sqrt(exp(log(a) / divisor));
    result.functions = a;
}

static int body(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
        array_elements();
        array_parameter();
        conditional_jumps();
        integers();
        trigonometry();
        calls();
        references();
        functions();
    }
    return 0;
}

/* Libraries and fused multiply-adds differ in the last bits. */
static int near(double value, double expected)
{
    return fabs(value - expected) < 1e-9;
}

static int check(struct run *run)
{
    int exact = result.jumps == 0 && result.elements == 323 &&
                result.sum == 6 && result.product == 6;
    int floating = near(result.array, -1.1323916609285205) &&
                   near(result.parameter, -1.1312081739064568) &&
                   near(result.trigonometry_x, 0.49903830801545246) &&
                   near(result.trigonometry_y, 0.4990231564852849) &&
                   near(result.calls, 0.999937500625) &&
                   near(result.functions, 0.7598651448882464);
    return exact && floating ? 0 : bench_fail(run, "wrong-result");
}

BENCHMARK(whetstone, .metric = "us", .count = 1, .batches = 3, .flags = BENCH_MODES,
          .body = body, .check = check);
