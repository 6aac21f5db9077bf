# SPDX-License-Identifier: BSD-3-Clause
"""Layouts: the same objects linked in another order, and a file system that moves nothing."""

import re
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from outcomes import per_operation_ns, regions
from shared import Once

from osgap.base.errors import OsgapError
from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import Job, Outcome
from osgap.guest.protocol import Orders
from osgap.image.builder import cpio, link_order
from osgap.image.files import Image, load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

ROOT = project_root()
BUILD = ROOT / "build"
SCRIPT = (
    ".text : { *(.text.hot) *(.text .text.*) } .rodata : { *(.rodata) *(.rodata.*) }\n"
    ".data : { *(.data .data.*) } .bss : { *(.bss .bss.*) *(COMMON) }\n"
)
MAP = """Discarded input sections

 .text.gone     0x0000000000000000       0x10 a.o

Linker script and memory map

 .text.first    0x0000000000001000       0x10 a.o
 .text.of_a_name_so_long_that_it_has_a_line
                0x0000000000001010       0x20 a.o
 .text          0x0000000000001030       0x20 /usr/lib/libc.a(printf.o)
 *fill*         0x0000000000001050       0x10 
 .text.empty    0x0000000000001060        0x0 b.o
 .text.last     0x0000000000001060       0x10 b.o
 .rodata.str1.8
                0x0000000000002000       0x10 a.o
 .rodata.table  0x0000000000002010       0x10 a.o
 .data.one      0x0000000000003000       0x10 a.o
 .data..special
                0x0000000000003010       0x10 a.o
 .bss.one       0x0000000000004000       0x10 b.o
"""  # noqa: W291


def patterns(text: str, kind: str) -> list[str]:
    """What the script orders of one kind, before the linker's own pattern."""
    own = re.search(rf"\.{kind} : {{(.*?)\*\(\.{kind}[ )]", text, re.S)
    assert own is not None
    return re.findall(r"\*\S*\(\S+\)", own[1].replace("*(.text.hot)", ""))


def test_a_map_says_what_lies_where() -> None:
    found = {(one.name, one.address) for one in link_order.sections(MAP)}
    assert (".text.of_a_name_so_long_that_it_has_a_line", 0x1010) in found
    assert (".text", 0x1030) in found
    assert not {".text.gone", ".text.empty", "*fill*"} & {name for name, _ in found}


@given(number=st.integers(1, 65535))
def test_each_section_is_ordered_once_and_a_librarys_by_its_member(number: int) -> None:
    ordered = link_order.script(SCRIPT, MAP, number)
    assert sorted(patterns(ordered, "text")) == sorted(
        [
            "*(.text.first)",
            "*(.text.of_a_name_so_long_that_it_has_a_line)",
            "*libc.a:printf.o(.text)",
            "*(.text.last)",
        ]
    )
    # What the linker merges, and what has a place of its own, stays.
    assert patterns(ordered, "rodata") == ["*(.rodata.table)"]
    assert patterns(ordered, "data") == ["*(.data.one)"]
    assert link_order.script(SCRIPT, MAP, number) == ordered
    pads = [int(pad) for pad in re.findall(r"\. \+= (\d+);", ordered)]
    assert len(pads) == 4 and all(pad % 64 == 0 and 0 < pad < 4096 for pad in pads)


def test_layouts_differ_and_the_default_is_the_linkers_own() -> None:
    assert link_order.script(SCRIPT, MAP, link_order.DEFAULT) == SCRIPT
    assert len({link_order.script(SCRIPT, MAP, number) for number in range(10)}) == 10


@pytest.mark.parametrize(
    ("script", "linker_map"), [(SCRIPT.replace("*(.bss ", "*(.b "), MAP), (SCRIPT, "")]
)
def test_a_script_or_map_without_a_kind_is_refused(script: str, linker_map: str) -> None:
    with pytest.raises(OsgapError, match=r"has no \.(bss|text) to order"):
        link_order.script(script, linker_map, 1)


def _archive(*more: cpio.CpioEntry) -> tuple[list[cpio.CpioEntry], bytes]:
    base = [
        cpio.CpioEntry("/bin/a", "file", 0o755, b"x" * 9000),
        cpio.CpioEntry("/bin/b", "link", 0o777, b"a"),
    ]
    entries = cpio.padded(cpio.complete([*base, *more]))
    return entries, cpio.archive(entries)


def _pages(entries: list[cpio.CpioEntry]) -> int:
    return sum(-(-len(entry.data) // 4096) for entry in entries if entry.kind == "file")


def test_a_program_more_changes_neither_sizes_nor_what_lies_before_it() -> None:
    without, short = _archive()
    entries, archive = _archive(cpio.CpioEntry("/opt/new", "file", 0o755, b"y" * 70000))
    assert len(archive) == len(short) and len(entries) == len(without)
    assert _pages(entries) == _pages(without)
    assert entries[:3] == without[:3]
    assert [entry.path for entry in cpio.unpadded(without)] == ["/bin", "/bin/a", "/bin/b"]
    assert {"/bin/a", "/opt/new", "/pad/pages"} <= {entry.path for entry in cpio.read(archive)}


def _functions(vmlinux: Path) -> dict[str, str]:
    """The kernel's functions, by names that are there once, with their addresses."""
    told = subprocess.run(
        ["riscv64-linux-gnu-nm", vmlinux], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in told.stdout.splitlines()]
    functions = [(row[2], row[0]) for row in rows if len(row) == 3 and row[1] in "tT"]
    times = Counter(name for name, _ in functions)
    return {name: address for name, address in functions if times[name] == 1}


@pytest.mark.build
def test_a_layout_has_the_same_functions_at_other_addresses(layout_image: Path) -> None:
    before, after = _functions(BUILD / "image" / "vmlinux"), _functions(layout_image / "vmlinux")
    assert len(before) > 5000 and before.keys() == after.keys()
    moved = sum(before[name] != after[name] for name in before)
    assert moved > 0.85 * len(before)  # .head.text stays


RUN = (
    "checks/integer_mix",
    "ousterhout/getpid",
    "ousterhout/select_10_full",
    "ousterhout/read",
    "ousterhout/open_close_foo",
)


def _simulated(image: Path, scratch: Path) -> Outcome:
    """The outcome of RUN on the image, at the clock at which misses cost the most of a layout."""
    scratch.mkdir()
    base = system(load_machine(ROOT / "configs" / "machines" / "base.toml"), 320)
    orders = Orders("sim-control", RUN, ("unix",), base.disk.model_dump())
    job = Job(load_image(image), base, orders, cache_directory(), scratch, 900)
    engine = load("rvsim")
    engine.prepare(job.image, base, job.cache, lambda _: None)
    return engine.run(job)


def _instructions(outcome: Outcome) -> dict[str, float]:
    """By benchmark, the median of a region's."""
    found: dict[str, list[float]] = {}
    for sample, stats in zip(outcome.transcript.samples, regions(outcome.stats), strict=True):
        found.setdefault(sample.benchmark, []).append(stats["simInsts"])
    return {name: statistics.median(counts) for name, counts in found.items()}


# In one process: the second would wait for the first, for what both compare with.
SIMULATED = pytest.mark.xdist_group("layout")


@pytest.fixture
def before(once: Once, image: Image, tmp_path: Path) -> Outcome:
    """The outcome on the default image."""
    return once.value("layout-0", lambda: _simulated(image.directory, tmp_path / "default"))


@pytest.mark.long
@SIMULATED
@pytest.mark.build
@pytest.mark.rvsim
def test_a_layout_executes_the_same_instructions_and_takes_another_time(
    layout_image: Path, before: Outcome, tmp_path: Path
) -> None:
    after = _simulated(layout_image, tmp_path / "layout")
    known, found = _instructions(before), _instructions(after)
    assert found.keys() == known.keys() and len(known) == len(RUN)
    for name, count in known.items():
        assert found[name] == pytest.approx(count, rel=0.001), name
    apart = {
        name: abs(per_operation_ns(after, name) / per_operation_ns(before, name) - 1)
        for name in known
    }
    # The rating differs too: of five layouts two are at 10.92 MIPS, three at 11.08.
    assert apart["integer_mix"] < 0.02 < max(apart.values()), apart


@pytest.mark.long
@SIMULATED
@pytest.mark.build
@pytest.mark.rvsim
def test_a_program_more_moves_no_address_and_no_instruction(
    copy: Path, before: Outcome, tmp_path: Path
) -> None:
    source = "int main(void)\n{\n\treturn 0;\n}\n"
    (copy / "disk-images" / "programs" / "greet.c").write_text(source)
    with (copy / "disk-images" / "rootfs" / "contents.list").open("a") as listed:
        listed.write("/bin/greet file 0755 greet\n")
    command = [sys.executable, "-m", "SCons", "-Q", "image"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    more = copy / "build" / "image"
    assert (more / "Image").read_bytes() != (BUILD / "image" / "Image").read_bytes()
    assert _functions(more / "vmlinux") == _functions(BUILD / "image" / "vmlinux")
    after = _simulated(more, tmp_path / "after")
    # Times still differ: the free pages that a benchmark gets are others (docs/method/overview.md).
    assert _instructions(after) == _instructions(before)
