# SPDX-License-Identifier: BSD-3-Clause
"""What is said of a wrong value: key, found, allowed, in words for people and none of pydantic's.

The models are found, and what they can raise is read from their own schemas.
"""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from files import BOUND, NASTY, VALUES, changed
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from rundirs import make_run

from osgap.base.config import ConfigError, parse_json, validate
from osgap.base.frozen import Exact
from osgap.base.paths import project_root
from osgap.base.validation import ERROR_KINDS
from osgap.image.files import FileStamp
from osgap.machines.machine import Machine, load_machine
from osgap.points.jobs import Jobs
from osgap.points.record import Record
from osgap.rundir.manifest import Manifest
from osgap.rundir.point import Done, Spec
from osgap.sweep.spec import RunSpec, SweepFile

ROOT = project_root()
NOISE = (
    "Input should",
    "valid ",
    "should have",
    "validation",
    "dictionary",
    "instance of",
    "pydantic",
    "Value error",
    "type=",
    "Tuple",
    "input_",
    "unable to",
    "mapping",
)
fuzz = settings(
    max_examples=examples(200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def _models() -> Iterator[type[BaseModel]]:
    """Every model of the package."""
    for path in sorted((ROOT / "osgap").rglob("*.py")):
        if "pydantic" in path.read_text() or "Frozen" in path.read_text():
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    todo: list[type[BaseModel]] = [Exact]
    while todo:
        found = todo.pop().__subclasses__()
        yield from found
        todo += found


MODELS = sorted(
    {model for model in _models() if model.__module__.startswith("osgap.")},
    key=lambda model: f"{model.__module__}.{model.__name__}",
)


def _documents(folder: Path) -> Iterator[tuple[type[BaseModel], Any]]:
    """A valid document for each model that is read from a file."""
    run = make_run(folder / "run", folder)
    point = next((run / "points").iterdir())
    machine = load_machine(ROOT / "configs" / "machines" / "paper" / "DS3100.toml")
    yield Machine, machine.model_dump(mode="json")
    base = {
        "description": "x",
        "machine": ["base"],
        "clock_mhz": [20],
        "sets": {"a": 1},
        "latency_ns": [100, "x2"],
    }
    yield SweepFile, base
    yield RunSpec, base
    yield Manifest, json.loads((run / "run.json").read_text())
    yield Spec, json.loads((point / "point.json").read_text())
    yield Done, json.loads((point / "done.json").read_text())
    yield Record, json.loads((run / "records" / f"{point.name}.json").read_text())
    stamp = {"size": 1, "mtime_ns": 1, "sha256": "a"}
    yield FileStamp, stamp
    yield (
        Jobs,
        {
            "image": "a",
            "stamps": {"Image": stamp},
            "cache": "b",
            "bundles": [["c"]],
            "memory_mib": 1,
            "minutes": 1,
        },
    )


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[type[BaseModel], Any]]:
    made = _documents(tmp_path_factory.mktemp("documents"))
    return {model.__name__: (model, data) for model, data in made}


NAMES = (
    "Machine",
    "SweepFile",
    "RunSpec",
    "Manifest",
    "Spec",
    "Done",
    "Record",
    "FileStamp",
    "Jobs",
)


def _check(told: str) -> None:
    assert told.isprintable() and len(told) < BOUND, told
    assert not any(noise in told for noise in NOISE), told
    for one in told.split("; f: "):
        assert ": found " in one or ": missing" in one or "unknown key" in one or "and " in one, (
            told
        )


@pytest.mark.parametrize("name", NAMES)
def test_what_is_whole_is_accepted(documents: dict[str, Any], name: str) -> None:
    model, data = documents[name]
    validate(data, model, "f")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@fuzz
@given(data=st.data())
def test_a_changed_value_is_told_in_plain_words(
    documents: dict[str, Any], name: str, data: st.DataObject
) -> None:
    model, document = documents[name]
    text = data.draw(changed(document))
    try:
        given = parse_json(text.encode(), "f")
    except ConfigError as error:
        assert "not readable as JSON" in str(error) and len(str(error)) < BOUND
        return
    try:
        model.model_validate(given)
    except ValidationError as error:
        kinds = {one["type"] for one in error.errors(include_url=False)}
        assert kinds <= ERROR_KINDS, kinds - ERROR_KINDS
        with pytest.raises(ConfigError) as caught:
            validate(given, model, "f")
        _check(str(caught.value))


# A node of pydantic's core schema, and the kinds of errors that it can raise of what TOML and JSON
# hold; those of a constraint follow from its keys.
_NODES = {
    "int": {"int_type", "int_from_float"},
    "float": {"float_type", "finite_number"},
    "str": {"string_type", "string_unicode"},
    "bool": {"bool_type"},
    "tuple": {"tuple_type"},
    "list": {"list_type"},
    "dict": {"dict_type"},
    "model": {"model_type"},
    "model-fields": {"missing", "extra_forbidden", "model_attributes_type"},
    "literal": {"literal_error"},
    "enum": {"enum"},
    "generator": {"none"},
    "function-before": {"value_error"},
    "function-after": {"value_error"},
    "function-wrap": {"none"},
    "function-plain": {"none"},
    "none": {"none_required"},
    "nullable": set(),
    "default": set(),
    "any": set(),
    "definitions": set(),
    "definition-ref": set(),
    "model-field": set(),
}
_CONSTRAINTS = {
    "gt": "greater_than",
    "ge": "greater_than_equal",
    "lt": "less_than",
    "le": "less_than_equal",
    "pattern": "string_pattern_mismatch",
}


def _kinds(node: Any) -> Iterator[str]:
    if isinstance(node, list | tuple):
        for one in node:
            yield from _kinds(one)
    if not isinstance(node, dict):
        return
    kind = node.get("type")
    if isinstance(kind, str) and kind in _NODES:
        yield from _NODES[kind]
        yield from (_CONSTRAINTS[key] for key in node if key in _CONSTRAINTS)
        length = "string_too_" if kind == "str" else "too_"
        yield from (
            f"{length}{'short' if key == 'min_length' else 'long'}"
            for key in ("min_length", "max_length")
            if key in node
        )
    elif isinstance(kind, str) and "schema" in node:
        yield f"a node of type {kind}"
    for key, inner in node.items():
        if key not in ("serialization", "metadata", "config", "default"):
            yield from _kinds(inner)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_there_are_words_for_all_that_a_model_can_raise(model: type[BaseModel]) -> None:
    kinds = set(_kinds(model.__pydantic_core_schema__))
    assert kinds <= ERROR_KINDS, kinds - ERROR_KINDS


def test_every_model_is_exact() -> None:
    """None converts a text or a boolean to a number, and none takes what is not finite."""
    assert len(MODELS) > 25
    for path in (ROOT / "osgap").rglob("*.py"):
        if path.name not in ("frozen.py", "words.py", "config.py"):
            assert "(BaseModel)" not in path.read_text(), path


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("clock_mhz", [True], "clock_mhz.0: found true, a boolean; allowed: a number from 0.01 to"),
        ("clock_mhz", ["20"], "clock_mhz.0: found '20', a text; allowed: a number from 0.01 to"),
        ("clock_mhz", [1e-320], "found 1e-320; allowed: a number from 0.01 to 100000 MHz"),
        ("clock_mhz", [float("nan")], "found nan; allowed: a number from"),
        ("clock_mhz", (), "clock_mhz: found (); allowed: at least 1"),
        ("clock_mhz", 20, "clock_mhz: found 20; allowed: a list"),
        ("description", "", "description: found ''; allowed: a text of 1 or more"),
        ("memory", ["half"], "memory.0: found 'half'; allowed: 'fixed', 'scaled'"),
        ("seeds", [1.5], "seeds.0: found 1.5; allowed: a whole number"),
        ("seeds", [-1], "seeds.0: found -1; allowed: 0 or more"),
        (
            "a.b\x1b[2J",
            1,
            r"'a.b\x1b[2J': unknown key; allowed: args, bandwidth_mb_s, calls, clock_mhz",
        ),
        ("sets", {"a": "x"}, "sets.a: found 'x', a text; allowed: a whole number"),
    ],
)
def test_a_sentence_for_each(key: str, value: object, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        validate({"description": "x", "machine": "base", key: value}, SweepFile, "f")
    assert words in str(caught.value)
    _check(str(caught.value))


@pytest.mark.parametrize("value", ["true", '"20"', "1e-320", "nan", "inf", "1e400", "0", "[20]"])
def test_a_figures_value_is_told_with_its_range(tmp_path: Path, value: str) -> None:
    text = (ROOT / "configs" / "machines" / "base.toml").read_text()
    head, _, rest = text.partition("clock_mhz = { value = ")
    path = tmp_path / "m.toml"
    path.write_text(f"{head}clock_mhz = {{ value = {value}{rest[rest.index(',') :]}")
    with pytest.raises(ConfigError, match=r"cpu\.clock_mhz: found .*: a number from 1 to 2"):
        load_machine(path)


@fuzz
@given(
    keys=st.lists(NASTY | st.text(max_size=300), min_size=1, max_size=50, unique=True), value=VALUES
)
@example(keys=[f"key{at}" for at in range(50)], value=None)
@example(keys=["9" * 300, "8" * 300, "7" * 300, "6" * 300], value=None)
def test_any_number_of_odd_keys_is_a_bounded_sentence(keys: list[str], value: object) -> None:
    data = {"description": "x", "machine": "base", **dict.fromkeys(keys, value)}
    try:
        validate(data, SweepFile, "f")
    except ConfigError as error:
        _check(str(error))


def test_the_keys_of_a_table_are_listed_once() -> None:
    with pytest.raises(
        ConfigError, match=r"f: cpu: unknown key; allowed: args, .*; f: dusk: un.*y$"
    ):
        validate({"description": "x", "machine": "base", "cpu": 1, "dusk": 2}, SweepFile, "f")


def test_a_key_that_is_there_twice_is_named() -> None:
    for text, words in (
        ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
        ('{"a": NaN}', "found NaN; allowed: a finite number"),
        ('{"a": 1e999}', "found 1e999; allowed: a finite number"),
    ):
        with pytest.raises(ConfigError, match=f"f: not readable as JSON: {words}"):
            parse_json(text.encode(), "f")
