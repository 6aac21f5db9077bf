# SPDX-License-Identifier: BSD-3-Clause
"""Anyone's stats.txt files, from wherever they lie, in one table."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pandas as pd

from osgap.base.errors import OsgapError
from osgap.base.packed import ARCHIVE_SUFFIX, read_archive
from osgap.base.shown import found
from osgap.stats.gem5text import Dump, Number, parse, read_dumps

_NAME = re.compile(r".*stats.*\.txt(?:\.xz)?")


@dataclass(frozen=True)
class Collected:
    """`table`: a row a dump, columns file, dump (from 0), then the statistics chosen.

    A statistic that a dump lacks is missing (None), which is not the same as nan, which gem5
    prints.  `faults` has a sentence for each file that could not be read to its end.
    """

    table: pd.DataFrame
    faults: tuple[str, ...]


def collect(directory: Path, select: str) -> Collected:
    """Reads every statistics file (named like stats.txt or stats.txt.xz) below a directory.

    Those in archives (.tar.xz), as accepted runs have, are read in place.

    `select` is a regular expression searched in the names; the dumps of a file before its fault
    are kept.  Raises OsgapError for a bad expression, for a directory without such files, and
    when no statistic matches.
    """
    try:
        pattern = re.compile(select)
    except re.error as error:
        raise OsgapError(f"--select: {found(select)} is no regular expression: {error}") from None
    files = [directory] if directory.is_file() else sorted(_files(directory))
    if not files:
        raise OsgapError(f"{directory}: holds no file called like stats.txt")
    rows: list[dict[str, object]] = []
    faults: list[str] = []
    for file in files:
        shown = Path(file.name if file == directory else file.relative_to(directory))
        try:
            for inside, dumps in _texts(file):
                before = len(rows)
                for number, dump in enumerate(dumps):
                    name = str(shown / inside)
                    rows.append({"file": name, "dump": number, **chosen(dump, pattern)})
                if len(rows) == before:
                    faults.append(f"{file / inside}: has no dump")
        except OsgapError as error:
            faults.append(str(error))
    if not any(len(row) > 2 for row in rows):
        told = "; ".join(faults) or f"no statistic matches {found(select)}"
        raise OsgapError(f"{directory}: {told}")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[row.get(name) for name in columns] for row in rows]
    return Collected(pd.DataFrame(cells, columns=columns, dtype=object), tuple(faults))


def csv_text(table: pd.DataFrame) -> str:
    """CSV with a newline at each end; what a dump lacks is empty, what gem5 calls nan is nan."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.itertuples(index=False, name=None))
    return stream.getvalue()


def chosen(dump: Dump, pattern: re.Pattern[str]) -> dict[str, Number]:
    """Name to value of a dump's rows whose names match; NAME[i] for a row of several values."""
    found: dict[str, Number] = {}
    for row in dump.rows:
        if pattern.search(row.name):
            several = len(row.cells) > 1
            for at, cell in enumerate(row.cells):
                found[f"{row.name}[{at}]" if several else row.name] = cell.value
    return found


def _files(directory: Path) -> Iterator[Path]:
    names = (path for path in directory.rglob("*") if _is_read(path.name))
    return (path for path in names if path.is_file())


def _is_read(name: str) -> bool:
    return _NAME.fullmatch(name) is not None or name.endswith(ARCHIVE_SUFFIX)


def _texts(file: Path) -> Iterator[tuple[str, Iterator[Dump]]]:
    """The dumps of a file, or of each statistics file in an archive, with its name there."""
    if not file.name.endswith(ARCHIVE_SUFFIX):
        yield "", read_dumps(file)
        return
    for name, content in read_archive(file):
        if _NAME.fullmatch(PurePosixPath(name).name):
            stream = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="\n")
            yield name, parse(stream, str(file / name))
