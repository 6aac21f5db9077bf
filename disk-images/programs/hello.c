/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that the process benchmarks start (workloads/mcvoy). */
#include <unistd.h>

int main(void)
{
    static const char text[] = "hello\n";
    return write(STDOUT_FILENO, text, sizeof text - 1) != sizeof text - 1;
}
