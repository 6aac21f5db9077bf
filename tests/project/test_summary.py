# SPDX-License-Identifier: BSD-3-Clause
"""docs/results/summary.md: each number is that of a table of results/locked."""

import re
from collections.abc import Mapping

import pandas as pd
import pytest

from osgap.base.paths import project_root

LOCKED = project_root() / "results" / "locked"
PAGE = project_root() / "docs" / "results" / "summary.md"
_LAYOUTS = "layouts/five-layouts/rvsim/tables/layouts.csv"
_END = {"quantity": "R", "clock_mhz": 640}
_MEAN = {"quantity": "mean_R", "clock_mhz": 640, "set": "figure1"}
_INTERVAL = ("{:.2f} [{:.2f}, {:.2f}]", ["estimate", "low", "high"])


def _share(of: str) -> tuple[str, list[str]]:
    return "{:.2f} [{:.2f}, {:.2f}]", [f"{of}_share", f"{of}_share_low", f"{of}_share_high"]


def _error(of: str) -> tuple[str, list[str]]:
    return "{:.2f} [{:.2f}, {:.2f}]", [of, f"{of}_low", f"{of}_high"]


_SKILL = {"rows": "figure1", "scale": "own", "table": "all"}
_APART = "paper/causes/tables/shares.csv"
Row = tuple[str, str, Mapping[str, object], tuple[str, list[str]]]
SENTENCES: list[Row] = [
    ("mean R of eight benchmarks falls to {}", _LAYOUTS, {**_MEAN, "series": "fixed"}, _INTERVAL),
    (
        "With memory as much faster, the mean R is {}",
        _LAYOUTS,
        {**_MEAN, "series": "memory"},
        _INTERVAL,
    ),
    (
        "With the disk as much faster instead, the mean R is {}",
        _LAYOUTS,
        {**_MEAN, "series": "disk"},
        _INTERVAL,
    ),
    (
        "On gem5 the mean R with a faster processor alone is {}",
        _LAYOUTS.replace("rvsim", "gem5"),
        {**_MEAN, "series": "fixed"},
        _INTERVAL,
    ),
    (
        "the R of getpid is {}",
        _LAYOUTS,
        {**_END, "series": "fixed", "benchmark": "getpid"},
        ("{:.2f}", ["estimate"]),
    ),
    (
        "A context switch falls to {}",
        _LAYOUTS,
        {**_END, "series": "fixed", "benchmark": "cswitch"},
        _INTERVAL,
    ),
    (
        "Reading a cached file falls to {}",
        _LAYOUTS,
        {**_END, "series": "fixed", "benchmark": "read", "fs": "unix"},
        _INTERVAL,
    ),
    (
        "The mean R on rvsim, simulated by printed, is {}",
        "paper/fitted/tables/agreement.csv",
        {"engine": "rvsim", "table": "all"},
        ("{:.2f} [{:.2f}, {:.2f}]", ["ratio", "ratio_low", "ratio_high"]),
    ),
    (
        "A cell is off by a median factor of {}",
        "paper/fitted/tables/skill.csv",
        {**_SKILL, "model": "rvsim"},
        _error("cell_median_factor"),
    ),
    (
        "The skill of rvsim is {}",
        "paper/fitted/tables/skill.csv",
        {**_SKILL, "model": "rvsim"},
        _error("cell_skill"),
    ),
    (
        "With these added, the skill is {} on rvsim",
        "paper/period/tables/skill.csv",
        {**_SKILL, "model": "rvsim_period"},
        _error("cell_skill"),
    ),
    (
        "With these added, the skill on gem5 is {}",
        "paper/period/tables/skill.csv",
        {**_SKILL, "model": "gem5_period"},
        _error("cell_skill"),
    ),
    (
        "knows the same facts has a skill of {}",
        "paper/period/tables/skill.csv",
        {**_SKILL, "model": "informed_null"},
        _error("cell_skill"),
    ),
    (
        "skill over it is {} on rvsim, which may be nothing",
        "paper/period/tables/skill.csv",
        {**_SKILL, "model": "rvsim_period"},
        _error("cell_skill_informed"),
    ),
    (
        "which may be nothing, and {} on gem5",
        "paper/period/tables/skill.csv",
        {**_SKILL, "model": "gem5_period"},
        _error("cell_skill_informed"),
    ),
    (
        "The disk explains {} of synchronous file creation's loss",
        _APART,
        {"engine": "rvsim", "benchmark": "create_delete_0", "fs": "unix"},
        _share("disk"),
    ),
    (
        "Memory explains {} of reading's loss on rvsim",
        _APART,
        {"engine": "rvsim", "benchmark": "read", "fs": "unix"},
        _share("memory"),
    ),
    (
        "On gem5 memory explains {} of it",
        _APART,
        {"engine": "gem5", "benchmark": "read", "fs": "unix"},
        _share("memory"),
    ),
    (
        "kernel entry explains {} of getpid's loss (rvsim)",
        "paper/period/tables/entry.csv",
        {"engine": "rvsim", "machine": "all", "benchmark": "getpid"},
        _error("share"),
    ),
    (
        "context switch's loss is open: {} on rvsim",
        _APART,
        {"engine": "rvsim", "benchmark": "cswitch"},
        _share("memory"),
    ),
    (
        "on rvsim, and {} on gem5",
        _APART,
        {"engine": "gem5", "benchmark": "cswitch"},
        _share("memory"),
    ),
    (
        "of 1996 end at a mean R of {} with",
        "publications/suites/rvsim/tables/geomean.csv",
        {"set": "mcvoy", "series": "fixed", "clock_mhz": 640},
        ("{:.2f}", ["geomean"]),
    ),
    (
        "of 1990 end at {}",
        "publications/suites/rvsim/tables/geomean.csv",
        {"set": "byte", "series": "fixed", "clock_mhz": 640},
        ("{:.2f}", ["geomean"]),
    ),
    (
        "do the work of {} without a lock",
        "publications/kennaway/tables/concurrency.csv",
        {
            "engine": "gem5",
            "fs": "tmpfs",
            "clock_mhz": 80,
            "harts": 12,
            "copies": 12,
            "lock": "none",
        },
        ("{:.2f}", ["concurrency"]),
    ),
    (
        "and of {} with one (gem5, tmpfs)",
        "publications/kennaway/tables/concurrency.csv",
        {
            "engine": "gem5",
            "fs": "tmpfs",
            "clock_mhz": 80,
            "harts": 12,
            "copies": 12,
            "lock": "giant",
        },
        ("{:.2f}", ["concurrency"]),
    ),
    (
        "({} at 1280 MHz)",
        "publications/kennaway-causes/tables/concurrency.csv",
        {"machine": "smp-12", "clock_mhz": 1280, "lock": "none"},
        ("{:.2f}", ["concurrency"]),
    ),
    (
        "takes {} times as long as printed on rvsim",
        "paper/fitted/tables/remote_skill.csv",
        {"engine": "rvsim", "quantity": "time", "table": "9", "model": "rvsim"},
        _error("ratio"),
    ),
    (
        "as printed on rvsim, and {} on gem5",
        "paper/fitted/tables/remote_skill.csv",
        {"engine": "gem5", "quantity": "time", "table": "9", "model": "gem5"},
        _error("ratio"),
    ),
    (
        "take {} times as long on rvsim as other people measured",
        "boards/comparison/tables/board_summary.csv",
        {
            "board": "all",
            "engine": "rvsim",
            "image": "distro",
            "against": "measured",
            "role": "prediction",
        },
        _error("ratio"),
    ),
]


def read_page() -> str:
    return " ".join(PAGE.read_text(encoding="utf-8").split())


def sentence(
    text: str, table: str, keys: Mapping[str, object], values: tuple[str, list[str]]
) -> str:
    """The sentence with the numbers of the only row that has these keys."""
    rows = pd.read_csv(LOCKED / table, dtype={"table": str}, keep_default_na=False)
    for column, value in keys.items():
        rows = rows[rows[column] == value]
    assert len(rows) == 1, f"{table}: {len(rows)} rows with {keys}"
    form, columns = values
    return text.format(form.format(*(float(rows.iloc[0][column]) for column in columns)))


@pytest.mark.parametrize("row", SENTENCES, ids=lambda row: row[0][:40])
def test_each_number_is_that_of_the_table(row: Row) -> None:
    assert sentence(*row) in read_page()


def test_every_number_with_decimals_is_compared() -> None:
    compared = " ".join(sentence(*row) for row in SENTENCES)
    numbers = set(re.findall(r"-?\d+\.\d+", read_page()))
    assert numbers - set(re.findall(r"-?\d+\.\d+", compared)) == set()


def test_it_is_one_screen() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) < 65
    assert len(read_page().split()) < 600


def test_a_machines_mean_is_not_nearer_than_the_informed_null_models() -> None:
    skill = pd.read_csv(LOCKED / "paper/period" / "tables" / "skill.csv")
    rows = skill[(skill["rows"] == "figure1") & (skill["scale"] == "own")]
    errors = rows[rows["table"] == "all"].set_index("model")["machine_log_error"]
    assert min(errors["rvsim_period"], errors["gem5_period"]) > errors["informed_null"]
