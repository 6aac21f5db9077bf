# SPDX-License-Identifier: BSD-3-Clause
"""The layers of osgap/ hold: no import runs up or to the side, and none goes in a circle."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from layers import ORDER, circle, imports, single_suites, upward
from trees import SOURCES

from osgap.base.paths import project_root

pytestmark = SOURCES
PACKAGE = project_root() / "osgap"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to plant an import in."""
    package = tmp_path_factory.mktemp("copy") / "osgap"
    return shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))


@contextmanager
def planted(path: Path, line: str) -> Iterator[None]:
    """A line at the end of a module."""
    before = path.read_text()
    path.write_text(f"{before}\n\n{line}\n")
    yield
    path.write_text(before)


def test_no_import_runs_up() -> None:
    assert [str(one) for one in upward(imports(PACKAGE))] == []


def test_figures_and_printing_import_no_single_suite() -> None:
    assert [str(arrow) for arrow in single_suites(imports(PACKAGE))] == []


@pytest.mark.parametrize(
    "module", ["figures/scaling.py", "printing/run.py", "report/build.py", "figures/__init__.py"]
)
def test_a_planted_import_of_a_suite_is_found(copy: Path, module: str) -> None:
    name = f"osgap.{module.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}"
    with planted(copy / module, "from osgap.suites.kennaway import FIGURES"):
        arrows = [str(arrow) for arrow in single_suites(imports(copy))]
    assert arrows == [f"{name} imports osgap.suites.kennaway"]


def test_no_imports_go_in_a_circle() -> None:
    assert circle(imports(PACKAGE)) == []


def test_every_folder_has_a_layer() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= {name for layer in ORDER for name in layer}


@pytest.mark.parametrize(
    ("module", "line", "told"),
    [
        ("base/units.py", "import osgap.machines.machine", "osgap.machines.machine"),
        ("engines/fake.py", "from osgap import sweep", "osgap.sweep"),
        (
            "rundir/directory.py",
            "from osgap.analysis.constants import NAMES",
            "osgap.analysis.constants",
        ),
        ("analysis/compare.py", "from osgap.sweep import snakemake", "osgap.sweep.snakemake"),
        (
            "sweep/host.py",
            "def late():\n    import osgap.analysis.compare",
            "osgap.analysis.compare",
        ),
        ("guest/protocol.py", "from osgap.machines import system", "osgap.machines.system"),
        ("image/files.py", "import osgap", "osgap"),
    ],
)
def test_a_planted_import_is_found(copy: Path, module: str, line: str, told: str) -> None:
    name = f"osgap.{module.removesuffix('.py').replace('/', '.')}"
    with planted(copy / module, line):
        assert f"{name} imports {told}" in [str(one) for one in upward(imports(copy))]
    assert upward(imports(copy)) == []


def test_a_planted_circle_is_found(copy: Path) -> None:
    units, digest = (copy / "base" / f"{name}.py" for name in ("units", "digest"))
    with (
        planted(units, "import osgap.base.digest"),
        planted(digest, "from osgap.base.units import cycles"),
    ):
        assert sorted(set(circle(imports(copy)))) == ["osgap.base.digest", "osgap.base.units"]


def test_what_a_sweep_imports_has_no_building_code() -> None:
    found = imports(PACKAGE)
    todo, seen = ["osgap.sweep.run", "osgap.points.__main__"], set()
    while todo:
        if (name := todo.pop()) not in seen:
            seen.add(name)
            todo += found[name]
    built = [name for name in seen if name.startswith(("osgap.image.builder", "osgap.image.prov"))]
    assert built == [] and "osgap.image.variants" in seen
