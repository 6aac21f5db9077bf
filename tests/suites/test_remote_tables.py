# SPDX-License-Identifier: BSD-3-Clause
"""The papers' rows of files on a server: which cells, what the null models say, what R is of."""

import io
from pathlib import Path

import pandas as pd
import pytest
from shared import Once
from sweeping import finished

from osgap.analysis.reference import load_reference
from osgap.cli import paper
from osgap.cli.main import main, parser
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.ousterhout.published import Paper
from osgap.suites.ousterhout.remote import file_system, remote_tables
from osgap.suites.ousterhout.remotecounts import Counts, composites, counted
from osgap.suites.ousterhout.remotenull import call_instructions, informed_value, null_value

PAPER = Paper(load_reference("ousterhout_tables"), 1990)
FOO = ("open_close_foo", "ms", "MVAX2", "Ultrix 3.0")


@pytest.fixture(scope="session")
def runs(once: Once) -> Path:
    """The MicroVAX II and the DECstation 3100 with NFS, on the engine that computes."""
    words = ("--sweep", "remote-nfs", "--machine", "paper/MVAX2,paper/DS3100")
    return once.made("remote-runs", lambda run: finished(run, *words))


@pytest.fixture(scope="module")
def table(runs: Path) -> pd.DataFrame:
    return remote_tables({"fake": runs})["remote"]


def test_the_papers_have_93_and_43_remote_cells(runs: Path) -> None:
    """With the penalties of Table 8, and the R that the tables print but are no measurements."""
    tables = {year: remote_tables({"fake": runs}, year) for year in (1989, 1990)}
    cells, penalties = (
        {year: len(both[name]) for year, both in tables.items()} for name in ("remote", "penalties")
    )
    assert (cells, penalties) == ({1989: 43, 1990: 93}, {1989: 6, 1990: 11})


@pytest.mark.parametrize(
    ("variant", "os", "fs"),
    [
        ("nfs", "Ultrix 3.1", "nfs"),
        ("afs", "Mach 2.5", "afs"),
        ("diskless", "Sprite", "diskless"),
        ("remote", "Sprite", "diskless"),
        ("remote", "SunOS 4.0", "nfs"),
    ],
)
def test_each_system_has_its_protocol(variant: str, os: str, fs: str) -> None:
    assert file_system(variant, os) == fs


def test_r_is_against_the_references_remote_files(table: pd.DataFrame) -> None:
    own = table[(table["machine"] == "MVAX2") & (table["metric"] == "create_delete_0k")].iloc[0]
    for name in ("paper", "simulated", "null", "informed"):
        assert own[f"relative_{name}"] == pytest.approx(1)
    other = table[
        (table["machine"] == "DS3100")
        & (table["os"] == "Ultrix 3.1")
        & (table["metric"] == "create_delete_0k")
    ].iloc[0]
    assert other["relative_paper"] == pytest.approx(295 / 116 / (12 / 0.9))
    faster = own["simulated"] / other["simulated"]
    assert other["relative_simulated"] == pytest.approx(faster / (12 / 0.9))


def test_a_machine_without_runs_has_its_printed_cells_alone(table: pd.DataFrame) -> None:
    rows = table[table["machine"] == "SS1"]
    assert rows["paper"].notna().all()
    assert rows[["simulated", "null", "informed", "messages"]].isna().all(axis=None)


def test_counts_are_of_one_operation(runs: Path) -> None:
    counts = counted(load_runs([runs]))
    # 3 calls, and of each two frames of 150 bytes, by the engine; 24 more on the wire.
    assert counts["DS3100", "create_delete_0", "nfs"] == Counts(3, 3 * 2 * (150 + 24), 0)
    assert counts["DS3100", "create_delete_0", "unix"] == Counts()
    assert not [name for _, name, _ in counts if name == "empty_loop"]


def test_counts_of_a_phase_that_consists_of_others_are_their_sums() -> None:
    phases = ("makedir", "copy", "scandir", "readall", "make")
    counts = {("Sun3", f"andrew_{name}", "nfs"): Counts(1, 10, 2) for name in phases}
    assert composites(counts)["Sun3", "andrew_total", "nfs"] == Counts(5, 50, 10)
    assert composites(counts)["Sun3", "andrew_copyphases", "nfs"] == Counts(4, 40, 8)
    del counts["Sun3", "andrew_make", "nfs"]
    assert ("Sun3", "andrew_total", "nfs") not in composites(counts)


def test_the_null_model_opens_by_mips_and_the_wire() -> None:
    counts = Counts(messages=1, wire_bytes=1250, writes=0)
    assert null_value(PAPER, *FOO, counts, Counts()) == pytest.approx(2.9 + 1.0)
    faster = null_value(PAPER, "open_close_foo", "ms", "DS3100", "Ultrix 3.1", counts, Counts())
    assert faster == pytest.approx(2.9 * 0.9 / 12 + 1.0)


def test_the_null_model_creates_by_the_wire_and_the_disks_turns() -> None:
    counts = Counts(messages=4, wire_bytes=2500, writes=5)
    value = null_value(PAPER, "create_delete_0k", "ms", "MVAX2", "Ultrix 3.0", counts, Counts())
    assert value == pytest.approx(2.0 + 5 * 60e3 / 3600)


def test_the_null_model_of_andrew_adds_what_the_server_writes_more() -> None:
    local, remote = Counts(writes=100), Counts(messages=10, wire_bytes=12500, writes=160)
    value = null_value(PAPER, "andrew_total", "s", "MVAX2", "Ultrix 3.0", remote, local)
    assert value == pytest.approx(1416 + 5 * 0.01 + 5 * 60 * 60 / 3600)
    fewer = null_value(PAPER, "andrew_total", "s", "MVAX2", "Ultrix 3.0", local, remote)
    assert fewer == pytest.approx(1416)


def test_a_call_costs_what_the_references_printed_times_leave() -> None:
    assert call_instructions(PAPER) == pytest.approx((36.0 - 2.9) * 900)
    earlier = Paper(load_reference("ousterhout_tables"), 1989)
    assert call_instructions(earlier) == pytest.approx((36.0 - 2.9) * 900)
    counts = Counts(messages=2)
    assert informed_value(PAPER, *FOO[:3], 5.0, counts) == pytest.approx(5.0 + 2 * 33.1)


def test_penalties_are_of_andrews_total(runs: Path) -> None:
    rows = remote_tables({"fake": runs})["penalties"].set_index(["machine", "os"])
    assert rows.loc[("MVAX2", "Ultrix 3.0"), "paper"] == 21
    assert rows.loc[("DS3100", "Sprite"), "fs"] == "diskless"
    assert rows["simulated"].isna().all()  # the engine has no Andrew


def test_without_runs_it_says_of_which_sweep() -> None:
    with pytest.raises(ResultsError, match="remote: no runs; allowed: ENGINE=DIR of sweep remote-"):
        remote_tables({})


def test_the_command_prints_and_writes_them(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["paper", "--table", "remote", "--table", "penalties", "--remote", f"fake={runs}"]
    assert main([*words, "--no-pager"]) == 0
    assert "Table 8: what a server adds" in capsys.readouterr().out
    assert main([*words[:3], *words[5:], "--format", "csv"]) == 0
    assert len(pd.read_csv(io.StringIO(capsys.readouterr().out))) == 93
    assert main(["paper", "--table", "skill", "--remote", f"fake={runs}"]) == 2
    assert "--remote: found with skill; allowed: with --table remote or penalties" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(("year", "machines"), [("1990", 1), ("1989", 2)])
def test_the_command_prints_skill_and_claims_of_either_paper(
    runs: Path, capsys: pytest.CaptureFixture[str], year: str, machines: int
) -> None:
    words = ["paper", "--year", year, "--remote", f"fake={runs}", "--format", "csv", "--table"]
    assert main([*words, "remote_skill"]) == 0
    skill = pd.read_csv(io.StringIO(capsys.readouterr().out))
    times = skill[(skill["quantity"] == "time") & (skill["table"] == "all")].set_index("model")
    # The engine creates empty files alone: two systems of 1990's DECstation, one of two machines.
    assert set(times["cells"]) == {2} and set(times["machines"]) == {machines}
    assert times.loc["fake", "cell_log_error"] > 0
    assert main([*words, "remote_claims"]) == 0
    claims = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert claims["claim"].nunique() == (8 if year == "1990" else 7)


@pytest.mark.parametrize("year", ["1990", "1989"])
def test_where_no_table_is_named_those_of_runs_are_printed_too(runs: Path, year: str) -> None:
    for words, is_printed in (([], False), (["--remote", f"fake={runs}"], True)):
        args = parser().parse_args(["paper", "fake=nowhere", "--year", year, *words])
        assert (set(paper.REMOTE_NAMES) <= set(paper._names(args))) is is_printed
