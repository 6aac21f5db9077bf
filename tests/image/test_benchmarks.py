# SPDX-License-Identifier: BSD-3-Clause
"""`osgap list benchmarks` reads sources; the linker decides what there is."""

from pathlib import Path

import native
import pytest

from osgap.base.paths import project_root
from osgap.image.benchmarks import benchmarks, declared
from osgap.image.builder.recipe import recipe


def test_names_made_by_macros_are_found() -> None:
    source = (
        "#define ONE(what, ...) \\\n    BENCHMARK(a_##what##_x, __VA_ARGS__)\n"
        '#define BOTH(n) ONE(n, .arg = 1); ONE(b##n)\nBENCHMARK(plain, .metric = "us");\n'
        "BOTH(two);\n"
    )
    assert declared(source) == ["plain", "a_two_x", "a_btwo_x"]


def test_each_has_a_line_of_description() -> None:
    found = benchmarks()
    assert found["ousterhout/getpid"].startswith("Kernel entry and exit")
    assert [name for name, about in found.items() if not about or "\n" in about] == []


@pytest.mark.slow
@pytest.mark.build
def test_the_list_is_the_linkers(tmp_path: Path) -> None:
    program = native.build(project_root() / "workloads", tmp_path / "bench")
    absent = set(benchmarks()) - set(native.names(program))
    suites = {name for name in absent if name.partition("/")[0] in recipe()["REMOTE_SUITES"]}
    # registers.c is for the guest's architecture alone, suites of files on a server for its kernel.
    assert suites and absent - suites <= {"calls/registers"}
    assert set(native.names(program)) <= set(benchmarks())
