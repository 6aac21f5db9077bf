# SPDX-License-Identifier: BSD-3-Clause
"""UnixBench's report: each value under its metric, several copies apart, and refusals."""

import pytest
from foreign_texts import UNIXBENCH

from osgap.imports import unixbench
from osgap.imports.program_text import ProgramTextError


def test_each_value_has_its_metric_and_unit() -> None:
    text = unixbench.parse(UNIXBENCH, "here")
    assert {r.metric: (r.value, r.unit) for r in text.readings} == {
        "dhry2_lps": (2500000.0, "loops/s"),
        "whet_MWIPS": (500.0, "MWIPS"),
        "ub_execl_lps": (1250.0, "loops/s"),
        "ub_fcopy1024_KBps": (200000.0, "KiB/s"),
        "ub_pipe_lps": (400000.0, "loops/s"),
        "ub_ctx_lps": (50000.0, "loops/s"),
        "ub_spawn_lps": (2000.0, "loops/s"),
        "ub_shell1_lpm": (2400.0, "loops/min"),
        "ub_syscall_lps": (800000.0, "loops/s"),
        "ub_pipe_lps_x4": (1600000.0, "loops/s"),
    }


def test_it_tells_of_the_machine_but_not_its_name() -> None:
    text = unixbench.parse(UNIXBENCH, "here")
    subject = text.subject
    assert subject.program == "UnixBench 5.1.3" and subject.kernel == "Linux 6.1.0-7-example"
    assert (subject.cores, subject.architecture) == (4, "riscv64")
    assert (subject.clock_mhz, subject.is_clock_measured) == (1250.0, False)
    assert subject.processor == "Example Core @ 1.25GHz" and subject.board == ""
    assert subject.date == "Mon Jan 02 2023 11:22:33"


def test_a_processor_without_a_clock_has_none() -> None:
    text = unixbench.parse(UNIXBENCH.replace(" @ 1.25GHz", ""), "here")
    assert text.subject.clock_mhz == 0


def test_an_unknown_row_is_named_by_its_label() -> None:
    text = UNIXBENCH.replace("Pipe Throughput      ", "Pipe & Fast (2 ways)").replace("\n", "\r\n")
    metrics = [reading.metric for reading in unixbench.parse(text, "here").readings]
    assert "ub_pipe_fast_2_ways_lps" in metrics and "ub_pipe_fast_2_ways_lps_x4" in metrics


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "here: found '' first; allowed: a report of UnixBench"),
        (UNIXBENCH.replace("5.1.3", "4.1.0"), "here: found version 4.1.0; allowed: 5 or 6"),
        (
            UNIXBENCH[: UNIXBENCH.index("System Benchmarks")],
            "here: is cut: found 'System Call Overhead",
        ),
        (UNIXBENCH[: UNIXBENCH.rindex("System Benchmarks Partial")], "is cut: found 'Pipe Thr"),
        (UNIXBENCH[: UNIXBENCH.index("Benchmark Run")], "is cut: found '-----"),
        (UNIXBENCH.replace("samples)", "times)"), "found no values of a run; allowed"),
    ],
)
def test_refusals(text: str, told: str) -> None:
    with pytest.raises(ProgramTextError) as error:
        unixbench.parse(text, "here")
    assert told in str(error.value)
