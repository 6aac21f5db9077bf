# SPDX-License-Identifier: BSD-3-Clause
"""sbc-bench's result file: each value under its metric, one kind of core, and refusals."""

import pytest
from foreign_texts import RULE, sbc_bench

from osgap.imports import sbc_bench as reader
from osgap.imports.program_text import ProgramTextError

TWO = ((0, "small"), (2, "large"))


def test_each_value_has_its_metric_and_unit() -> None:
    text = reader.parse(sbc_bench(), "here")
    found = {r.metric: (r.value, r.unit) for r in text.readings}
    assert found["tmb_memcpy_MBps"] == (500.0, "MB/s")
    assert found["tmb_memset_MBps"] == (600.0, "MB/s")
    assert found["tmb_ccopy_MBps"] == (450.0, "MB/s")
    assert found["tmb_cfill_MBps"] == (700.0, "MB/s")
    assert found["tmb_c_copy_backwards_MBps"] == (400.0, "MB/s")
    assert found["tmb_lat_64KiB_ns"] == (5.0, "ns")
    assert found["tmb_dual_64KiB_ns"] == (10.0, "ns")
    assert found["ramlat_1ptr_4KiB_ns"] == (2.5, "ns")
    assert found["ramlat_8ptr_128KiB_ns"] == (96.0, "ns")
    assert found["ramlat_2x32_128KiB_ns"] == (25.0, "ns")
    assert found["7zip_1t_MIPS"] == (1000.0, "MIPS")
    assert found["7zip_all_MIPS"] == (4000.0, "MIPS")
    assert found["openssl_aes_128_cbc_16KiB_kBps"] == (8000.0, "kB/s")
    # 0.0 ns is less than it can tell.
    assert len(found) == len(text.readings) == 26


def test_it_tells_of_the_machine() -> None:
    subject = reader.parse(sbc_bench(), "here").subject
    assert (subject.program, subject.board) == ("sbc-bench 0.9.9", "Example board")
    assert (subject.kernel, subject.architecture) == ("Linux 6.1.0-7-example", "riscv64")
    assert (subject.processor, subject.cores) == ("example,core", 4)
    assert (subject.clock_mhz, subject.memory_mib) == (1200.0, 3584)
    assert subject.date == "Mon, 02 Jan 2023 11:22:33 +0000"


@pytest.mark.parametrize(
    "line",
    [
        "No cpufreq support available. Measured on cpu0: 925 MHz (998.772/904.926/872.906)",
        "Cpufreq OPP:  950  ThreadX:  950  Measured:  925 @ 0.8650V/0.8690V",
    ],
)
def test_clocks_are_written_in_several_ways(line: str) -> None:
    head, _, rest = sbc_bench().partition("Cpufreq")
    text = f"{head}{line}\n{rest.partition(RULE)[1]}{rest.partition(RULE)[2]}"
    assert reader.parse(text, "here").subject.clock_mhz == 925.0


def test_one_kind_of_core_is_taken() -> None:
    text = reader.parse(sbc_bench(TWO), "here", "2")
    found = {reading.metric: reading.value for reading in text.readings}
    assert found["tmb_memcpy_MBps"] == 502.0 and text.subject.processor == "large"
    assert text.subject.clock_mhz == 1400.0
    # It is of the first cluster, or of all CPUs.
    assert "openssl_aes_128_cbc_16KiB_kBps" not in found and found["7zip_all_MIPS"] == 4000.0
    with pytest.raises(ProgramTextError, match=r"--cpu: found several; allowed: --cpu 0 or --cpu"):
        reader.parse(sbc_bench(TWO), "here")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "here: found '' first; allowed: the result file of sbc-bench"),
        (sbc_bench()[: sbc_bench().index("Executing ramlat")], "is cut: found '######"),
        (
            sbc_bench().replace("Executing benchmark on cpu0", "Executing it on a big core"),
            "found no 'Executing benchmark on cpu' of sbc-bench 0.9.9; allowed: a text",
        ),
    ],
)
def test_refusals(text: str, told: str) -> None:
    with pytest.raises(ProgramTextError) as error:
        reader.parse(text, "here")
    assert told in str(error.value)
