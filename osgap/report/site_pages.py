# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pages of a site in parallel processes; pages of unchanged inputs stay as they are."""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path

from osgap import engines
from osgap.base import durable, processes
from osgap.base.config import read_json_model
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.output import mute_errors
from osgap.base.paths import project_root
from osgap.base.progress import each
from osgap.predict.borrowed_errors import committed_prior
from osgap.report.build import build
from osgap.report.document import LIBRARY, html
from osgap.report.explore_page import EXPLORER, build_explorer, explorer_html
from osgap.report.index import PageSummary
from osgap.report.sections.explore import Lenders, cached_lenders
from osgap.report.subject import Subject, load, sweep_description
from osgap.report.thumbnail import thumbnail

INDEX = "index.html"
RECORDS = ".pages"
"""The folder of the site that has a record of each page: what it was made from."""
_LIBRARIES = ("altair", "jinja2", "numpy", "pandas", "scipy")
_GARBAGE = 100_000
"""New objects after which a process that makes pages looks for cycles; 700 would cost 4 %."""
_CODE = ("osgap", "configs/machines", "results/reference")
"""Parts of the checkout that each page is made with."""


@dataclass(frozen=True)
class PageTask:
    """A page to make of the runs in `path`, or of two runs; `output` is None for no file.

    `title` is in plain words, "" for the run's own. With `explores` the explorer of the run is
    written too.
    """

    name: str
    path: Path
    beside: Path | None
    output: Path | None
    title: str = ""
    explores: bool = False

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that the page is made from."""
        return (self.path,) if self.beside is None else (self.path, self.beside)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that the page is written to."""
        names = (f"{self.name}.html", *([EXPLORER] if self.explores else []))
        return tuple(self.output / name for name in names) if self.output else ()


class PageRecord(Frozen):
    """A page that was made: the digest of its inputs, that of its file ("": none), its summary."""

    inputs: str
    page: str
    summary: PageSummary


def make_pages(tasks: Sequence[PageTask], records: Path, workers: int) -> dict[str, PageSummary]:
    """Makes the pages of `tasks`, and returns the summary of each, by name.

    A page whose record in `records` has the digest of its inputs is not made again. Raises OSError.
    """
    shared = _shared_digest()
    digests = {task.name: _digest(task, shared) for task in tasks}
    records_by_page = {task.name: _unchanged(task, digests[task.name], records) for task in tasks}
    changed = sorted(
        (task for task in tasks if records_by_page[task.name] is None),
        key=lambda task: -_size(task),
    )
    summaries = {name: record.summary for name, record in records_by_page.items() if record}
    for task, summary in _summaries(changed, workers):
        summaries[task.name] = summary
        if not summary.error:
            record = PageRecord(inputs=digests[task.name], page=_page_digest(task), summary=summary)
            durable.write_text(_record_file(task, records), record.model_dump_json(indent=1))
    return {task.name: summaries[task.name] for task in tasks}


def make_page(task: PageTask) -> PageSummary:
    """Makes one page. Raises OSError; a page that cannot be made has a summary with the error."""
    try:
        subject = load(task.path, task.beside)
        built = build(subject, small=True, lenders=_lenders(), title=task.title)
        picture = thumbnail(subject, built.comparisons)
    except OsgapError as error:
        # A page does not contain the path of the checkout.
        text = f"{task.path}: {error}".replace(f"{project_root()}/", "")
        return PageSummary(name=task.name, error=text)
    summary = PageSummary(
        name=task.name,
        description=_description(subject),
        finding=built.headline,
        picture=picture.svg if picture else "",
        alt=picture.alt if picture else "",
        engines=tuple(dict.fromkeys(run.engine for run in subject.analysed)),
    )
    if task.output is not None:
        text = html(built.page, link=LIBRARY, home=INDEX)
        durable.write_text(task.output / summary.file, text)
        if task.explores:
            return summary.model_copy(update={"explorer": _explorer(subject, task.output)})
    return summary


def _explorer(subject: Subject, output: Path) -> str:
    """Writes the explorer of a run; returns its file, "" for a run that cannot be predicted."""
    try:
        text = explorer_html(build_explorer(subject, _lenders()), home=INDEX)
    except OsgapError:
        (output / EXPLORER).unlink(missing_ok=True)
        return ""
    durable.write_text(output / EXPLORER, text)
    return EXPLORER


def _description(subject: Subject) -> str:
    """The descriptions of the subject's sweeps: the first, and the number of the others."""
    first, *rest = dict.fromkeys(sweep_description(state) for state in subject.states)
    ending = "" if not first or first.endswith(".") else "."
    more = f" And {len(rest)} more sweep{'s' if len(rest) > 1 else ''}." if rest else ""
    return f"{first}{ending}{more}"


@cache
def _lenders() -> Lenders:
    """The runs that lend their errors, read once in each process."""
    return cached_lenders()


def _summaries(tasks: Sequence[PageTask], workers: int) -> Iterator[tuple[PageTask, PageSummary]]:
    """Makes pages, several at once, and yields each with its summary when it is ready."""
    count = min(workers, len(tasks))
    if count < 2:
        for task in each(tasks, "Making a page of", lambda task: task.name):
            yield task, make_page(task)
        return
    if any(task.path.resolve() == committed_prior() for task in tasks):
        with suppress(OsgapError):  # each page that needs it says what is wrong with it
            for engine in engines.names():
                _lenders()(engine)  # the processes share what is read before they begin
    pool: Executor
    with ProcessPoolExecutor(
        count, get_context("fork"), initializer=_begin, initargs=(os.getpid(),)
    ) as pool:
        futures = {pool.submit(make_page, task): task for task in tasks}
        ready = as_completed(futures)
        try:
            for _ in each(
                range(len(tasks)), "Making page", lambda index: f"{index + 1} of {len(tasks)}"
            ):
                future = next(ready)
                yield futures[future], future.result()
        except BrokenProcessPool:
            raise OsgapError("a process that makes pages was killed") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _begin(parent: int) -> None:
    """Prepares a process that makes pages: it ends with its parent, whose progress is printed."""
    processes.die_with(parent)
    # What was read before lives as long as the process, and pages make few cycles.
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    mute_errors()


def _unchanged(task: PageTask, digest: str, records: Path) -> PageRecord | None:
    """The record of a page that need not be made again; None if it must."""
    try:
        record = read_json_model(_record_file(task, records), PageRecord)
    except OsgapError:
        return None
    if record.inputs != digest:
        return None
    return record if task.output is None or record.page == _page_digest(task) else None


def _page_digest(task: PageTask) -> str:
    """The digest of the page's files; "" without any."""
    return " ".join(durable.sha256(file) for file in task.files if file.is_file())


def _record_file(task: PageTask, records: Path) -> Path:
    return records / f"{task.name}.json"


def _shared_digest() -> str:
    """The digest of what every page is made with: code, libraries, references, lenders."""
    digest = hashlib.sha256("".join(map(_version, _LIBRARIES)).encode())
    for folder in (*(project_root() / name for name in _CODE), committed_prior()):
        _add(digest, folder)
    return digest.hexdigest()


def _digest(task: PageTask, shared: str) -> str:
    digest = hashlib.sha256(f"{shared}\0{task.title}\0{task.explores}\0".encode())
    for folder in task.folders:
        digest.update(f"{folder}\0".encode())
        _add(digest, folder)
    return digest.hexdigest()


def _add(digest: hashlib._Hash, folder: Path) -> None:
    """Adds the names and contents of a folder's files, without pictures and compiled code."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".pyc", ".png", ".svg") and path.is_file():
            line = f"{path.relative_to(folder)}\0{durable.sha256(path)}\n"
            digest.update(line.encode(errors="surrogateescape"))


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}\n"
    except PackageNotFoundError:
        return f"{name}\n"


def _size(task: PageTask) -> int:
    """The bytes of the page's inputs, by which the largest pages are begun first."""
    files = (path for folder in task.folders for path in folder.rglob("*"))
    return sum(path.stat().st_size for path in files if path.is_file())
