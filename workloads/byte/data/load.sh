# SPDX-License-Identifier: BSD-3-Clause
/bin/sort words.txt >sorted.$1
/bin/od sorted.$1 | /bin/sort >octal.$1
/bin/grep the sorted.$1 | /bin/tee matched.$1 | /bin/wc >counted.$1
