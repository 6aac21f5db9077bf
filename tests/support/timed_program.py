# SPDX-License-Identifier: BSD-3-Clause
"""A user's program for sweeps: it prints on both streams, and fails as its arguments ask."""

PROGRAM = """\
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
\tchar here[64], inside[64] = "";
\tFILE *file = fopen("data/words.txt", "r");
\tfor (int i = 0; i < 1000; i++)
\t\tgetppid();
\tif (file && fgets(inside, sizeof inside, file))
\t\tprintf("data: %s\\n", inside);
\tprintf("loops: 1000 in %s\\n", getcwd(here, sizeof here));
\tfflush(stdout);
\tfprintf(stderr, "args %d [%s]\\t100%%\\n", argc - 1, argc > 1 ? argv[argc - 1] : "");
\tif (argc > 1 && !strcmp(argv[1], "fail"))
\t\treturn 3;
\tif (argc > 1 && !strcmp(argv[1], "crash"))
\t\t__builtin_trap();
\tif (argc > 1 && !strcmp(argv[1], "illegal"))
\t\t__asm__ volatile(".word 0x0200007f");
\treturn 0;
}
"""
