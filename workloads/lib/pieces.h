/* SPDX-License-Identifier: BSD-3-Clause */
/* Data for bandwidths: words that all differ, made in five instructions each, and
 * pieces of 64 KB of them that start with their own number. */
#ifndef OSGAP_PIECES_H
#define OSGAP_PIECES_H

#include <stddef.h>
#include <stdint.h>

#define PIECE 65536

/* A page-aligned buffer of such words, and the sum_ints of them. */
uint64_t *words_make(size_t bytes, uint32_t *sum);

/* A piece with the number 0. */
char *piece_make(void);
void piece_number(void *piece, uint64_t number);
int piece_has(const void *piece, uint64_t number);
/* Whether every word behind the number is what it should be. */
int piece_whole(const void *piece);

/* The sum of `bytes` bytes as 32-bit integers: one load and one add for each. */
uint32_t sum_ints(const void *at, size_t bytes);

/* A file of pieces numbered from 0, PIECES_MOST or fewer; -1 on failure. */
#define PIECES_MOST 8
int make_pieces(const char *path, unsigned pieces);
/* Its sum_ints, from the words themselves. */
uint32_t pieces_sum(unsigned pieces);

#endif
