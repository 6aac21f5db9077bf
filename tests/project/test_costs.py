# SPDX-License-Identifier: BSD-3-Clause
"""The rows of tools/costs.py, with a stand-in for the timed commands."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools import costs

SAID = """23:59:30 Building the guest image
23:59:31   KERNEL build/kernel/kernel.json
a line of somebody else's
00:02:11 quick: 5 of 5 points to run, 2 at a time
"""


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], Mapping[str, str]]]:
    """The commands that would have been timed, each with its environment."""
    found: list[tuple[list[str], Mapping[str, str]]] = []

    def timed(command: list[str], variables: Mapping[str, str] | None = None) -> tuple[float, str]:
        found.append((command, variables or {}))
        return 240.0, SAID

    monkeypatch.setattr(costs, "_timed", timed)
    return found


def test_a_stage_lasts_until_the_next_one_over_midnight_too() -> None:
    assert costs.stage_seconds(SAID, 240.0) == [
        ("Building the guest image", 1),
        ("  KERNEL build/kernel/kernel.json", 160),
        ("quick: 5 of 5 points to run, 2 at a time", 79),
    ]
    assert costs.stage_seconds("nothing", 1.0) == []


@pytest.mark.parametrize(
    ("level", "option", "limits"),
    [
        ("quick", [], ["", "under 1 min"]),
        ("usual", [], ["under 12 min", "under 6 min"]),
        ("all", ["--all"], ["under 40 min", "under 30 min"]),
    ],
)
def test_the_tests_are_timed_cold_and_warm(
    commands, level: str, option: list[str], limits: list[str]
) -> None:
    rows = list(costs.tests(level))
    assert [row.limit for row in rows] == limits
    assert [row.measured for row in rows] == ["4.0 min", "4.0 min"]
    (clone, _), (cold, first), (warm, second) = commands
    assert clone[:3] == ["git", "clone", "-q"] and cold == warm
    assert cold[2:] == (["--quick"] if level == "quick" else option)
    # One cache, which is new, so that the second time it is warm.
    assert first["OSGAP_CACHE"] == second["OSGAP_CACHE"] != os.environ.get("OSGAP_CACHE")


@pytest.mark.parametrize(("kind", "option"), [("quick", ["--quick"]), ("default", [])])
def test_a_study_is_timed_with_its_stages(commands, kind: str, option: list[str]) -> None:
    rows = list(costs.study(kind))
    assert rows[0].measured == "4.0 min" and commands[1][0][2:] == option
    assert rows[1].cost == "of it: Building the guest image"
    table = list(costs.markdown(iter(rows)))
    assert table[0].startswith("| cost |") and len(table) == len(rows) + 2


def test_a_command_that_fails_is_a_sentence(tmp_path: Path) -> None:
    spent, said = costs._timed(["sh", "-c", "echo a >&2"])
    assert 0 < spent < 60 and said == "a\n"
    with pytest.raises(costs.CostsError, match=r"^sh ended with status 3: b$"):
        costs._timed(["sh", "-c", "echo b >&2; exit 3"])
