# SPDX-License-Identifier: BSD-3-Clause
""" "To add" of docs/development: each row done in a copy of the checkout, with one file, and used.

Elsewhere: a benchmark (tests/workloads/test_native.py and tests/image/test_scons.py, which have a
compiler), and what a variant builds (tests/image/test_variants.py).
"""

import base64
import csv
import gzip
import html
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import checkout
import pytest
from checkout import ROOT, copy_checkout

pytestmark = pytest.mark.slow

FIGURE = """\
# SPDX-License-Identifier: BSD-3-Clause
\"\"\"A figure of one table's rows.\"\"\"

from matplotlib.figure import Figure

TABLES = ["{table}"]


def draw(tables):
    figure = Figure()
    figure.add_subplot().bar([0], [len(tables["{table}"])])
    return figure
"""
TABLE = """\
# SPDX-License-Identifier: BSD-3-Clause
\"\"\"A table with a row for each point.\"\"\"

from osgap.analysis.columns import KEY
from osgap.analysis.table import Column, Table

PARITY = Table(
    "parity",
    "whether a point's clock is even",
    (KEY, Column("parity", "the clock in MHz modulo 2", "MHz")),
    make=lambda data: PARITY.frame(zip(data.points["key"], data.points["clock_mhz"] % 2)),
)
"""
ENGINE = """\
# SPDX-License-Identifier: BSD-3-Clause
\"\"\"An engine that computes as fake does, under a name of its own.\"\"\"

from osgap.engines.fake import Fake


class Mine(Fake):
    name = "mine"
    description = "an engine of one file"

    def version(self):
        return "mine 1"
"""
AXIS = """\
    FigureAxis(
        key="rpm",
        option="--rpm",
        metavar="RPM|xN,...",
        text="the disk's turns a minute",
        heading="rpm",
        name="rotation",
        label="Disk rotation",
        unit="rpm",
        part="disk",
        figure="rpm",
        name_part="rpm",
        plural="rotations",
        fields=("disk.rotation_ns",),
        falls=True,
        numerator=60e9,
        dimension="rate",
    ),
"""
"""The disk's rotation, of which a simulated system has the time of a turn."""
Osgap = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return copy_checkout(tmp_path / "copy")


@pytest.fixture
def osgap(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Osgap:
    """osgap(words...) runs the copy's command, which has to succeed."""
    monkeypatch.setenv("OSGAP_CACHE", str(tmp_path / "cache"))

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        done = checkout.osgap(copy, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return run


def _add(copy: Path, name: str, text: str) -> Path:
    """The new file, the only one that is written."""
    path = copy / name
    assert not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _manifest(run: Path) -> dict:
    return json.loads((run / "run.json").read_text())


def _points(run: Path) -> list[dict]:
    """point.json of every finished point."""
    return [
        json.loads((path.parent / "point.json").read_text())
        for path in run.glob("points/*/done.json")
    ]


def test_a_machine(copy: Path, osgap: Osgap, tmp_path: Path) -> None:
    rpm = '[disk]\nrpm = { value = 7200, source = "assumed" }\n'
    _add(copy, "configs/machines/mine/disk.toml", f'extends = "base"\ndescription = "mine"\n{rpm}')
    assert "mine/disk" in osgap("list", "machines").stdout
    run = tmp_path / "run"
    osgap("sweep", "--engine", "fake", "--machine", "mine/disk", "--output", run)
    (point,) = _points(run)
    assert (point["machine"], point["resolved"]["disk"]["rotation_ns"]) == ("mine/disk", 8333333)
    kept = {path for path in _manifest(run)["inputs"] if path.startswith("machines/")}
    assert kept == {"machines/mine/disk.toml", "machines/base.toml"}


@pytest.mark.long
def test_a_sweep(copy: Path, osgap: Osgap) -> None:
    axes = 'machine = "base"\nengine = "fake"\nclock_mhz = [20, 40]\n'
    _add(copy, "configs/sweeps/mine.toml", f'description = "two clocks"\n{axes}')
    assert "two clocks" in osgap("list", "sweeps").stdout
    osgap("sweep", "--sweep", "mine")
    assert len(_points(copy / "results" / "runs" / "mine")) == 2


@pytest.mark.long
def test_a_variant(copy: Path, osgap: Osgap, tmp_path: Path) -> None:
    kernel = '[kernel]\noptions = ["CONFIG_HZ_100=y"]\n'
    _add(copy, "disk-images/variants/mine.toml", f'description = "100 Hz"\n{kernel}')
    assert "100 Hz" in osgap("list", "variants").stdout
    run = tmp_path / "run"
    osgap("sweep", "--engine", "fake", "--variant", "default,mine", "--output", run)
    assert _manifest(run / "mine")["sweep"]["variant"] == ["mine"]
    words = [sys.executable, "-m", "SCons", "-Q", "-n", "variant=mine", f"cache={tmp_path}"]
    dry = subprocess.run(words, cwd=copy, capture_output=True, text=True, timeout=120)
    if shutil.which("riscv64-linux-gnu-gcc"):
        assert "build/variants/mine/image/image.json" in dry.stdout, dry.stderr


@pytest.mark.long
def test_a_cluster_profile(copy: Path, osgap: Osgap, tmp_path: Path) -> None:
    _add(copy, "configs/profiles/mine/config.yaml", "executor: local\njobs: 2\ncores: 2\n")
    axes = ("--engine", "fake", "--cpu-mhz", "20,40", "--points-per-job", "1")
    run = tmp_path / "run"
    osgap("sweep", *axes, "--profile", "mine", "--output", run)
    assert len(_points(run)) == 2


@pytest.mark.long
def test_an_engine(copy: Path, osgap: Osgap, tmp_path: Path) -> None:
    _add(copy, "osgap/engines/mine.py", ENGINE)
    assert "an engine of one file" in osgap("list", "engines").stdout
    run = tmp_path / "run"
    osgap("sweep", "--engine", "mine", "--cpu-mhz", "20,40", "--output", run)
    points = _points(run)
    assert [(point["engine"], point["engine_version"]) for point in points] == 2 * [
        ("mine", "mine 1")
    ]
    assert _manifest(run)["versions"]["engine"] == "mine mine 1"


@pytest.mark.long
def test_an_engine_is_run_against_the_contract(copy: Path) -> None:
    _add(copy, "osgap/engines/mine.py", ENGINE)
    tests = ["tests/engines/test_conformance.py", "-k", "mine", "--level", "quick"]
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(words, cwd=copy, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "9 passed" in done.stdout, done.stdout


@pytest.mark.long
def test_a_table_of_a_run(copy: Path, osgap: Osgap, fake_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(fake_run, tmp_path / "run")
    _add(copy, "osgap/analysis/parity.py", TABLE)
    assert "whether a point's clock is even" in osgap("list", "tables").stdout
    assert "the clock in MHz modulo 2" in osgap("list", "tables", "--format", "markdown").stdout
    printed = osgap("analyze", run, "--table", "parity", "--format", "csv").stdout
    assert printed.startswith("key,parity\n")
    assert (run / "tables" / "parity.csv").read_text() == printed
    osgap("report", run, "--output", tmp_path / "page.html")
    assert "whether a point's clock is even" in html.unescape((tmp_path / "page.html").read_text())


@pytest.mark.long
def test_a_figure_of_a_run(copy: Path, osgap: Osgap, fake_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(fake_run, tmp_path / "run")
    _add(copy, "osgap/figures/mine.py", FIGURE.format(table="points"))
    assert "A figure of one table's rows." in osgap("list", "figures").stdout
    osgap("analyze", run)
    osgap("plot", run, "--figure", "mine", "--format", "svg")
    assert (run / "figures" / "mine.svg").is_file()


@pytest.mark.long
def test_a_figure_of_two_runs(copy: Path, osgap: Osgap, fake_run: Path, tmp_path: Path) -> None:
    _add(copy, "osgap/figures/compare/mine.py", FIGURE.format(table="means"))
    assert "compare: mine" in osgap("list", "figures").stdout
    osgap("compare", fake_run, fake_run, "--output", tmp_path / "both")
    assert (tmp_path / "both" / "figures" / "mine.svg").is_file()


@pytest.mark.long
def test_a_figure_of_a_suite(copy: Path, osgap: Osgap, tmp_path: Path) -> None:
    _add(copy, "osgap/suites/ousterhout/figures/mine.py", FIGURE.format(table="cells"))
    assert "paper: mine" in osgap("list", "figures").stdout
    shutil.copytree(
        ROOT / "results" / "locked" / "paper/fitted" / "tables", tmp_path / "out" / "tables"
    )
    code = (
        "import sys, pathlib\n"
        "from osgap.drawing.figure import render_all\n"
        "from osgap.suites.ousterhout import FIGURES\n"
        "list(render_all(FIGURES, pathlib.Path(sys.argv[1])))\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "out")]
    subprocess.run(words, cwd=copy, check=True, timeout=120)
    assert (tmp_path / "out" / "figures" / "mine.svg").is_file()


@pytest.mark.long
def test_an_axis(copy: Path, osgap: Osgap, tmp_path: Path) -> None:
    axes = copy / "osgap" / "machines" / "axes.py"
    before, start, after = axes.read_text().partition("    START,\n)")
    axes.write_text(before + AXIS + start + after)
    run = tmp_path / "run"
    sweep = ("sweep", "--engine", "fake", "--cpu-mhz", "20,40", "--rpm", "x1,7200", "--output", run)
    assert re.search(r"20mhz-rpm7200-\S+ .* 7200 ", osgap(*sweep, "--dry-run").stdout)
    osgap(*sweep)
    points = _points(run)
    turns = {point["key"].rpartition("-")[0]: point["resolved"]["disk"] for point in points}
    assert {name: disk["rotation_ns"] for name, disk in turns.items()} == {
        "20mhz": 16666667,
        "40mhz": 16666667,
        "20mhz-rpm7200": 8333333,
        "40mhz-rpm7200": 8333333,
    }
    assert {point["axes"].get("rpm") for point in points} == {None, 7200.0}
    assert _manifest(run)["sweep"]["rpm"] == ["x1", 7200.0]
    assert set(_manifest(run)["series"]) == {"fixed", "fixed-rpm7200"}
    told = osgap("analyze", run).stdout
    assert "With other rotations of the disk" in told
    with (run / "tables" / "points.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {(row["series"], round(float(row["rpm"]))) for row in rows} == {
        ("fixed", 3600),
        ("fixed-rpm7200", 7200),
    }
    assert "latency_ns" not in rows[0]
    grid = ("predict", run, "--cpu-mhz", "40", "--rpm", "5400,7200", "--format", "csv")
    predicted = list(csv.DictReader(osgap(*grid).stdout.splitlines()))
    found = {row["series"]: row for row in predicted if row["fs"] == "unix"}
    assert round(float(found["fixed-rpm5400"]["rpm"])) == 5400
    slower, faster = (float(found[f"fixed-rpm{rpm}"]["ns_per_op"]) for rpm in (5400, 7200))
    assert slower > 1.2 * faster
    follows = csv.DictReader(osgap(*grid, "--table", "elasticity").stdout.splitlines())
    assert min(float(row["rotation"]) for row in follows) < -0.5
    osgap("report", run)
    page = (run / "report.html").read_text()
    assert 'type="range" id="rpm"' in page
    (packed,) = re.findall(r'id="packed">([^<]+)<', page)
    (model,) = json.loads(gzip.decompress(base64.b64decode(packed)))["models"].values()
    assert [axis["key"] for axis in model["axes"]][-2:] == ["rpm", "disk_speed"]
    assert [round(value) for value in model["ranges"]["rpm"]] == [900, 28800]
