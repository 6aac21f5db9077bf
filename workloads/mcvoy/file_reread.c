/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is in the page cache, summed as integers once more: read in pieces
 * of 64 KB, or mapped. To map it is not timed, but to meet its pages for the first
 * time is, so each pass has a mapping of its own. One count is the whole file. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "pieces.h"

#define PIECES 8
#define BYTES (PIECES * PIECE)
#define MAPPINGS 16                          /* passes that a run may have */

static char *piece, *mappings[MAPPINGS];
static unsigned used;
static int fd;
static uint32_t expected;

/* The file stays until its file system is emptied, for the other of the two. */
static int setup_file(struct run *run)
{
    struct stat status;
    if (chdir(run->scratch))
        return bench_fail(run, "chdir");
    if (stat("pieces", &status) || status.st_size != BYTES) {
        if (make_pieces("pieces", PIECES))
            return bench_fail(run, "make-file");
    }
    expected = pieces_sum(PIECES);
    fd = open("pieces", O_RDONLY);
    return fd < 0 ? bench_fail(run, "open") : 0;
}

static int setup_read(struct run *run)
{
    piece = page_buffer(PIECE);
    return setup_file(run);
}

static int setup_map(struct run *run)
{
    if (setup_file(run))
        return -1;
    for (unsigned i = 0; i < MAPPINGS; i++)
        if ((mappings[i] = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0)) == MAP_FAILED)
            return bench_fail(run, "mmap");
    return 0;
}

static int read_file(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t sum = 0;
        lseek(fd, 0, SEEK_SET);
        for (unsigned k = 0; k < PIECES; k++) {
            if (read(fd, piece, PIECE) != PIECE)
                return bench_fail(run, "short-read");
            if (!piece_has(piece, k))
                return bench_fail(run, "wrong-piece");
            sum += sum_ints(piece, PIECE);
        }
        if (sum != expected)
            return bench_fail(run, "wrong-sum");
    }
    return 0;
}

static int read_mapping(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (used == MAPPINGS)
            return bench_fail(run, "too-many-passes");
        if (sum_ints(mappings[used++], BYTES) != expected)
            return bench_fail(run, "wrong-sum");
    }
    return 0;
}

/* Sums don't know the pieces' order. */
static int check_mapping(struct run *run)
{
    for (unsigned k = 0; k < PIECES; k++)
        if (!piece_has(mappings[used - 1] + k * PIECE, k))
            return bench_fail(run, "wrong-piece");
    return 0;
}

BENCHMARK(file_reread, .metric = "MB/s", .bytes = BYTES, .count = 1, .batches = 3,
          .flags = FS_FIRST | BENCH_NO_WARM_UP, .setup = setup_read, .body = read_file);
BENCHMARK(mmap_reread, .metric = "MB/s", .bytes = BYTES, .count = 1, .batches = 3,
          .flags = FS_FIRST | BENCH_NO_WARM_UP, .setup = setup_map, .body = read_mapping,
          .check = check_mapping);
