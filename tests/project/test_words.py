# SPDX-License-Identifier: BSD-3-Clause
"""Names in osgap/ are nouns or verbs; docstrings begin with one; a class's name is its alone."""

import shutil
from pathlib import Path

import pytest
from trees import SOURCES
from words_in_code import (
    PRONOUNS,
    RELATIVE,
    allow_list,
    differences,
    pronouns,
    read_allow_list,
    relative_docstrings,
    repeated_classes,
)

from osgap.base.paths import project_root

pytestmark = SOURCES
PACKAGE = project_root() / "osgap"
ALLOWED = Path(__file__).with_name("allowed_names.txt")
LARGEST = 100
"""Bindings that the allow-list may have. It may only shrink."""
MODULE = "base/units.py"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copies of two modules of osgap, to plant a fault in."""
    package = tmp_path / "osgap"
    (package / "base").mkdir(parents=True)
    for module in (MODULE, "base/errors.py"):
        shutil.copy(PACKAGE / module, package / module)
    return package


def _plant(package: Path, code: str) -> None:
    path = package / MODULE
    path.write_text(f"{path.read_text()}\n\n{code}\n")


def test_no_name_is_a_pronoun_beyond_the_allow_list() -> None:
    """`allow_list(pronouns(PACKAGE))` writes the list again where it has become shorter."""
    allowed = read_allow_list(ALLOWED.read_text())
    assert differences(pronouns(PACKAGE), allowed) == []
    assert allowed.total() <= LARGEST


def test_each_class_has_a_name_of_its_own() -> None:
    assert repeated_classes(PACKAGE) == {}


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    assert relative_docstrings(PACKAGE) == []


@pytest.mark.parametrize(
    "code",
    [
        "own = 1",
        "_own: int = 1",
        "__own = a = 1",
        "(a, *own) = 1, 2",
        "a += (own := 1)",
        "def f(own): pass",
        "def f(a, /, *, own=1): pass",
        "def f(*own): pass",
        "def f(**own): pass",
        "def own(): pass",
        "async def own(): pass",
        "class own: pass",
        "class A:\n    own: int",
        "class A:\n    def f(self):\n        self.own = 1",
        "a = lambda own: 1",
        "for own in (): pass",
        "for a, own in (): pass",
        "a = [own for own in ()]",
        "a = {own: 1 for own in ()}",
        "a = {1 for b in () for own in ()}",
        "with a as own: pass",
        "try: pass\nexcept OSError as own: pass",
        "import json as own",
        "from json import loads as own",
        "match a:\n    case [1, *own]: pass",
        "match a:\n    case {1: 2, **own}: pass",
        "match a:\n    case int() as own: pass",
    ],
)
def test_a_planted_pronoun_is_found(copy: Path, code: str) -> None:
    before = pronouns(copy)
    _plant(copy, code)
    (binding,) = (pronouns(copy) - before).elements()
    assert binding in {(f"osgap/{MODULE}", name) for name in ("own", "_own", "__own")}
    assert len(differences(pronouns(copy), before)) == 1


def test_a_planted_module_is_found(copy: Path) -> None:
    before = pronouns(copy)
    (copy / "base" / "_told.py").touch()
    assert pronouns(copy) - before == {("osgap/base/_told.py", "_told"): 1}


def test_each_pronoun_is_forbidden(copy: Path) -> None:
    before = pronouns(copy)
    _plant(copy, "".join(f"{name} = 1\n" for name in sorted(PRONOUNS)))
    assert {name for _, name in pronouns(copy) - before} == PRONOUNS


def test_an_entry_of_what_has_gone_is_stale(copy: Path) -> None:
    allowed = read_allow_list(allow_list(pronouns(copy)))
    assert differences(pronouns(copy), allowed) == []
    allowed[f"osgap/{MODULE}", "own"] += 1
    assert len(differences(pronouns(copy), allowed)) == 1


def test_a_planted_class_of_another_ones_name_is_found(copy: Path) -> None:
    before = repeated_classes(copy)
    _plant(copy, "class OsgapError(Exception): pass")
    paths = ["osgap/base/errors.py", f"osgap/{MODULE}"]
    assert repeated_classes(copy) == {**before, "OsgapError": paths}


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """{} it is."""',
        'async def f():\n    """\n    {}: it."""',
        'class A:\n    """{}\'s it."""',
        'class A:\n    a: int = 1\n    """{}, it."""',
        'A = 1\n"""{} it is."""',
    ],
)
def test_planted_docstrings_are_found(copy: Path, code: str) -> None:
    before = relative_docstrings(copy)
    words = sorted(word.capitalize() for word in RELATIVE)
    _plant(copy, "\n".join(code.format(word) for word in words))
    lines = set(relative_docstrings(copy)) - set(before)
    assert len(lines) == len(words)
    assert all(any(word in line for line in lines) for word in words)


def test_a_planted_docstring_of_a_module_is_found(copy: Path) -> None:
    before = relative_docstrings(copy)
    (copy / "base" / "zeta.py").write_text('"""Whose it is."""\n')
    assert set(relative_docstrings(copy)) - set(before) == {"osgap/base/zeta.py:1: Whose it is."}
