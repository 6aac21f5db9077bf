# SPDX-License-Identifier: BSD-3-Clause
"""Our ministat prints what Kennaway's did in 2005, and what Debian's prints on random data."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import Once

from osgap.analysis import ministat
from osgap.analysis.ministat import ValueSample
from osgap.analysis.reference import load_reference
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image.provision.apt import Apt

# As printed on 2005-05-06: vitals of the two samples, then the difference of the second.
SINGLE = """\
+--------------------------------------------------------------------------+
|       +                                   x                              |
| +    ++ + +       +  x  xx x  x         + x  +       x   +         x    x|
||__________M________A__|_________________|_M________________|             |
+--------------------------------------------------------------------------+
    N           Min           Max        Median           Avg        Stddev
x  10         14.66         15.18         14.87        14.856    0.18810163
+  10         14.44         15.03         14.54         14.64     0.2081666
Difference at 95.0% confidence
\t-0.216 +/- 0.186404
\t-1.45396% +/- 1.25474%
\t(Student's t, pooled s = 0.198388)
"""
SYSTEM = """\
+--------------------------------------------------------------------------+
| x                                                                     ++ |
| x                                                                     ++ |
|xx                                                                     +++|
|xxxx                                                                   +++|
||A|                                                                    |A |
+--------------------------------------------------------------------------+
    N           Min           Max        Median           Avg        Stddev
x  10        461.87        500.68        482.03       478.719     11.975802
+  10       1532.87       1566.16       1547.38      1547.405     10.066401
Difference at 95.0% confidence
\t1068.69 +/- 10.3942
\t223.239% +/- 2.17124%
\t(Student's t, pooled s = 11.0624)
"""
WALL = """\
+--------------------------------------------------------------------------+
|                                                                        + |
|                                                                        + |
|                                                                        + |
| x                                                                      + |
| x                                                                      + |
| x                                                                      + |
|xx                                                                      + |
|xxx                                                                     + |
|xxx                                                                     ++|
||A|                                                                     A||
+--------------------------------------------------------------------------+
    N           Min           Max        Median           Avg        Stddev
x  11         80.24         87.77         83.13     83.350909     2.5277241
+  10        317.66        321.82        318.76       318.977     1.2618333
Difference at 95.0% confidence
\t235.626 +/- 1.85556
\t282.692% +/- 2.2262%
\t(Student's t, pooled s = 2.02905)
"""


def _seed(extraction: str, vfs: str, column: str, runs: int = 11) -> ValueSample:
    table = load_reference("kennaway_extraction")
    own = table[(table["extraction"] == extraction) & (table["vfs"] == vfs)]
    return ministat.make_sample(vfs, own[own["run"] <= runs][column])


def test_the_seeds_first_comparison() -> None:
    # Its legend is swapped: x is without mpsafevfs.
    samples = [_seed("single", "giant", "real_s"), _seed("single", "mpsafevfs", "real_s")]
    assert "\n".join(ministat.report(samples)[2:]) + "\n" == SINGLE


def test_the_seeds_second_comparison_leaves_out_the_eleventh_run() -> None:
    samples = [_seed("parallel", "mpsafevfs", "sys_s", 10), _seed("parallel", "giant", "sys_s")]
    # The seed's ministat cut x's stack of six to the height of +'s, as Debian's does.
    assert _cut(ministat.report(samples)[2:], SYSTEM.splitlines()) == SYSTEM.splitlines()


def test_the_seeds_third_comparison() -> None:
    samples = [_seed("parallel", "mpsafevfs", "real_s"), _seed("parallel", "giant", "real_s")]
    assert "\n".join(ministat.report(samples)[2:]) + "\n" == WALL


def test_the_seeds_effective_concurrency() -> None:
    single = _seed("single", "mpsafevfs", "real_s").mean
    without, giant = (_seed("parallel", vfs, "real_s").mean for vfs in ("mpsafevfs", "giant"))
    assert round(12 * single / without, 2) == 2.11
    assert round(12 * single / giant, 2) == 0.55


@pytest.fixture(scope="module")
def debians(once: Once) -> Path:
    """Debian's ministat, fetched and unpacked where root is not needed."""
    try:
        return once.made("ministat", _fetch) / "root" / "usr" / "bin" / "ministat"
    except OsgapError as error:
        pytest.skip(f"no ministat from apt: {error}")


def _fetch(work: Path) -> None:
    work.mkdir(exist_ok=True)
    apt = Apt(work / "apt")
    apt.update()
    apt.run("apt-get", "download", "-q", "ministat", cwd=work)
    (package,) = work.glob("ministat_*.deb")
    subprocess.run(["dpkg-deb", "-x", package, work / "root"], check=True)


def _values(generator: random.Random) -> list[float]:
    # Where all values are one, Debian's takes the root of a rounding error: -nan.
    digits, spread = generator.choice([(3, 0.01), (1, 1), (0, 1), (3, 30), (0, 30)])
    mean = generator.uniform(-5, 100)
    return [round(generator.gauss(mean, spread), digits) for _ in range(generator.randint(3, 30))]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_debians(debians: Path, tmp_path: Path, seed: int) -> None:
    generator = random.Random(seed)
    first, second = _values(generator), _values(generator)
    if seed % 4 == 0:
        second = [value + generator.uniform(0, 0.2) for value in first]
    files = [tmp_path / "a", tmp_path / "b"]
    for file, values in zip(files, (first, second), strict=True):
        file.write_text("".join(f"{value!r}\n" for value in values))
    # What Debian's calls 99.5 % is the t of 99.8 %: its table's last column is another's.
    confidence, named = generator.choice(
        [*((c, c) for c in (80.0, 90.0, 95.0, 98.0, 99.0)), (99.8, 99.5)]
    )
    argv = [debians, "-w", "74", "-c", f"{named:g}", *files]
    told = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()
    samples = [
        ministat.make_sample(str(file), values)
        for file, values in zip(files, (first, second), strict=True)
    ]
    ours = _cut(ministat.report(samples, confidence), told)
    ours = [line.replace(f"{confidence:.1f}% conf", f"{named:.1f}% conf") for line in ours]
    assert [_NUMBER.sub("#", line) for line in ours] == [_NUMBER.sub("#", line) for line in told]
    for mine, theirs in zip(ours, told, strict=True):
        numbers = [[float(word) for word in _NUMBER.findall(line)] for line in (mine, theirs)]
        # The last of eight or six digits may be rounded the other way.
        assert numbers[0] == pytest.approx(numbers[1], rel=2e-5)


_NUMBER = re.compile(r" *-?\d+\.?\d*(?:e[-+]\d+)?")


def _cut(ours: list[str], told: list[str]) -> list[str]:
    """Without the upper rows, where Debian's cuts the first sample's stacks."""
    edges = [[i for i, line in enumerate(text) if line.startswith("+--")] for text in (ours, told)]
    surplus = edges[0][1] - edges[1][1]
    assert surplus >= 0
    return [*ours[: edges[0][0] + 1], *ours[edges[0][0] + 1 + surplus :]]


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=40))
def test_every_value_is_in_the_plot(values: list[float]) -> None:
    sample = ministat.make_sample("a", values)
    lines = ministat.report([sample])
    assert len({len(line) for line in lines[1 : lines.index(lines[1], 2)]}) == 1
    assert sum(line.count("x") for line in lines[2:-3]) == len(values)


def test_a_sample_against_itself_proves_nothing() -> None:
    sample = ministat.make_sample("a", [1.0, 2.0, 4.0])
    assert not ministat.difference(sample, sample).proven
    assert ministat.report([sample, sample])[-1] == "No difference proven at 95.0% confidence"


@pytest.mark.parametrize(
    ("values", "word"), [([1.0, 2.0], "3 or more"), ([1.0, 2.0, float("nan")], "finite")]
)
def test_refuses(values: list[float], word: str) -> None:
    with pytest.raises(OsgapError, match=word):
        ministat.make_sample("a", values)


@pytest.mark.slow
def test_the_script(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("a 1\nb 2 # two\n\nc 4\n")
    bad.write_text("1\ntwo\n")
    osgap = [sys.executable, "-m", "osgap", "ministat"]
    done = subprocess.run(
        [*osgap, "-C", "2", good, good], capture_output=True, text=True, cwd=project_root()
    )
    assert done.returncode == 0 and "No difference proven" in done.stdout
    for argv, word in (([bad], "bad:2: found 'two'"), ([tmp_path / "none"], "No such file")):
        done = subprocess.run([*osgap, *argv], capture_output=True, text=True, cwd=project_root())
        assert done.returncode == 2 and word in done.stderr and done.stderr.count("\n") == 1
