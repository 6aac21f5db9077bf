# SPDX-License-Identifier: BSD-3-Clause
"""A number that was typed, or that gem5 printed, is shown as it is; help has no doubled sign."""

from pathlib import Path

import pytest

from osgap.cli.main import SUBCOMMANDS, main

STATISTICS = """
---------- Begin Simulation Statistics ----------
simSeconds                                   0.100000                       # Seconds (Second)
system.cpu.cpi                                   1.50                       # CPI
system.cpu.tiny                                 1e-07                       # small

---------- End Simulation Statistics   ----------
"""


@pytest.mark.parametrize("command", ["", *SUBCOMMANDS])
def test_help_has_single_signs_of_per_cent(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    shown = capsys.readouterr().out
    assert "%%" not in shown and "%(" not in shown
    assert command != "sweep" or "--tolerance N% " in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("sweep --dry-run --cpu-mhz 0.00", "--cpu-mhz: found 0.00;"),
        ("sweep --dry-run --cpu-mhz 20.0,20", "--cpu-mhz: found [20.0, 20];"),
        ("sweep --dry-run --latency-ns 1e9", "--latency-ns: found 1e9;"),
        ("sweep --dry-run --timeout 0.0000", "--timeout: found 0.0000;"),
        ("sweep --dry-run --memory-limit 007", "--memory-limit: found 007;"),
        ("native --cpu 00999", "--cpu: found 00999;"),
    ],
)
def test_an_error_shows_a_number_as_it_was_typed(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], "stats.txt,0,0.100000,1.50,1e-07\n"),
        (["--format", "json"], '"simSeconds": 0.100000,\n  "system.cpu.cpi": 1.50,\n'),
    ],
)
def test_statistics_are_shown_as_gem5_printed_them(
    words: list[str], printed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "stats.txt").write_text(STATISTICS)
    assert main(["analyze", "--stats", str(tmp_path), "--select", ".", *words]) == 0
    assert printed in capsys.readouterr().out
    assert main(["analyze", "--stats", *[str(tmp_path)] * 2, "--select", "cpi", *words]) == 0
    assert capsys.readouterr().out.count("1.50") == 2
