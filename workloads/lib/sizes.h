/* SPDX-License-Identifier: BSD-3-Clause */
/* Working sets that no cache holds. These are far above the caches simulated; the
 * native program is built with one size for all, for the caches of its host. */
#ifndef OSGAP_SIZES_H
#define OSGAP_SIZES_H

#ifndef UNCACHED_BYTES
#define UNCACHED_BYTES 131072
#define UNCACHED_FILE_BYTES 262144           /* that the page cache holds */
#define UNCACHED_BLOCK_BYTES 524288          /* read or written integer by integer */
#define UNCACHED_CHAIN_BYTES 1048576         /* of pointers in steps of 128 bytes */
#else
#define UNCACHED_FILE_BYTES UNCACHED_BYTES
#define UNCACHED_BLOCK_BYTES UNCACHED_BYTES
#define UNCACHED_CHAIN_BYTES UNCACHED_BYTES
#endif

#endif
