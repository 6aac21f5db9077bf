# SPDX-License-Identifier: BSD-3-Clause
"""Display names: the words that a person reads in place of the raw names of files and options.

They stand in display_names.toml, beside this module. A raw name that is not there is shown as it
is, with blanks for underscores.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints

from osgap.analysis.table import Column
from osgap.base import inputs
from osgap.base.frozen import Frozen
from osgap.machines.series import clock_and_parts, parse_series

_FILE = Path(__file__).with_name("display_names.toml")
_Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]


class DisplayName(Frozen):
    """A name, the unit of its values ("" for none or several), and its meaning in one line."""

    name: _Text
    meaning: _Text = ""
    unit: _Text = ""


class DisplayNames(Frozen):
    """The file's sections: raw name -> display name."""

    benchmark: Mapping[str, DisplayName]
    fs: Mapping[str, DisplayName]
    series: Mapping[str, DisplayName]
    set: Mapping[str, DisplayName]
    engine: Mapping[str, DisplayName]
    machine: Mapping[str, DisplayName]
    column: Mapping[str, _Text]


@cache
def display_names() -> DisplayNames:
    """Returns all display names, read once."""
    return DisplayNames.model_validate(tomllib.loads(inputs.read_text(_FILE)))


def benchmark(name: str) -> DisplayName:
    """Returns the display name of a benchmark or of a sum of benchmarks."""
    return _entry(display_names().benchmark, name)


def benchmark_name(name: object, fs: object = "none") -> str:
    """Returns a benchmark's name with its file system: "cached read (synchronous)"."""
    system = file_system_name(fs)
    return f"{benchmark(str(name)).name} ({system})" if system else benchmark(str(name)).name


def file_system_name(fs: object) -> str:
    """Returns the name of a file system; "" where a benchmark uses no files."""
    return _entry(display_names().fs, str(fs)).name if isinstance(fs, str) else ""


def series_name(name: str) -> str:
    """Returns the parts that get faster in a series, and its figures: "clock only, 100 ns"."""
    series = parse_series(name)
    return ", ".join([_policies_name(series.policies), *series.texts])


def is_series(name: str) -> bool:
    """Returns whether `name` is that of a series."""
    return parse_series(name).policies in display_names().series


def series_meaning(name: str) -> str:
    """Returns a sentence on the parts that get faster in a series; "" where there is none."""
    return _entry(display_names().series, parse_series(name).policies).meaning


def set_name(name: str) -> str:
    """Returns the name of a set of benchmarks."""
    return _entry(display_names().set, name).name


def engine_name(name: str) -> str:
    """Returns the name of a simulator or of a model."""
    return _entry(display_names().engine, name).name


def machine_name(name: str) -> str:
    """Returns the name of a machine: "MicroVAX II" of MVAX2 and of paper/MVAX2."""
    return _entry(display_names().machine, name.rpartition("/")[2], name).name


def column_name(name: str) -> str:
    """Returns a column's name, without its unit."""
    return display_names().column.get(name) or _plain(name)


def column_heading(column: Column) -> str:
    """Returns a column's name with its unit, if all rows have one: "clock, MHz"."""
    ending = " " + column.unit.lower().replace("/", " ")
    name = column_name(column.name).removesuffix(ending)
    is_named = column.unit in ("", "metric", "unit") or column.unit.lower() in name.lower()
    return name if is_named else f"{name}, {column.unit}"


RAW: Mapping[str, Callable[[str], str]] = {
    "series": series_name,
    "set": set_name,
    "engine": engine_name,
    "machine": machine_name,
}
"""Columns of raw names -> the function to their display names."""


def _policies_name(policies: str) -> str:
    names = display_names().series
    return names[policies].name if policies in names else clock_and_parts(policies) or policies


def _entry(section: Mapping[str, DisplayName], name: str, raw: str | None = None) -> DisplayName:
    entry = section.get(name)
    return entry or DisplayName.model_construct(name=_plain(name if raw is None else raw)[:120])


def _plain(name: str) -> str:
    return name.replace("_", " ").strip()
