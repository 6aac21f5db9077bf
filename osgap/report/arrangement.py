# SPDX-License-Identifier: BSD-3-Clause
"""Reads site.toml: how the index of a site groups, orders and describes its pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from osgap.base.config import ConfigError, read_model
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.base.suggestions import hint
from osgap.base.validation import out_of_range
from osgap.rundir.directory import runs_below

ARRANGEMENT = "site.toml"
_SiteText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
_Page = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
_Folder = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$")
]


def page_name(folder: str) -> str:
    """The name of the page of a folder of runs: that of the folder, without its group's."""
    return folder.rpartition("/")[2]


def folders_with_runs(folder: Path) -> list[str]:
    """The folders in `folder` that hold runs, and those in them: names and GROUP/NAME, sorted."""
    groups = [path for path in _directories(folder) if runs_below(path)]
    inner = [path for group in groups for path in _directories(group) if runs_below(path)]
    return sorted(str(path.relative_to(folder)) for path in [*groups, *inner])


def _directories(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()]


class Comparison(Frozen):
    """A page of two runs side by side: its name, and the folders of both."""

    page: _Page
    runs: tuple[_Folder, _Folder]


class SiteCard(Frozen):
    """A card of the index: a title, a line of text, and folders of runs or a comparison."""

    title: _SiteText
    text: _SiteText
    runs: tuple[_Folder, ...] = ()
    compare: Comparison | None = None

    @property
    def pages(self) -> tuple[str, ...]:
        """Names of the card's pages."""
        if self.compare:
            return (self.compare.page,)
        return tuple(page_name(run) for run in self.runs)

    @model_validator(mode="after")
    def _has_pages(self) -> SiteCard:
        if bool(self.runs) == bool(self.compare):
            choice = "both" if self.runs else "neither"
            raise out_of_range(choice, "either runs or compare", "runs")
        return self


class SiteGroup(Frozen):
    """A group of cards under a heading; a folded one opens at a click."""

    title: _SiteText
    text: str = ""
    folded: bool = False
    card: tuple[SiteCard, ...] = Field(min_length=1)


class SiteArrangement(Frozen):
    """The file: the index's title and text, the run whose finding leads it, and the groups."""

    title: _SiteText
    text: _SiteText
    lead: _Folder
    group: tuple[SiteGroup, ...] = Field(min_length=1)

    @property
    def pages(self) -> dict[str, str]:
        """The folder of each page of one folder, by the page's name."""
        return {page_name(run): run for _, card in self.cards for run in card.runs}

    @property
    def cards(self) -> Iterator[tuple[str, SiteCard]]:
        """All cards, each with its key in the file."""
        for index, group in enumerate(self.group):
            for number, card in enumerate(group.card):
                yield f"group.{index}.card.{number}", card


def find_arrangement(folder: Path) -> Path | None:
    """The site.toml of a folder of runs: in it, or in the folder `site` beside it."""
    places = (folder / ARRANGEMENT, folder.resolve().parent / "site" / ARRANGEMENT)
    return next((path for path in places if path.is_file()), None)


def read_arrangement(folder: Path, names: Sequence[str]) -> SiteArrangement:
    """The arrangement of the runs `names` in `folder`; runs that it does not list come last.

    `names` are those of `folders_with_runs`. Without a file all runs are one group, by their names.
    Raises ConfigError.
    """
    file = find_arrangement(folder)
    if file is None:
        return _unarranged(folder, [name for name in names if "/" not in name])
    arrangement = read_model(file, SiteArrangement)
    _check_names(arrangement, names, file)
    listed = {run for _, card in arrangement.cards for run in card.runs}
    unlisted = tuple(_plain_card(name) for name in _unlisted(names, listed))
    return _with_others(arrangement, unlisted)


def _unlisted(names: Sequence[str], listed: Collection[str]) -> Iterator[str]:
    """The folders without a card: of a group with listed folders, those beside them."""
    groups = {name.partition("/")[0] for name in listed if "/" in name}
    for name in names:
        group, _, inner = name.partition("/")
        if name not in listed and (group in groups if inner else name not in groups):
            yield name


def _with_others(arrangement: SiteArrangement, unlisted: tuple[SiteCard, ...]) -> SiteArrangement:
    """The arrangement with more cards at the end of its last group."""
    if not unlisted:
        return arrangement
    *groups, last = arrangement.group
    last = last.model_copy(update={"card": last.card + unlisted})
    return arrangement.model_copy(update={"group": (*groups, last)})


def _unarranged(folder: Path, names: Sequence[str]) -> SiteArrangement:
    cards = tuple(_plain_card(name) for name in names)
    return SiteArrangement(
        title=f"osgap: {folder.resolve().name}",
        text="Each of these is an experiment: its question, its result, and a page to explore it.",
        lead=names[0],
        group=(SiteGroup(title="Runs", card=cards),),
    )


def _plain_card(name: str) -> SiteCard:
    """The card of a run that no file describes; the run's own description becomes its text."""
    return SiteCard.model_construct(title=name, text="", runs=(name,), compare=None)


def _check_names(arrangement: SiteArrangement, names: Sequence[str], file: Path) -> None:
    """Raises ConfigError for a run that is not there, and for a page that is listed twice."""
    folders = set(names)
    by_name = {page_name(name) for name in names}
    pages: dict[str, str] = {}
    for key, card in arrangement.cards:
        compared = card.compare.runs if card.compare else ()
        for name in (*card.runs, *compared):
            if name not in folders:
                raise ConfigError(
                    f"{file}: {key}: found {quoted(name)}; allowed: a folder with runs; "
                    f"{hint(name, names)}known here: {', '.join(names)}"
                )
        for page in card.pages:
            if page in pages or (card.compare and page in by_name):
                raise ConfigError(
                    f"{file}: {key}: found the page {quoted(page)} again; allowed: each page once"
                )
            pages[page] = key
    if arrangement.lead not in folders:
        raise ConfigError(
            f"{file}: lead: found {quoted(arrangement.lead)}; allowed: {', '.join(names)}"
        )
