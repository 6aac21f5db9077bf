/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and checks the data of bandwidth benchmarks. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench.h"
#include "pieces.h"

#define NUMBER sizeof(uint64_t)              /* where a piece's words start */
#define STEP 0x9e3779b97f4a7c15u             /* odd: no word comes twice */

uint64_t *words_make(size_t bytes, uint32_t *sum)
{
    uint64_t *words = page_buffer(bytes), word = 0;
    *sum = 0;
    for (size_t i = 0; i < bytes / sizeof word; i++) {
        words[i] = word += STEP;
        *sum += (uint32_t)word + (uint32_t)(word >> 32);
    }
    return words;
}

char *piece_make(void)
{
    uint32_t sum;
    char *piece = (char *)words_make(PIECE, &sum);
    piece_number(piece, 0);
    return piece;
}

void piece_number(void *piece, uint64_t number)
{
    memcpy(piece, &number, NUMBER);
}

int piece_has(const void *piece, uint64_t number)
{
    return memcmp(piece, &number, NUMBER) == 0;
}

int piece_whole(const void *piece)
{
    const uint64_t *words = piece;
    uint64_t word = STEP, differs = 0;
    for (size_t i = 1; i < PIECE / sizeof word; i++)
        differs |= words[i] ^ (word += STEP);
    return !differs;
}

uint32_t sum_ints(const void *at, size_t bytes)
{
    const uint32_t *p = at, *end = p + bytes / sizeof *p;
    uint32_t sum = 0;
    for (; p != end; p += 16) {
        sum += p[0], sum += p[1], sum += p[2], sum += p[3];
        sum += p[4], sum += p[5], sum += p[6], sum += p[7];
        sum += p[8], sum += p[9], sum += p[10], sum += p[11];
        sum += p[12], sum += p[13], sum += p[14], sum += p[15];
    }
    return sum;
}

/* Writes all in one call: on a write-through file system each call waits for the disk. */
int make_pieces(const char *path, unsigned pieces)
{
    struct iovec parts[2 * PIECES_MOST];
    uint64_t numbers[PIECES_MOST];
    char *piece = piece_make();
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (unsigned i = 0; i < pieces; i++) {
        numbers[i] = i;
        parts[2 * i] = (struct iovec){&numbers[i], NUMBER};
        parts[2 * i + 1] = (struct iovec){piece + NUMBER, PIECE - NUMBER};
    }
    int failed = fd < 0 || writev(fd, parts, 2 * (int)pieces) != (ssize_t)pieces * PIECE;
    free(piece);
    return (fd >= 0 && close(fd)) || failed ? -1 : 0;
}

/* A piece's number fits the first integer, so it adds itself to the sum. */
uint32_t pieces_sum(unsigned pieces)
{
    uint64_t word = STEP;
    uint32_t sum = 0;
    for (size_t i = 1; i < PIECE / sizeof word; i++) {
        word += STEP;
        sum += (uint32_t)word + (uint32_t)(word >> 32);
    }
    return pieces * sum + pieces * (pieces - 1) / 2;
}
