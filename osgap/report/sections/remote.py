# SPDX-License-Identifier: BSD-3-Clause
"""Section of files on a server: the machine's network, and where an operation's time goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from osgap.analysis.analysed import AnalysedRun
from osgap.drawing.display_names import benchmark_name, series_name
from osgap.machines.axes import FIGURES
from osgap.report.blocks import Block, Chart, PageSection, Select, Text
from osgap.report.remote_parts import PARTS, remote_parts
from osgap.report.subject import Subject

_TABLE = "remote_time"
_FIRST = "create_delete_10k"
"""The benchmark that is shown first: it waits for everything."""


def section(subject: Subject) -> PageSection | None:
    """The section; None unless a run has files on a server."""
    runs = [run for run in subject.analysed if _TABLE in run.tables]
    if not runs:
        return None
    return PageSection("remote", "Files on a server", list(_blocks(subject, runs)), "Server")


def _blocks(subject: Subject, runs: Sequence[AnalysedRun]) -> Iterator[Block]:
    yield Text(network_text(runs))
    yield Text(
        "One processor takes the client's and the server's part in turn. While it idles, it waits "
        "for the wire and the server's disk, in proportion to the time that each is busy; what of "
        "this passes while it works counts as the processor's."
    )
    if len(runs) > 1:
        names = [subject.name_of(run) for run in runs]
        yield Select("remote-run", "Run", [(name, name) for name in names])
    rows = [run.tables[_TABLE] for run in runs]
    benchmarks = dict.fromkeys(
        (str(name), str(fs))
        for table in rows
        for name, fs in zip(table["benchmark"], table["fs"], strict=True)
    )
    first = next((f"{name} {fs}" for name, fs in benchmarks if name == _FIRST), "")
    yield Select(
        "remote-benchmark",
        "Benchmark",
        [(f"{name} {fs}", benchmark_name(name, fs)) for name, fs in benchmarks],
        first,
    )
    series = dict.fromkeys(str(name) for table in rows for name in table["series"])
    yield Select("remote-series", "Faster", [(name, series_name(name)) for name in series])
    present = [name for name in PARTS if any((table[name] > 0).any() for table in rows)]
    yield Chart(
        "remote-parts",
        "Parts of its time",
        "Shares of the operation's time by clock. The table remote_time below has the numbers.",
        remote_parts(present),
    )


def network_text(runs: Sequence[AnalysedRun]) -> str:
    """The networks of the runs' points in a sentence: their least and largest figures."""
    systems = [
        point.record.system
        for run in runs
        for point in run.run.points.values()
        if point.record.system.network is not None
    ]
    texts = []
    for axis in FIGURES:
        if axis.part == "network":
            values = [axis.of(system) for system in systems]
            low, high = min(values), max(values)
            ends = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
            texts.append(f"{ends} {axis.unit}")
    rate, delay = texts
    return f"The network between client and server: {rate}, a delay of {delay} each way."
