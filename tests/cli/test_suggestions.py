# SPDX-License-Identifier: BSD-3-Clause
"""A near miss gets a suggestion that names what was typed."""

from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main

LAB = "results/locked/lab/three-clocks"
MISSES = {
    "analyze results/locked/curve/defualt": "results/locked/curve/defualt: no such "
    "directory; did you mean results/locked/curve/default?",
    "report results/locked/curve/defualt": "osgap report: results/locked/curve/defualt: no "
    "such directory; did you mean results/locked/curve/default?",
    "plot results/locked/curve/defualt": "plot: results/locked/curve/defualt: no such directory",
    "status results/locked/curve/defualt": "status: results/locked/curve/defualt: no such",
    "compare results/locked/curve/gem5 results/locked/curve/defualt": "curve/defualt: no such",
    "sweep --cpu-mghz 20": "osgap sweep: unrecognized arguments: --cpu-mghz 20; did you mean "
    "--cpu-mhz? (see osgap sweep --help)",
    "sweep --machine=base --dryrun": "did you mean --dry-run or --run? (see osgap sweep --help)",
    "analyse": "there is no subcommand 'analyse'; did you mean analyze? (see osgap --help)",
    "list machine": "found 'machine'; did you mean machines or machine-keys? allowed: mach",
    "sweep --cpu-mhz 20GHz": "--cpu-mhz: found '20GHz'; allowed: a number of MHz, such as 20,80 "
    "(20GHz is 20000)",
    "sweep --cpu-mhz fast": "--cpu-mhz: found 'fast'; allowed: a number of MHz, such as 20,80 (see",
    f"analyze {LAB} --table relativ": "--table: there is no table 'relativ'; did you mean relative?"
    " (osgap list tables shows all)",
    f"analyze {LAB} --format jsn": "--format: found 'jsn'; did you mean json? allowed: text, csv",
    "sweep --machine bas --dry-run": "--machine: there is no machine 'bas'; did you mean base? "
    "(osgap list machines shows all)",
    f"predict {LAB} --machine bas": "--machine: there is no machine 'bas'; did you mean base? (osg",
    f"predict {LAB} --table mean": "--table: found 'mean'; did you mean means? allowed: predicted",
    "sweep --cpu-mhz 0 --dry-run": "sweep: --cpu-mhz: found 0; allowed: a number from 0.01 to 1",
    f"predict {LAB} --cpu-mhz 0": "predict: --cpu-mhz: found 0; allowed: a number from 0.01 to",
    "sweep --fs unx --dry-run": "sweep: --fs: found ['unx']; allowed: unix, sprite, nfs, afs, dis",
    "sweep --variant mussl --dry-run": "--variant: there is no variant 'mussl'; did you mean musl?",
    "sweep --engine gem --dry-run": "--engine: there is no engine 'gem'; did you mean gem5? (osgap",
    "sweep --latency-ns 50us": "--latency-ns: found '50us'; allowed: a number, or a multiple such",
    "sweep --run ousterhout/getpd --dry-run": "did you mean ousterhout/getpid",
    "sweep --sweep defalt": "there is no sweep 'defalt'; did you mean default? (osgap list sweeps",
    f"plot {LAB} --figure scalling": "there is no figure 'scalling'; did you mean scaling? (osgap",
    "suite hohmut": "there is no suite 'hohmut'; did you mean hohmuth? (osgap list suites shows",
    "ministat README.md": "README.md",
}


@pytest.mark.parametrize("typed", MISSES)
def test_a_near_miss_has_a_suggestion(
    typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project_root())
    try:
        status = main(typed.split())
    except SystemExit as ended:
        status = int(str(ended.code))
    (line,) = [line for line in capsys.readouterr().err.splitlines() if not line[:2].isdigit()]
    assert status == 2 and MISSES[typed] in line
    assert line.startswith("osgap") and len(line) < 400


def test_a_path_is_shown_as_it_was_typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "runs" / "first").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for typed in ("runs/frst", str(tmp_path / "runs" / "frst")):
        assert main(["status", typed]) == 2
        near = typed.replace("frst", "first")
        assert f": {typed}: no such directory; did you mean {near}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "typed",
    [
        "analyze none",
        "analyze --stats none",
        "compare none none",
        "kennaway none",
        "lock none",
        "native --scratch none",
        "paper rvsim=none",
        "plot none",
        "predict none",
        "replay none",
        "report none",
        "report --stats none",
        "resume none",
        "show none",
        "site none",
        "status none",
        "suite hohmuth none",
    ],
)
def test_a_missing_path_is_called_missing(
    typed: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nnone").mkdir()
    assert main(typed.split()) == 2
    kind = "file or directory" if "--stats" in typed else "directory"
    assert capsys.readouterr().err.endswith(f"none: no such {kind}; did you mean nnone?\n")
