# SPDX-License-Identifier: BSD-3-Clause
"""The receiver of a user's programs, compiled for this machine, from a source that gives pieces."""

import subprocess
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.image.builder.cpio import CpioEntry, archive

pytestmark = pytest.mark.build
GUEST = project_root() / "disk-images" / "program"
HARNESS = """\
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "program.h"
#include "runner.h"
const char *__wrap_orders_read(struct orders *orders, order_source from);
static long piece;
static long some(void *buffer, size_t bytes)
{
    return read(0, buffer, bytes < (size_t)piece ? bytes : (size_t)piece);
}
int write_all(int fd, const void *buffer, size_t bytes)
{
    return write(fd, buffer, bytes) != (ssize_t)bytes;
}
int program_register(char *list, const char *end) { return list == end; }
const char *__real_orders_read(struct orders *orders, order_source from)
{
    char byte;
    (void)orders;
    while (from(&byte, 1) == 1)
        putchar(byte);
    return NULL;
}
int main(int argc, char **argv)
{
    piece = argc > 1 ? atol(argv[1]) : 1;
    const char *fault = __wrap_orders_read(NULL, some);
    puts(fault ? fault : "");
    return fault != NULL;
}
"""


@pytest.fixture(scope="module")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("receiver")
    (folder / "harness.c").write_text(HARNESS)
    library = project_root() / "workloads" / "lib"
    sources = [folder / "harness.c", GUEST / "receive.c"]
    includes = [f"-I{GUEST}", f"-I{library}"]
    subprocess.run(
        ["gcc", "-std=c11", "-Wall", "-o", folder / "harness", *includes, *sources], check=True
    )
    return folder / "harness"


@pytest.mark.parametrize("piece", [1, 7, 4096])
@pytest.mark.parametrize("file_bytes", [None, 4, 12000])
def test_a_source_gives_pieces_of_any_size(
    receiver: Path, tmp_path: Path, piece: int, file_bytes: int | None
) -> None:
    """Orders come alone, in one piece with a short archive, or behind a long one."""
    has_programs = file_bytes is not None
    file = CpioEntry(f"{tmp_path}/file", "file", 0o755, b"t" * (file_bytes or 0))
    packed = archive([file]).rstrip(b"\0") + b"\0" * 4
    programs = b"programs %d\n" % len(packed) + packed if has_programs else b""
    done = subprocess.run(
        [receiver, str(piece)],
        input=programs + b"orders 1\nend\n",
        capture_output=True,
        env={"osgap_orders": "-"},
    )
    assert (done.returncode, done.stdout) == (0, b"orders 1\nend\n\n")
    assert Path(file.path).exists() == has_programs
    assert not has_programs or Path(file.path).read_bytes() == file.data


@pytest.mark.parametrize("piece", [1, 4096])
def test_a_cut_archive_is_a_fault(receiver: Path, tmp_path: Path, piece: int) -> None:
    packed = archive([CpioEntry(f"{tmp_path}/file", "file", 0o644, b"text")])
    done = subprocess.run(
        [receiver, str(piece)],
        input=b"programs %d\n" % len(packed) + packed[:-1],
        capture_output=True,
        env={"osgap_orders": "-"},
    )
    assert (done.returncode, done.stdout) == (1, b"bad-programs\n")
