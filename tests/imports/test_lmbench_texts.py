# SPDX-License-Identifier: BSD-3-Clause
"""lmbench's results and its summary: each value under its metric, and refusals."""

import pytest
from foreign_texts import LMBENCH, lmbench_summary

from osgap.imports import lmbench
from osgap.imports.program_text import ProgramText, ProgramTextError


def values(text: ProgramText) -> dict[str, float]:
    return {reading.metric: reading.value for reading in text.readings}


def test_results_have_the_values_that_the_summary_takes() -> None:
    found = values(lmbench.parse(LMBENCH, "here"))
    assert found == {
        "null_syscall_us": 0.25,
        "syscall_read_us": 0.4,
        "syscall_write_us": 0.5,
        "stat_us": 2.5,
        "select_100fd_us": 8.0,
        "sig_install_us": 0.6,
        "sig_handler_us": 4.0,
        "prot_fault_us": 0.3,
        "pipe_lat_us": 16.0,
        "fork_exit_us": 640.0,
        "integer_add_ns": 0.8,
        "file_write_KBps": 20000.0,
        "page_fault_us": 1.25,
        "mmap_lat_us": 3200.0,
        "create_0k_us": 50.0,
        "delete_0k_us": 25.0,
        "create_10k_us": 200.0,
        "delete_10k_us": 80.0,
        "udp_lat_us": 40.0,
        "tcp_conn_us": 125.0,
        "bw_tcp_MBps": 400.0,
        "bw_pipe_MBps": 500.0,
        "bcopy_libc_MBps": 800.0,
        "mem_read_MBps": 1000.0,
        "ctx_2p0k_us": 8.0,
        "ctx_8p0k_us": 9.0,
        "ctx_96p0k_us": 11.0,
        "ctx_2p16k_us": 10.0,
        "ctx_16p16k_us": 12.5,
        "l1_ns": 2.4,
        "l2_ns": 16.0,
        "mem_ns": 120.0,
        "mem_rand_ns": 200.0,
    }


def test_results_tell_of_the_machine() -> None:
    subject = lmbench.parse(LMBENCH, "here").subject
    assert (subject.clock_mhz, subject.is_clock_measured) == (1250.0, True)
    assert (subject.kernel, subject.architecture) == ("Linux 6.1.0-7", "riscv64")
    assert (subject.board, subject.processor) == ("Example board", "")
    assert subject.date == "Mon Jan  2 11:22:33 UTC 2023".replace("  ", " ")


def test_a_summary_has_a_value_for_each_column() -> None:
    text = lmbench.parse(lmbench_summary("one"), "here")
    found = values(text)
    assert found["null_syscall_us"] == 0.25 and found["sig_handler_us"] == 4.0
    # Print cuts these to four characters.
    assert found["fork_exit_us"] == 640.0 and found["fork_sh_us"] == 12000.0
    assert [found[name] for name in ("l1_ns", "l2_ns", "mem_ns", "mem_rand_ns")] == [
        2.4,
        16.0,
        120.0,
        200.0,
    ]
    assert len(found) == 14 and text.subject.clock_mhz == 1250.0


def test_missing_cells_shift_no_other() -> None:
    found = values(lmbench.parse(lmbench_summary("two"), "here"))
    assert "open_close_us" not in found and "select_tcp_us" not in found
    assert found["stat_us"] == 5.0 and found["sig_install_us"] == 1.2


def test_a_row_without_its_blanks_is_read_by_words() -> None:
    text = lmbench_summary("one").replace("one       Linux", "one Linux")
    assert values(lmbench.parse(text, "here")) == values(
        lmbench.parse(lmbench_summary("one"), "here")
    )


def test_one_of_several_hosts_is_taken() -> None:
    text = lmbench_summary("one", "two")
    assert values(lmbench.parse(text, "here", "two"))["null_syscall_us"] == 0.5
    with pytest.raises(ProgramTextError) as error:
        lmbench.parse(text, "here")
    assert str(error.value) == "here: --host: found several; allowed: --host one or --host two"
    with pytest.raises(ProgramTextError, match="--host: found 'three'; allowed"):
        lmbench.parse(text, "here", "three")


def test_repeats_of_a_host_are_values_of_one_metric() -> None:
    text = lmbench.parse(lmbench_summary("one", "one"), "here")
    assert [r.value for r in text.readings if r.metric == "l1_ns"] == [2.4, 2.4]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "here: found '' first; allowed: a file of lmbench 3's results"),
        ("hello\n", "found 'hello' first; allowed"),
        (LMBENCH.replace("lmbench3.0", "lmbench2.0"), "found lmbench 2; allowed: lmbench 3"),
        (LMBENCH[: LMBENCH.index("Pipe latency")], "is cut: found 'Protection fault: 0.3000"),
        (LMBENCH.rpartition("[")[0], "is cut: found '64.00000 200.000' as its last line"),
        ("[lmbench3.0 results for x]\n[Mon 2023]\n[Mon 2023]\n", "found no value; allowed"),
        (
            lmbench_summary("one").replace("0.25 0.45", "0.25 0,45"),
            "allowed: a row of 'Processor, Processes': a host, its system, and 11 values",
        ),
        (lmbench_summary(), "found no row of a table; allowed: one or more"),
    ],
)
def test_refusals(text: str, told: str) -> None:
    with pytest.raises(ProgramTextError) as error:
        lmbench.parse(text, "here")
    assert told in str(error.value) and str(error.value).startswith("here:")


def test_a_host_is_refused_beside_results() -> None:
    with pytest.raises(ProgramTextError, match="--host: found with a file of results"):
        lmbench.parse(LMBENCH, "here", "one")
