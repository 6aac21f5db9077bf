# SPDX-License-Identifier: BSD-3-Clause
"""Reads all of gem5's statistics files, text and JSON, in a directory into one table."""

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pandas as pd

from osgap.base import inputs, packed
from osgap.base.errors import OsgapError
from osgap.base.packed import ARCHIVE_SUFFIX, read_archive
from osgap.base.quoting import quoted
from osgap.gem5stats import gem5json, gem5text
from osgap.gem5stats.gem5text import Dump, Number

SHOWN = r"^simSeconds$|^simInsts$"
"""The statistics of a tree that are selected by default."""
_NAME = re.compile(r".*stats.*\.(?:txt|json)(?:\.xz)?")
_JSON = (".json", ".json.xz")


@dataclass(frozen=True)
class SelectedDump:
    """The selected statistics of one dump: `values` and, if the dump has them, `units` by name.

    `file` is its path in the tree, `dump` its number there from 0. `is_last`: it comes from a JSON
    file, in which each dump of gem5's replaces the one before.
    """

    file: str
    dump: int
    values: Mapping[str, Number]
    units: Mapping[str, str]
    is_last: bool = False


@dataclass(frozen=True)
class Tree:
    """All dumps in a directory, file by file; `faults` as in Collected."""

    dumps: tuple[SelectedDump, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True)
class Collected:
    """`table`: a row a dump, columns file, dump (from 0), then the selected statistics.

    A statistic that a dump lacks is None, in contrast to a nan that gem5 prints. `faults` has a
    sentence for each file that could not be read to its end.
    """

    table: pd.DataFrame
    faults: tuple[str, ...]


def load(directory: Path, select: str) -> Tree:
    """Reads every statistics file in or below a directory, or a single file.

    Statistics files are those named like stats.txt or stats.json, also .xz, and JSON files of any
    name that begin as gem5's statistics do; also those in archives (.tar.xz) of accepted runs.
    `select` is a regular expression to search in names. Keeps the dumps of a file before its
    fault. Raises OsgapError for a bad expression, for a directory without such files, and if no
    statistic matches.
    """
    pattern = _pattern(select)
    files = [directory] if directory.is_file() else sorted(_files(directory))
    dumps: list[SelectedDump] = []
    faults: list[str] = []
    texts = 0
    for file in files:
        path = Path(file.name if file == directory else file.relative_to(directory))
        try:
            for member, text_dumps in _texts(file, named=file == directory):
                texts, before, is_last = texts + 1, len(dumps), member.endswith(_JSON)
                is_last = is_last or (not member and file.name.endswith(_JSON))
                for number, dump in enumerate(text_dumps):
                    dumps.append(_selected(str(path / member), number, dump, pattern, is_last))
                if len(dumps) == before:
                    faults.append(f"{file / member}: has no dump")
        except OsgapError as error:
            faults.append(str(error))
    if not texts and not faults:
        raise OsgapError(f"{directory}: holds no file called like stats.txt or stats.json")
    if not any(dump.values for dump in dumps):
        if faults:
            raise OsgapError("; ".join(faults))
        raise OsgapError(f"{directory}: no statistic matches {quoted(select)}")
    return Tree(tuple(dumps), tuple(faults))


def collect(directory: Path, select: str = SHOWN) -> Collected:
    """Returns the statistics that `load` reads as one table. Raises OsgapError as it does."""
    tree = load(directory, select)
    names = dict.fromkeys(name for dump in tree.dumps for name in dump.values)
    cells = [[dump.file, dump.dump, *map(dump.values.get, names)] for dump in tree.dumps]
    table = pd.DataFrame(cells, columns=["file", "dump", *names], dtype=object)
    return Collected(table, tree.faults)


def csv_text(table: pd.DataFrame) -> str:
    """Returns a table as CSV with \\n; a missing value is empty, gem5's nan is nan."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.itertuples(index=False, name=None))
    return stream.getvalue()


def json_text(table: pd.DataFrame) -> str:
    """Returns a table as a JSON list of records; both nan and a missing value are null."""
    records = [
        {name: None if _is_undefined(cell) else cell for name, cell in row.items()}
        for row in table.to_dict("records")
    ]
    return json.dumps(records, indent=1, allow_nan=False) + "\n"


def _is_undefined(cell: object) -> bool:
    return isinstance(cell, float) and not math.isfinite(cell)


def _selected(
    file: str, number: int, dump: Dump, pattern: re.Pattern[str], is_last: bool
) -> SelectedDump:
    """Returns a dump's rows whose names match; NAME[i] for a row of several values."""
    values: dict[str, Number] = {}
    units: dict[str, str] = {}
    for row in dump.rows:
        if pattern.search(row.name):
            several = len(row.cells) > 1
            for index, cell in enumerate(row.cells):
                name = f"{row.name}[{index}]" if several else row.name
                values[name] = cell.value
                if unit := row.unit:
                    units[name] = unit
    return SelectedDump(file, number, values, units, is_last)


def _pattern(select: str) -> re.Pattern[str]:
    try:
        return re.compile(select)
    except re.error as error:
        raise OsgapError(f"--select: {quoted(select)} is no regular expression: {error}") from None


def _files(directory: Path) -> Iterator[Path]:
    names = (path for path in directory.rglob("*") if _may_be_read(path.name))
    return (path for path in names if path.is_file())


def _may_be_read(name: str) -> bool:
    return _NAME.fullmatch(name) is not None or name.endswith((ARCHIVE_SUFFIX, *_JSON))


def _texts(file: Path, named: bool) -> Iterator[tuple[str, Iterator[Dump]]]:
    """Yields the dumps of a file ("" as name), or those of each statistics file in an archive.

    Skips a JSON file that holds no statistics of gem5's, unless the user `named` it.
    """
    if file.name.endswith(ARCHIVE_SUFFIX):
        for name, content in read_archive(file):
            if _NAME.fullmatch(PurePosixPath(name).name) or _is_json(name, content):
                yield name, _parse(name, content, str(file / name))
    elif not file.name.endswith(_JSON):
        yield "", gem5text.read_dumps(file)
    elif named or _NAME.fullmatch(file.name) or _is_json(file.name, _head(file)):
        yield "", gem5json.read_dumps(file)


def _parse(name: str, content: bytes, where: str) -> Iterator[Dump]:
    if name.endswith(_JSON):
        return gem5json.parse(content, where)
    stream = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="\n")
    return gem5text.parse(stream, where)


def _is_json(name: str, head: bytes) -> bool:
    return name.endswith(_JSON) and gem5json.is_statistics(head[: gem5json.HEAD])


def _head(file: Path) -> bytes:
    """Returns the beginning of any file; b"" if it cannot be unpacked."""
    try:
        return packed.read_head(file, gem5json.HEAD)
    except inputs.NotReadableError as error:
        raise OsgapError(f"{file}: cannot be read: {error.strerror}") from None
    except packed.DAMAGE:
        return b""
    except OSError as error:
        raise OsgapError(f"{file}: cannot be read: {error.strerror}") from None
