# SPDX-License-Identifier: BSD-3-Clause
"""Which patches a kernel source gets, and what a patch that does not fit is told."""

from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.image.builder import kernel

# They start make, patch and the cross compiler, which a bare machine may lack.
pytestmark = pytest.mark.build


PATCH = """Subject: a change
{line}
--- a/file
+++ b/file
@@ -1 +1 @@
-old
+new
"""


def tree(tmp_path: Path, line: str, text: str) -> kernel.KernelTree:
    """A source of version 6.1 with one file; mrproper does nothing."""
    source = tmp_path / "linux"
    source.mkdir()
    (source / "Makefile").write_text("VERSION = 6\nPATCHLEVEL = 1\nmrproper:\n\t@true\n")
    (source / "file").write_text(text)
    patch = tmp_path / "0001-change.patch"
    patch.write_text(PATCH.format(line=line))
    fragment = tmp_path / "fragment"
    fragment.write_text("")
    return kernel.KernelTree(source, "00", (patch,), fragment, tmp_path / "cache", 1)


@pytest.mark.parametrize(
    ("line", "result"),
    [("", "new\n"), ("Kernel-From: 6.1", "new\n"), ("Kernel-From: 6.5", "old\n")],
)
def test_a_patch_is_for_its_kernels(tmp_path: Path, line: str, result: str) -> None:
    made = tree(tmp_path, line, "old\n")
    kernel.unpack(made)
    assert (made.src / "file").read_text() == result
    assert (made.source / "file").read_text() == "old\n"


def test_a_patch_that_does_not_fit_is_named(tmp_path: Path) -> None:
    made = tree(tmp_path, "", "something else\n")
    with pytest.raises(OsgapError, match=r"^0001-change\.patch does not fit linux: "):
        kernel.unpack(made)
    assert not made.src.exists()


def configured(made: kernel.KernelTree, name: str, options: str) -> Path:
    """A build directory of the same source as `made` that has got as far as its configuration."""
    build = made.home / name
    build.mkdir(parents=True)
    (build / ".config").write_text(options)
    (build / "configured").touch()
    return build


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ('CONFIG_A=y\nCONFIG_CMDLINE="quiet"\n', True),
        ("CONFIG_A=y\n", True),
        ('CONFIG_B=y\nCONFIG_CMDLINE="quiet"\n', False),
        ("", False),
    ],
)
def test_a_kernel_starts_from_one_that_differs_in_its_command_line(
    tmp_path: Path, options: str, same: bool
) -> None:
    made = tree(tmp_path, "", "old\n")
    other = configured(made, "build-other", options)
    (other / "object.o").write_text("compiled")
    mine = 'CONFIG_A=y\nCONFIG_CMDLINE="quiet giant_vfs=1"\n'
    configured(made, made.build.name, mine)
    kernel.start_from_twin(made)
    assert not (made.build / "object.o").exists()
    (other / "built").touch()
    kernel.start_from_twin(made)
    assert (made.build / "object.o").exists() == same
    assert (made.build / ".config").read_text() == mine
    assert (made.build / "configured").exists() and not (made.build / "built").exists()
    assert (other / ".config").read_text() == options and (other / "built").exists()


def test_the_key_follows_patch_and_source(tmp_path: Path) -> None:
    made = tree(tmp_path, "", "old\n")
    before = made.key
    made.patches[0].write_text("other")
    assert made.key != before


def test_a_changed_archive_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "linux.tar"
    archive.write_text("an archive")
    made = kernel.KernelTree(archive, "00", (), tmp_path / "fragment", tmp_path / "cache", 1)
    with pytest.raises(OsgapError, match=r"linux\.tar: found SHA-256 \w+; allowed: 00"):
        kernel.unpack(made)
    assert not made.src.exists()


@pytest.mark.parametrize("name", ["", "lock", "src", "build", "log", ".src.partial"])
def test_a_kernel_is_built_through_no_link(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("precious")
    made = tree(tmp_path, "", "old\n")
    link = {
        "": made.home,
        "src": made.src,
        "build": made.build,
        "log": made.log,
    }.get(name, made.home / name)
    link.parent.mkdir(parents=True)
    link.symlink_to(victim / "file" if name in ("lock", "log") else victim)

    def work() -> None:
        with kernel.locked(made):
            kernel.unpack(made)

    if name == ".src.partial":
        work()
        assert (made.src / "file").read_text() == "new\n"
    else:
        with pytest.raises(OsgapError, match="found a symbolic link"):
            work()
    assert {path.name: path.read_text() for path in victim.iterdir()} == {"file": "precious"}
