# SPDX-License-Identifier: BSD-3-Clause
"""Which patches a kernel source gets, and what a patch that does not fit is told."""

from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.image.builder import cpio, kernel

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


# The files that a kernel's link writes.
LINKED = ("vmlinux", "arch/riscv/boot/Image")
TOOLS = 'CONFIG_CC_VERSION_TEXT="gcc 12"\n'
MINE = TOOLS + 'CONFIG_A=y\nCONFIG_CMDLINE="quiet giant_vfs=1"\n'


def configured(made: kernel.KernelTree, name: str, options: str) -> Path:
    """A build directory of the same source as `made` that has got as far as its configuration."""
    build = made.home / name
    build.mkdir(parents=True)
    (build / ".config").write_text(options)
    (build / "configured").touch()
    return build


def built(made: kernel.KernelTree, name: str, options: str) -> Path:
    """One that is built, with an object that says which it is, and an image's last link."""
    build = configured(made, name, options)
    (build / "object.o").write_text(name)
    (build / kernel.INITRAMFS).write_text("an image's")
    (build / kernel.LINKER_SCRIPT).parent.mkdir(parents=True)
    (build / kernel.LINKER_SCRIPT).write_text("a layout's")
    for name in LINKED:
        (build / name).parent.mkdir(parents=True, exist_ok=True)
        (build / name).write_text("of other options")
    (build / "built").touch()
    return build


@pytest.mark.parametrize(
    ("others", "nearest"),
    [
        ([], None),
        (['CONFIG_A=y\nCONFIG_CMDLINE="quiet"\n'], 0),
        (["CONFIG_B=y\nCONFIG_C=y\n", "CONFIG_B=y\nCONFIG_A=y\n"], 1),
        (["CONFIG_A=y\n", 'CONFIG_A=y\nCONFIG_CMDLINE="quiet giant_vfs=1"\nCONFIG_B=y\n'], 0),
    ],
)
def test_a_kernel_starts_from_the_one_whose_options_are_nearest(
    tmp_path: Path, others: list[str], nearest: int | None
) -> None:
    made = tree(tmp_path, "", "old\n")
    builds = [built(made, f"build-{n}", TOOLS + text) for n, text in enumerate(others)]
    before = [(build / ".config").read_text() for build in builds]
    mine = configured(made, made.build.name, MINE)
    kernel.start_from_nearest(made)
    assert (mine / ".config").read_text() == MINE
    assert (mine / "configured").exists() and not (mine / "built").exists()
    assert (mine / "object.o").exists() == (nearest is not None)
    if nearest is not None:
        assert (mine / "object.o").read_text() == f"build-{nearest}"
        assert (mine / kernel.INITRAMFS).read_bytes() == cpio.archive([])
        assert not (mine / kernel.LINKER_SCRIPT).exists()
        assert not any((mine / name).exists() for name in LINKED)
    assert [(build / ".config").read_text() for build in builds] == before
    assert all((build / "built").exists() for build in builds)


@pytest.mark.parametrize("tools", ['CONFIG_CC_VERSION_TEXT="gcc 13"\n', ""])
def test_a_kernel_starts_from_none_of_other_tools_and_none_that_is_unfinished(
    tmp_path: Path, tools: str
) -> None:
    made = tree(tmp_path, "", "old\n")
    built(made, "build-other", MINE.replace(TOOLS, tools))
    (built(made, "build-unfinished", MINE) / "built").unlink()
    mine = configured(made, made.build.name, MINE)
    kernel.start_from_nearest(made)
    assert not (mine / "object.o").exists()


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
