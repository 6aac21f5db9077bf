# SPDX-License-Identifier: BSD-3-Clause
"""Machine files of measured boards that are not there."""

import runpy
from dataclasses import replace
from pathlib import Path

import measured
from board_trees import Board, make_tree, measured_text
from test_cores import facts_in

from osgap.base.paths import project_root
from osgap.machines.host import HostMix
from osgap.machines.machine import Machine, load_machine
from osgap.native.facts import machine_of
from osgap.native.merge import merge
from osgap.native.output import parse
from osgap.native.template.write import template, write_machine_file

MIX = HostMix(instructions=measured.MIX, counted_by="steps")
GEM5 = runpy.run_path(str(project_root() / "configs" / "gem5" / "latencies.py"))


def text_of(output: str, *, extends: bool = False) -> str:
    """The machine file of a measurement."""
    parsed = parse(output, "f")
    samples = merge(parsed, "f", MIX.instructions).transcript.samples
    return template("x", machine_of(parsed, MIX, "f"), parsed.facts, samples, extends=extends)


def write(path: Path, board: Board) -> None:
    """Writes the machine file of a board whose device tree tells nothing."""
    parsed = parse(measured_text(board, {}), "f")
    samples = merge(parsed, "f", MIX.instructions).transcript.samples
    write_machine_file(path, machine_of(parsed, MIX, "f"), parsed.facts, samples)


def loaded(folder: Path, text: str) -> Machine:
    """The machine of a machine file."""
    path = folder / "x.toml"
    path.write_text(text)
    return load_machine(path)


def facts_of(root: Path, board: Board) -> dict[str, str | None]:
    """The facts that measure.sh prints on the board."""
    lines = facts_in(make_tree(root, board)).stdout.splitlines()
    facts = dict(line.removeprefix("fact ").partition(" ")[::2] for line in lines)
    return {name: value for name, value in facts.items() if name != "uname"}


def of_board(folder: Path, board: Board) -> tuple[Machine, str]:
    """The machine of the board's machine file, and its text."""
    text = text_of(measured_text(board, facts_of(folder / "root", board)))
    return loaded(folder, text), text


def todo(text: str) -> str:
    """The list at the top, each entry on one line."""
    lines = text.partition("# - ")[2].partition("\ndescription")[0].split("\n")
    return " ".join(line.removeprefix("#   ").removeprefix("# - ") for line in lines)


def without(board: Board, *names: str) -> Board:
    """The board without times of these benchmarks."""
    return replace(board, ns={key: ns for key, ns in board.ns.items() if key not in names})
