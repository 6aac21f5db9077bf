# SPDX-License-Identifier: BSD-3-Clause
"""Texts in the formats of lmbench, UnixBench and sbc-bench, with numbers of no machine."""

from collections.abc import Sequence

UNIXBENCH = """\
========================================================================
   BYTE UNIX Benchmarks (Version 5.1.3)

   System: example: GNU/Linux
   OS: GNU/Linux -- 6.1.0-7-example -- #7 SMP
   Machine: riscv64 (unknown)
   Language: en_US.utf8 (charmap="UTF-8", collate="UTF-8")
   CPU 0: Example Core @ 1.25GHz (2500.0 bogomips)
          fast, small
   11:22:33 up 1 min,  1 user,  load average: 0.01, 0.02, 0.03; runlevel 5

------------------------------------------------------------------------
Benchmark Run: Mon Jan 02 2023 11:22:33 - 11:44:55
4 CPUs in system; running 1 parallel copy of tests

Dhrystone 2 using register variables        2500000.0 lps   (10.0 s, 7 samples)
Double-Precision Whetstone                      500.0 MWIPS (9.9 s, 7 samples)
Execl Throughput                               1250.0 lps   (30.0 s, 2 samples)
File Copy 1024 bufsize 2000 maxblocks        200000.0 KBps  (30.0 s, 2 samples)
Pipe Throughput                              400000.0 lps   (10.0 s, 7 samples)
Pipe-based Context Switching                  50000.0 lps   (10.0 s, 7 samples)
Process Creation                               2000.0 lps   (30.0 s, 2 samples)
Shell Scripts (1 concurrent)                   2400.0 lpm   (60.0 s, 2 samples)
System Call Overhead                         800000.0 lps   (10.0 s, 7 samples)

System Benchmarks Index Values               BASELINE       RESULT    INDEX
Dhrystone 2 using register variables         116700.0    2500000.0    214.2
                                                                   ========
System Benchmarks Index Score                                         300.1

------------------------------------------------------------------------
Benchmark Run: Mon Jan 02 2023 11:44:55 - 12:08:01
4 CPUs in system; running 4 parallel copies of tests

Pipe Throughput                             1600000.0 lps   (10.0 s, 7 samples)

System Benchmarks Partial Index              BASELINE       RESULT    INDEX
Pipe Throughput                               12440.0    1600000.0   1286.2
                                                                   ========
System Benchmarks Index Score (Partial Only)                         1286.2
"""

LMBENCH = """\
[lmbench3.0 results for Linux example 6.1.0-7 #7 SMP Mon Jan 2 2023 riscv64 GNU/Linux]
[LMBENCH_VER: ]
[MB: 64]
[MHZ: 1250 MHz, 0.8000 nanosec clock]
[MOTHERBOARD: Example board]
[SYSNAME: Linux]
[PROCESSOR: unknown]
[MACHINE: riscv64]
[RELEASE: 6.1.0-7]
[Mon Jan  2 11:22:33 UTC 2023]
[ 11:22:33 up 1 min,  1 user,  load average: 0.01, 0.02, 0.03]
[mount: /dev/mmcblk0p2 on / type ext4 (rw)]
Simple syscall: 0.2500 microseconds
Simple read: 0.4000 microseconds
Simple write: 0.5000 microseconds
Simple stat: 2.5000 microseconds
Select on 100 fd's: 8.0000 microseconds
Signal handler installation: 0.6000 microseconds
Signal handler overhead: 4.0000 microseconds
Protection fault: 0.3000 microseconds
Pipe latency: 16.0000 microseconds
Process fork+exit: 640.0000 microseconds
integer add: 0.80 nanoseconds
File /usr/tmp/XXX write bandwidth: 20000 KB/sec
Pagefaults on /usr/tmp/XXX: 1.2500 microseconds

"mappings
0.524288 40
67.108864 3200

"File system latency
0k\t100\t20000\t40000
10k\t50\t5000\t12500

UDP latency using localhost: 40.0000 microseconds
TCP/IP connection cost to localhost: 125.0000 microseconds

Socket bandwidth using localhost
0.000064 1.25 MB/sec
10.485760 400.00 MB/sec

Pipe bandwidth: 500.00 MB/sec

"libc bcopy unaligned
0.000512 4000.00
33.55 800.00

Memory read bandwidth
0.000512 5000.00
67.11 1000.00

"size=0k ovr=0.50
2 8.00
8 9.00
96 11.00

"size=16k ovr=2.50
2 10.00
16 12.50

Memory load latency
"stride=128
0.00049 2.400
0.00098 2.400
0.12500 16.000
64.00000 120.000

Random load latency
"stride=16
0.00049 2.400
64.00000 200.000

[Mon Jan  2 12:11:10 UTC 2023]
"""

_SUMMARY_ROWS = {
    "one": "0.25 0.45 2.50 5.00 30.0 0.60 4.00 640. 2500 12.K",
    "two": "0.50 0.90 5.00           1.20 8.00 1280 5000 20.K",
}


def lmbench_summary(*hosts: str) -> str:
    """A summary of these hosts, "one" or "two": two of its tables."""
    rows = "".join(f"{host:<9} Linux 6.1.0-7 1250 {_SUMMARY_ROWS[host]}\n" for host in hosts)
    memory = "".join(
        f"{host:<9} Linux 6.1.0-7  1250 2.4000   16.0  120.0       200.0    No L2 cache?\n"
        for host in hosts
    )
    return f"""\
make[1]: Entering directory '/lmbench/results'

                 L M B E N C H  3 . 0   S U M M A R Y
                 ------------------------------------
\t\t (Alpha software, do not distribute)

Processor, Processes - times in microseconds - smaller is better
------------------------------------------------------------------------------
Host                 OS  Mhz null null      open slct sig  sig  fork exec sh
                             call  I/O stat clos TCP  inst hndl proc proc proc
--------- ------------- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ----
{rows}
Memory latencies in nanoseconds - smaller is better
    (WARNING - may not be correct, check graphs)
------------------------------------------------------------------------------
Host                 OS   Mhz   L1 $   L2 $    Main mem    Rand mem    Guesses
--------- -------------   ---   ----   ----    --------    --------    -------
{memory}make[1]: Leaving directory '/lmbench/results'
"""


RULE = "#" * 74
_STATE = "Mem:           3.5Gi       100Mi       3.3Gi       2.0Mi       110Mi       3.3Gi"


def sbc_bench(cores: Sequence[tuple[int, str]] = ((0, "example,core"),)) -> str:
    """A result file whose processor has these kinds of cores: the first CPU and the name of each.

    The clock of CPU N is 1,200 MHz and 100 N more, and its rates are higher by N MB/s.
    """
    several = len(cores) > 1
    clocks, memory, chases, zips = (
        "".join(make(cpu, core) for cpu, core in cores)
        for make in (lambda *place: _clock(*place, several), _tinymembench, _ramlat, _zip)
    )
    return f"""\
sbc-bench v0.9.9 Example board (Mon, 02 Jan 2023 11:22:33 +0000)

Linux 6.1.0-7-example (example) \t01/02/23 \t_riscv64_\t(4 CPU)

{_STATE}

{RULE}

{clocks}{RULE}

{memory}{RULE}

{chases}{RULE}

Executing benchmark twice on cluster 0 (example,core)

OpenSSL 1.1.1f, built on 31 Mar 2020
type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes
aes-128-cbc       5000.00k     6000.00k     7000.00k     7500.00k     7900.00k     8000.00k

{RULE}

{zips}{RULE}

Executing benchmark 3 times multi-threaded on CPUs 0-3

Avr:             310    798   2466  |              399   1400   5585
Tot:             354   1000   4000

{RULE}

Linux 6.1.0-7-example (example) \t01/02/23 \t_riscv64_\t(4 CPU)

{_STATE}

| Example board | 1300 MHz | 6.1 | Debian riscv64 | 4000 | 1000 | 8000 | 500 | 600 | - |
"""


def _clock(cpu: int, core: str, several: bool) -> str:
    place = f" for cpu{cpu}-cpu{cpu + 1}" if several else ""
    mhz = 1200 + 100 * cpu
    return f"""\
Checking cpufreq OPP{place} ({core}):

Cpufreq OPP: {mhz + 2}    Measured: {mhz} ({mhz}.252/{mhz}.184/{mhz}.082)
Cpufreq OPP:  600    Measured:  599    (599.234/599.135/599.086)

"""


def _tinymembench(cpu: int, core: str) -> str:
    return f"""\
Executing benchmark on cpu{cpu} ({core}):

tinymembench v0.4.9 (simple benchmark for memory throughput and latency)

== Note 1: 1MB = 1000000 bytes                                          ==
 C copy backwards                                     :    400.0 MB/s (0.8%)
 C copy                                               :    {450 + cpu}.0 MB/s (0.7%)
 C fill                                               :    700.0 MB/s (4.3%)
 ---
 standard memcpy                                      :    {500 + cpu}.0 MB/s (0.8%)
 standard memset                                      :    600.0 MB/s (1.2%)

block size : single random read / dual random read
      1024 :    0.0 ns          /     0.0 ns
     65536 :    5.0 ns          /    10.0 ns

"""


def _ramlat(cpu: int, core: str) -> str:
    return f"""\
Executing ramlat on cpu{cpu} ({core}), results in ns:

       size:  1x32  2x32  1x64  2x64 1xPTR 2xPTR 4xPTR 8xPTR
         4k: 3.000 3.100 3.000 3.100 2.500 2.500 3.000 6.000
       128k: 15.00 25.00 15.00 25.00 14.00 25.00 50.00 96.00

"""


def _zip(cpu: int, core: str) -> str:
    return f"""\
Executing benchmark single-threaded on cpu{cpu} ({core})

Avr:             100    920    920  |              100   1443   1443
Tot:             100   1000   1000

"""
