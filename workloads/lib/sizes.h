/* SPDX-License-Identifier: BSD-3-Clause */
/* Working sets that no cache holds. These are far above the caches simulated; the
 * native program is built with others, for the caches of its host. */
#ifndef OSGAP_SIZES_H
#define OSGAP_SIZES_H

#ifndef UNCACHED_BYTES
#define UNCACHED_BYTES 131072
#endif
/* A file that the page cache holds, and a copy that nothing does. */
#define UNCACHED_FILE_BYTES (2 * UNCACHED_BYTES)

#endif
