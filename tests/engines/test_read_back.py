# SPDX-License-Identifier: BSD-3-Clause
"""What engines read back from simulators: damaged numbers and rows are refused before a point is
done, whatever is accepted can be computed with."""

import io
import math
import time
from pathlib import Path

import pytest
from examples import examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_rvsim_stats import Raw, _hart, _system

from osgap.base.errors import OsgapError
from osgap.engines.contract import EngineError, stats_text
from osgap.engines.gem5 import read_stats
from osgap.engines.rvsim_stats import region_stats
from osgap.gem5stats import gem5text, names
from osgap.gem5stats.figures import figures
from osgap.gem5stats.gem5text import LONGEST_LINE, StatsFormatError, parse

ROWS = {
    "simSeconds": "0.000057",
    "simTicks": "57467000",
    "simFreq": "1000000000000",
    "simInsts": "5712",
    "board.clk_domain.clock": "1000",
    "hostSeconds": "1.5",
    "board.processor.cores.core.numCycles": "57467",
    "board.processor.cores.core.commitStats0.numInsts": "5712",
    "board.processor.cores.core.exec_context.thread_0.numIdleCycles": "40",
    "board.cache_hierarchy.l1icache.overallMissLatency::total": "20",
    "board.memory.module.bytesRead::total": "640",
}
NEEDED = (
    "simFreq",
    "board.clk_domain.clock",
    "board.processor.cores.core.numCycles",
    "board.processor.cores.core.commitStats0.numInsts",
)
NUMBERS = st.sampled_from(
    [
        "nan",
        "inf",
        "-inf",
        "0",
        "-1",
        "-0.0",
        "1e999",
        "1" * 400,
        "9" * 5000,
        "",
        "x",
        "1 2 3 4",
        "5e-324",
        "1e308",
        "1" * (2 * LONGEST_LINE),
        "12%",
        "| 3 | 4",
        "\x1b[2J",
        "true",
        "²",
    ]
)


def text(dumps: list[dict[str, str]]) -> str:
    """A stats.txt as gem5 leaves it."""
    return "".join(
        f"\n{gem5text.BEGIN}\n"
        + "".join(f"{name:<40} {value:>12} # of it (Count)\n" for name, value in dump.items())
        + f"\n{gem5text.END}\n"
        for dump in dumps
    )


def read(directory: Path, content: str, regions: int = 2) -> str:
    file = directory / "stats.txt"
    file.write_text(content, encoding="utf-8")
    return read_stats(file, regions)


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(ROWS)),
    value=NUMBERS,
    dump=st.integers(0, 1),
    how=st.sampled_from(["replace", "drop", "repeat", "rename"]),
)
@example(name="simFreq", value="0", dump=0, how="replace")
def test_a_damaged_dump_of_gem5s_is_named_or_can_be_computed_with(
    tmp_path: Path, name: str, value: str, dump: int, how: str
) -> None:
    dumps = [dict(ROWS), dict(ROWS), dict(ROWS)]
    if how == "drop":
        del dumps[dump][name]
    elif how == "rename":
        dumps[dump][name + value] = dumps[dump].pop(name)
    else:
        dumps[dump][name if how == "replace" else f"{name} 1\n{name}"] = value
    try:
        kept = read(tmp_path, text(dumps))
    except OsgapError as error:
        assert len(str(error)) < 700 and str(error).isprintable() and "stats.txt:" in str(error)
        return
    for one in parse(kept.splitlines(), "kept"):
        found = figures(one.scalars(), "kept")
        assert all(math.isfinite(found[column]) for column in names.REQUIRED)
        assert not any(math.isinf(number) for number in found.values())
        assert math.isfinite(found["cycles"] * found["clock_ticks"] / found["sim_freq"])


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("value", ["nan", "inf", "-1", None])
def test_a_figure_that_must_be_there_is_asked_for(
    tmp_path: Path, name: str, value: str | None
) -> None:
    rows = {key: number for key, number in ROWS.items() if key != name}
    if name.endswith("numInsts"):
        rows.pop("simInsts")
    wrong = rows if value is None else {**rows, name: value}
    with pytest.raises(OsgapError, match=r"stats\.txt:\d+: ") as caught:
        read(tmp_path, text([ROWS, wrong, ROWS]))
    told = "the dump has no" if value is None else f"found {value}"
    assert told in str(caught.value)


@pytest.mark.parametrize("dumps", [0, 1, 2, 4])
def test_another_number_of_dumps_is_told(tmp_path: Path, dumps: int) -> None:
    with pytest.raises(EngineError, match=rf"name 2 regions, gem5 dumped {dumps - 1}"):
        read(tmp_path, text([ROWS] * dumps))


def test_statistics_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "stats.txt").write_bytes(b"\xff\xfe" * 100)
    with pytest.raises(EngineError, match="gem5 left no statistics"):
        read_stats(tmp_path / "stats.txt", 1)


@pytest.mark.parametrize("start", ["simSeconds ", "x" * 99, f"{gem5text.BEGIN}", " ", "#"])
def test_a_line_of_any_length_is_read_in_linear_time(start: str) -> None:
    line = (start * (100 * LONGEST_LINE // len(start)))[: 100 * LONGEST_LINE]
    began = time.process_time()
    with pytest.raises(StatsFormatError, match="which goes on") as caught:
        list(parse(io.StringIO(f"{gem5text.BEGIN}\n{line}"), "stats.txt"))
    assert time.process_time() - began < 1 and len(str(caught.value)) < 400


RVSIM = _hart(0, 200, 300)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("path", sorted(RVSIM))
def test_a_number_of_rvsims_that_is_none_is_named(path: str, value: float) -> None:
    with pytest.raises(EngineError, match="allowed: a finite number") as caught:
        region_stats(Raw({**RVSIM, path: value}), _system(1))
    assert path in str(caught.value)


@pytest.mark.parametrize("path", sorted(RVSIM))
def test_a_number_that_rvsim_lacks_is_named(path: str) -> None:
    rest = {key: value for key, value in RVSIM.items() if key != path}
    try:
        found = region_stats(Raw(rest), _system(1))
    except EngineError as error:
        assert str(error) == f"rvsim's statistics have no {path!r}"
    else:
        assert found == {
            key: value
            for key, value in region_stats(Raw(RVSIM), _system(1)).items()
            if key != f"rvsim.{path}"
        }


def test_a_number_that_rvsim_has_twice_is_named() -> None:
    class Twice(Raw):
        def query(self, pattern: str) -> list[tuple[str, float]]:
            return [*super().query(pattern), ("hart0.cycles.user", 7.0)]

    with pytest.raises(EngineError, match=r"have 'hart0\.cycles\.user' twice"):
        region_stats(Twice(RVSIM), _system(1))


@pytest.mark.parametrize("name", ["core0.pipeline.cycles.total"])
def test_a_region_of_no_cycles_is_refused(name: str) -> None:
    with pytest.raises(OsgapError, match=r"region 0: cycles: found 0\.0; allowed: "):
        stats_text([region_stats(Raw({**RVSIM, name: 0.0}), _system(1))])
