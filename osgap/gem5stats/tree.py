# SPDX-License-Identifier: BSD-3-Clause
"""Reads all of gem5's statistics files, text and JSON, in a directory into one table."""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

import pandas as pd

from osgap.base.errors import OsgapError
from osgap.base.packed import ARCHIVE_SUFFIX, read_archive
from osgap.base.quoting import quoted
from osgap.base.suggestions import no_directory
from osgap.gem5stats import anytext, gem5json, opening
from osgap.gem5stats.aliases import today
from osgap.gem5stats.files import HDF5, JSON, NAME, find, head, is_json, order, stem
from osgap.gem5stats.gem5text import Dump
from osgap.gem5stats.opening import DumpSource
from osgap.gem5stats.textrow import Number

SHOWN = r"^simSeconds$|^simInsts$"
"""The statistics of a tree that are selected by default."""
_SECONDS, _TICKS, _FREQUENCY, _END = "simSeconds", "simTicks", "simFreq", "finalTick"


@dataclass(frozen=True)
class SelectedDump:
    """The selected statistics of one dump: `values` and, if the dump has them, `units` by name.

    Names are those of gem5 since version 21. simSeconds is simTicks / simFreq, not what the text
    rounds it to. `file` is the path in the tree, `dump` the number there from 0. `is_last`: it
    comes from a JSON file, in which each dump of gem5's replaces the one before. `message` is the
    text in the begin line; `ticks` is simTicks and `end` is finalTick, None if the dump lacks it.
    """

    file: str
    dump: int
    values: Mapping[str, Number]
    units: Mapping[str, str]
    is_last: bool = False
    message: str = ""
    ticks: Number | None = None
    end: Number | None = None


View = Callable[[Path, list[SelectedDump], DumpSource], list[SelectedDump]]
"""Returns those dumps of a file that are wanted, and completes the sentences of its source."""


@dataclass(frozen=True)
class Tree:
    """All dumps in a directory, file by file.

    `faults` has a sentence for what could not be read, `notes` one for what was read in an unusual
    way or passed over.
    """

    dumps: tuple[SelectedDump, ...]
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """The table of the dumps (see `tabulated`)."""
        return tabulated(self.dumps)


def load(directory: Path, select: str = SHOWN, view: View | None = None) -> Tree:
    """Reads every statistics file in or below a directory, or a single file.

    Statistics files are those named like stats.txt or stats.json, also .gz and .xz, and JSON files
    of any name that begin as gem5's statistics do; also those in archives (.tar.xz) of accepted
    runs. `select` is a regular expression to search in names, those of the file and those since
    gem5 21; `view` chooses dumps of each file. Keeps what can be read of a damaged file. Raises
    OsgapError for a bad expression, for a directory without such files, and if no statistic
    matches.
    """
    tree = read(directory, select, view=view)
    check(str(directory), select, tree)
    return tree


def read(directory: Path, select: str, *, nested: bool = True, view: View | None = None) -> Tree:
    """Reads as `load` does, but returns a tree without statistics where files are damaged.

    Without `nested` no files below the directory's own are read.
    """
    reader = _Reader(directory, pattern("--select", select), view)
    if not directory.exists():
        raise OsgapError(no_directory(directory, "file or directory"))
    candidates = find(directory, nested=nested)
    files = [directory] if directory.is_file() else sorted(candidates, key=order)
    for file in files:
        reader.read(file)
    if not reader.texts and not reader.faults:
        raise OsgapError(f"{directory}: holds no file called like stats.txt or stats.json")
    return Tree(tuple(reader.dumps), tuple(reader.faults), tuple(reader.notes))


def check(where: str, select: str, *trees: Tree) -> None:
    """Raises OsgapError, which begins with `where`, if no tree has a statistic."""
    if any(dump.values for tree in trees for dump in tree.dumps):
        return
    if faults := [fault for tree in trees for fault in tree.faults]:
        raise OsgapError("; ".join(faults))
    raise OsgapError(f"{where}: no statistic matches {quoted(select)}")


def tabulated(dumps: Iterable[SelectedDump]) -> pd.DataFrame:
    """Returns a row a dump: columns file, dump (from 0), then the selected statistics.

    A statistic that a dump lacks is None, in contrast to a nan that gem5 prints. A column message
    follows dump if a dump has one.
    """
    dumps = list(dumps)
    names = dict.fromkeys(name for dump in dumps for name in dump.values)
    cells = [[dump.file, dump.dump, *map(dump.values.get, names)] for dump in dumps]
    table = pd.DataFrame(cells, columns=["file", "dump", *names], dtype=object)
    if any(dump.message for dump in dumps):
        table.insert(2, "message", [dump.message for dump in dumps])
    return table


class _Reader:
    """Collects the dumps of the files of a directory."""

    def __init__(self, directory: Path, pattern: re.Pattern[str], view: View | None) -> None:
        self._directory, self._pattern, self._view = directory, pattern, view
        self.texts = 0
        self.dumps: list[SelectedDump] = []
        self.faults: list[str] = []
        self.notes: list[str] = []
        self._last: dict[Path, tuple[str, SelectedDump]] = {}
        self.selects = lru_cache(maxsize=1 << 17)(self._selects)

    def _selects(self, name: str) -> bool:
        now = today(name)
        is_time = now in (_TICKS, _FREQUENCY, _END)
        return bool(is_time or self._pattern.search(name) or self._pattern.search(now))

    def read(self, file: Path) -> None:
        """Collects the dumps of a file or an archive."""
        named = file == self._directory
        path = Path(file.name if named else file.relative_to(self._directory))
        try:
            for member, source in self._sources(file, named):
                self.texts += 1
                name = str(path / member)
                dumps = list(self._dumps(name, source.dumps))
                if not self._is_copy(path / member, dumps):
                    view = self._view
                    self.dumps += view(file / member, dumps, source) if view else dumps
                self.faults += source.faults
                self.notes += source.notes
        except OsgapError as error:
            self.faults.append(str(error))

    def _is_copy(self, path: Path, dumps: list[SelectedDump]) -> bool:
        """Returns True, with a note, for a second file of the run whose last dump is the same."""
        if not dumps:
            return False
        name, last = self._last.setdefault(stem(path), (str(path), dumps[-1]))
        if name == str(path) or last.ticks is None or last.ticks != dumps[-1].ticks:
            return False
        where = self._directory / path
        self.notes.append(f"{where}: passed over: it has the last dump of {Path(name).name}")
        return True

    def _dumps(self, file: str, dumps: Iterable[Dump]) -> Iterator[SelectedDump]:
        """Yields what is selected of a file's dumps."""
        selected = [self._values(file, dump) for dump in dumps]
        # gem5 has one frequency in a run, and a row may be damaged.
        frequency = next((f for values, _, _ in selected if (f := values.get(_FREQUENCY))), 0)
        for number, (values, units, message) in enumerate(selected):
            ticks, end = values.get(_TICKS), values.get(_END)
            if ticks and frequency and _SECONDS in values:
                values[_SECONDS] = _seconds(ticks, frequency)
            for name in (_TICKS, _FREQUENCY, _END):
                if not self._pattern.search(name):
                    values.pop(name, None)
                    units.pop(name, None)
            is_last = file.endswith(JSON)
            yield SelectedDump(file, number, values, units, is_last, message, ticks, end)

    def _values(self, file: str, dump: Dump) -> tuple[dict[str, Number], dict[str, str], str]:
        """Returns values and units of a dump, NAME[i] for the i-th of several values."""
        rows = [(today(row.name), row) for row in dump.rows if self.selects(row.name)]
        counts = Counter[str]()
        for name, row in rows:
            counts[name] += len(row.cells)
        values: dict[str, Number] = {}
        units: dict[str, str] = {}
        indices = Counter[str]()
        for name, row in rows:
            for cell in row.cells:
                key = f"{name}[{indices[name]}]" if counts[name] > 1 else name
                indices[name] += 1
                values[key] = cell.value
                if unit := row.unit:
                    units[key] = unit
        self._tell_repeated(file, Counter(name for name, _ in rows))
        return values, units, dump.message

    def _tell_repeated(self, file: str, rows: Counter[str]) -> None:
        repeated = [name for name, count in rows.items() if count > 1]
        if repeated:
            more = f" and {len(repeated) - 1} more" if len(repeated) > 1 else ""
            name = repeated[0]
            note = f"{file}: {name}{more} is there twice in a dump; read as {name}[0], {name}[1]"
            if note not in self.notes:
                self.notes.append(note)

    def _sources(self, file: Path, named: bool) -> Iterator[tuple[str, DumpSource]]:
        """Yields the dumps of a file ("" as name), or those of each statistics file in an archive.

        Skips a JSON file that holds no statistics of gem5's, unless the user `named` it.
        """
        if file.name.endswith(ARCHIVE_SUFFIX):
            for name, content in read_archive(file):
                if NAME.fullmatch(PurePosixPath(name).name) or is_json(name, content):
                    yield name, self._parsed(name, content, file / name)
        elif file.name.endswith(HDF5):
            raise OsgapError(f"{file}: is HDF5, which is not read; gem5 writes text and JSON too")
        elif not file.name.endswith(JSON):
            yield "", anytext.read(file, self.selects)
        elif named or NAME.fullmatch(file.name) or is_json(file.name, head(file)):
            yield "", _from_json(gem5json.read_dumps(file))

    def _parsed(self, name: str, content: bytes, where: Path) -> DumpSource:
        if name.endswith(JSON):
            return _from_json(gem5json.parse(content, str(where)))
        stream = opening.unpack(io.BufferedReader(io.BytesIO(content)), where)
        return anytext.parse(opening.text(stream), str(where), self.selects)


def _from_json(dumps: Iterable[Dump]) -> DumpSource:
    """Returns a source whose fault is the error behind its dumps."""

    def guarded() -> Iterator[Dump]:
        try:
            yield from dumps
        except OsgapError as error:
            source.faults.append(str(error))

    source = DumpSource(guarded())
    return source


def _seconds(ticks: Number, frequency: Number) -> Number:
    """Returns the exact time, which the text rounds to a millionth of a second."""
    return gem5json.plain(float(ticks) / float(frequency))


def pattern(option: str, text: str) -> re.Pattern[str]:
    """Returns the regular expression that a user typed for `option`. Raises OsgapError."""
    try:
        return re.compile(text)
    except re.error as error:
        raise OsgapError(f"{option}: {quoted(text)} is no regular expression: {error}") from None
