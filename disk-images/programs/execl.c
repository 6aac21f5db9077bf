/* SPDX-License-Identifier: BSD-3-Clause */
/* execl LEFT DONE: becomes itself LEFT times more; the last one's exit status is
 * how many there were, modulo 128. For workloads/byte/execl.c. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FAILED 255

int main(int argc, char **argv)
{
    char left_text[24], done_text[24];
    if (argc != 3)
        return FAILED;
    unsigned long left = strtoul(argv[1], NULL, 10), done = strtoul(argv[2], NULL, 10);
    if (!left)
        return (int)(done & 127);
    snprintf(left_text, sizeof left_text, "%lu", left - 1);
    snprintf(done_text, sizeof done_text, "%lu", done + 1);
    execl(argv[0], argv[0], left_text, done_text, (char *)NULL);
    return FAILED;
}
