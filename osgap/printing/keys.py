# SPDX-License-Identifier: BSD-3-Clause
"""Renders the pages of docs/reference that list the keys of TOML files, from the files' models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo

from osgap.base.frozen import Frozen
from osgap.base.validation import NumberRange
from osgap.image.builder.variant import Variant
from osgap.machines.axes import AXES, Axis, ClockAxis, FigureAxis, PolicyAxis, Quantity, StartAxis
from osgap.machines.figure import Figure
from osgap.machines.machine import Machine
from osgap.printing.export import markdown_row
from osgap.sweep.spec import SweepFile

_MACHINE_TEXT = """\
A machine is a file `configs/machines/NAME.toml`. A figure is a number with its source, as in
`{ value = 20, source = "SPARCstation 1 (Sun, 1989)" }`; a source may be the word assumed. A file
with `extends = "base"` takes the keys that it lacks from `base.toml`, in its folder or the folder
above. `[fit.ENGINE]` is not inherited: `osgap calibrate` writes it.\
"""
_SWEEP_TEXT = """\
A sweep is a file `configs/sweeps/NAME.toml`. Its points are all combinations of the values of its
axes. Options of `osgap sweep` replace the file's values. Several values of `machine`, `variant` or
`calls` make a run each
([sweeps](../guide/sweeps.md#runs-of-one-sweep)). The shortest file is

```toml
description = "Memory that follows the clock, or not"
machine = "base"
clock_mhz = [20, 80, 320]
memory = ["fixed", "scaled"]
```

A file with `extends = "quick"` takes the keys of `quick.toml`, in the same folder or in the one
above, except `description`, `program` and `args`. A key that the file itself has replaces
`quick.toml`'s; in `sets`, key by key.\
"""
_VARIANT_TEXT = """\
An image variant is a file `disk-images/variants/NAME.toml`. A key that the file lacks is as in the
default image: gcc -O2, glibc, `kernel/osgap.config`.
[The guest image](../../disk-images/README.md#variants) says what each variant is for.\
"""
_AXES_ALLOW: Mapping[type[Axis], str] = {
    ClockAxis: "list of numbers",
    FigureAxis: 'list of numbers, or of multiples such as `"x0.5"`',
    PolicyAxis: "list of `fixed`, `scaled`",
    StartAxis: "list of whole numbers",
}
_UNITS = {"mib": "MiB", "bytes": "bytes", "cycles": "cycles"}
"""Units by the last word of a key."""
_HEADS = (("key", "unit", "allowed", "default", "meaning"), ("---",) * 5)


Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class KeyPage:
    """A page about the keys of one kind of file; `parameter` names a table that users name."""

    title: str
    text: str
    model: type[Frozen]
    parameter: str = ""


@dataclass(frozen=True)
class Key:
    """A key of a file; `table` is the TOML table that it stands in, "" for the top."""

    table: str
    name: str
    unit: str
    allowed: str
    default: str
    text: str

    @property
    def path(self) -> str:
        """The table and the name, joined by a dot."""
        return f"{self.table}.{self.name}".lstrip(".")


PAGES: Mapping[str, KeyPage] = {
    "machine-keys": KeyPage("Machine files", _MACHINE_TEXT, Machine, "ENGINE"),
    "sweep-keys": KeyPage("Sweep files", _SWEEP_TEXT, SweepFile),
    "variant-keys": KeyPage("Image variants", _VARIANT_TEXT, Variant),
}
"""The pages, by the kind that `osgap list` prints."""


def keys_page(kind: str) -> str:
    """Returns the page of docs/reference that lists the keys of one kind of file."""
    page = PAGES[kind]
    sections = [f"# {page.title}\n\n{_origin(kind)}\n\n{page.text}\n"]
    for rows, tables in _alike(list(keys(kind))).items():
        names = ", ".join(f"[{table}]" for table in tables)
        heading = f"## {names}\n{_about(page, tables[0])}" if tables != [""] else ""
        sections.append(heading + "".join(map(markdown_row, [*_HEADS, *rows])))
    return "\n".join(sections)


def _alike(all_keys: Sequence[Key]) -> Mapping[Rows, list[str]]:
    """Returns the rows of each table, and the names of all tables with these rows."""
    alike: dict[Rows, list[str]] = {}
    for table in dict.fromkeys(key.table for key in all_keys):
        rows = tuple(_row(key) for key in all_keys if key.table == table)
        alike.setdefault(rows, []).append(table)
    return alike


def key_catalogue(kind: str) -> Mapping[str, str]:
    """Returns the keys of one kind of file with their meanings."""
    return {key.path: key.text for key in keys(kind)}


def keys(kind: str) -> Iterator[Key]:
    """Yields the keys of one kind of file, those of a table after those of the top."""
    page = PAGES[kind]
    yield from _keys(page.model, "", page.parameter)


def _origin(kind: str) -> str:
    name = {"machine-keys": "machine-files", "sweep-keys": "sweep-files"}.get(kind, "variants")
    command = f"osgap list {kind} --format markdown > docs/reference/{name}.md"
    return f"`{command}` writes this page from the model in `osgap/`."


def _keys(model: type[Frozen], table: str, parameter: str) -> Iterator[Key]:
    tables = []
    for name, field in model.model_fields.items():
        inner = _table_in(field.annotation)
        if inner is None:
            yield _key(table, name, field)
        else:
            is_named = get_origin(field.annotation) is dict
            path = f"{table}.{name}".lstrip(".")
            tables.append((inner, f"{path}.{parameter}" if is_named else path))
    for inner, path in tables:
        yield from _keys(inner, path, parameter)


def _table_in(annotation: Any) -> type[Frozen] | None:
    """Returns the model of a field that is a table of keys; None for a value or a figure."""
    models = [part for part in _parts(annotation) if isinstance(part, type)]
    tables = [part for part in models if issubclass(part, Frozen) and part is not Figure]
    return tables[0] if tables else None


def _key(table: str, name: str, field: FieldInfo) -> Key:
    axis = next((axis for axis in AXES if axis.key == name and not table), None)
    parts = _parts(field.annotation)
    limits = [*field.metadata, *(m for part in parts for m in getattr(part, "__metadata__", ()))]
    text = axis.text if axis else field.description or ""
    allowed = _AXES_ALLOW[type(axis)] if axis else _allowed(field.annotation, limits)
    unit = axis.unit if isinstance(axis, Quantity) else _unit(name, limits)
    return Key(table, name, unit, allowed, _default(field), text)


def _parts(annotation: Any) -> Iterator[Any]:
    """Yields the annotation and all that it consists of."""
    yield annotation
    for inner in get_args(annotation):
        yield from _parts(inner)


def _ranges(limits: list[Any]) -> Iterator[NumberRange]:
    for limit in limits:
        if isinstance(limit, BeforeValidator) and isinstance(limit.func, NumberRange):
            yield limit.func


def _unit(name: str, limits: list[Any]) -> str:
    """Returns the unit of a number: its range's, or that in the key's name."""
    of_range = next((limit.unit for limit in _ranges(limits)), "")
    return of_range or _UNITS.get(name.rpartition("_")[2], "")


def _allowed(annotation: Any, limits: list[Any]) -> str:
    """Returns what a value may be."""
    parts = list(_parts(annotation))
    values = [value for part in parts if get_origin(part) is Literal for value in get_args(part)]
    limits = [*limits, *(inner for limit in limits for inner in getattr(limit, "metadata", ()))]
    bounds = {type(limit): limit for limit in limits}
    several = "list of " if get_origin(annotation) is tuple else ""
    if limit := next(_ranges(limits), None):
        kind = "whole number" if limit.integer else "number"
        figure = ", with its source" if Figure in parts else ""
        return f"{kind} from {limit.low:,.9g} to {limit.high:,.9g}{figure}"
    if values:
        return several + ", ".join(f"`{value}`" for value in values)
    if Ge in bounds and Le in bounds:
        return f"whole number from {bounds[Ge].ge:,} to {bounds[Le].le:,}"
    if bool in parts:
        return "`true`, `false`"
    if get_origin(annotation) is dict:
        return "table of whole numbers"
    return several + ("texts" if several else "text")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None or value in ((), "", {}):
        return ""
    if isinstance(value, tuple):
        return ", ".join(f"`{part}`" for part in value)
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _about(page: KeyPage, table: str) -> str:
    """Returns the sentence about a table: the first of its model's documentation."""
    model: Any = page.model
    for name in table.split("."):
        if name != page.parameter:
            model = _table_in(model.model_fields[name].annotation)
    documentation = (model.__doc__ or "").partition("\n\n")[0]
    return f"{' '.join(documentation.split())}\n\n" if documentation else ""


def _row(key: Key) -> tuple[str, ...]:
    return f"`{key.name}`", key.unit, key.allowed, key.default, key.text
