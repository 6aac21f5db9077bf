/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a few programs, whose answers are known, and returns a sum of what they
 * printed: any fault of the compiler that made this shows in it. */
#include "mill.h"
#include "lexer.h"
#include "code.h"
#include "machine.h"

static const char primes[] =
    "n = 2; c = 0;\n"
    "while n < 60 {\n"
    "    d = 2; p = 1;\n"
    "    while d * d < n + 1 {\n"
    "        if (n % d) ~ 0 p = 0;\n"
    "        d = d + 1;\n"
    "    }\n"
    "    if p { c = c + 1; print n; }\n"
    "    n = n + 1;\n"
    "}\n"
    "print c;\n";

static const char divisor[] =
    "a = 1071; b = 462;\n"
    "while b ! 0 { t = a % b; a = b; b = t; }\n"
    "print a;\n";

static const char steps[] =
    "n = 27; s = 0;\n"
    "while n ! 1 {\n"
    "    r = n % 2;\n"
    "    if r ~ 0 n = n / 2;\n"
    "    if r ~ 1 n = 3 * n + 1;\n"
    "    s = s + 1;\n"
    "}\n"
    "print s;\n";

static const char nested[] = "print 1000 + 200 * 300; print (101 + 102) * 2 - 7;\n";

static struct code code;
static struct machine machine;

static unsigned long run(const char *text, int *faults)
{
    machine_clear(&machine);
    if (compile(&code, text) || machine_run(&machine, &code))
        *faults += 1;
    return machine.printed;
}

/* One that must not compile and one that must stop with a fault. */
static int refused(void)
{
    int faults = 0;
    run("a = (1;", &faults);
    run("a = 1 / b;", &faults);
    return faults == 2;
}

int osgap_andrew_main(void)
{
    int faults = 0;
    unsigned long sum = run(primes, &faults);
    sum = sum * 31 + run(divisor, &faults);
    sum = sum * 31 + run(steps, &faults);
    sum = sum * 31 + run(nested, &faults);
    if (faults || !refused())
        return 1;
    return 2 + (int)(sum % 120);
}
