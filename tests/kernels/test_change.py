# SPDX-License-Identifier: BSD-3-Clause
"""A change of the kernel as the user gives it: patches, a tree, and what is neither."""

from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.kernels.change import LARGEST, apply_change, read_change

PATCH = "a reason\n\n--- a/kernel/sys.c\n+++ b/kernel/sys.c\n@@ -1,1 +1,1 @@\n-a\n+b\n"


def patch(folder: Path, name: str = "mine.patch", text: str = PATCH) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def tree(folder: Path, name: str = "linux") -> Path:
    """The files of a Linux source tree that are looked for."""
    path = folder / name
    for file in ("Kbuild", "Makefile", "arch/riscv/Kconfig"):
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_text("x\n")
    return path


def test_patches_keep_their_order_and_their_names(tmp_path: Path) -> None:
    paths = [patch(tmp_path, "b.patch"), patch(tmp_path, "a.patch", PATCH + "\n")]
    change = read_change(paths, "default", "CHANGE")
    assert [one.name for one in change.kernel.patches] == ["b.patch", "a.patch"]
    assert change.patches[1].endswith(b"\n\n") and change.label == "b.patch + a.patch"
    assert change.stem == "a"


def test_a_name_is_no_part_of_the_kernel_but_content_and_order_are(tmp_path: Path) -> None:
    first, renamed = (
        read_change([patch(tmp_path, name)], "default", "CHANGE") for name in ("a.patch", "b.patch")
    )
    other = read_change([patch(tmp_path, "c.patch", PATCH + "\n")], "default", "CHANGE")
    names = [one.kernel.variant(0) for one in (first, renamed, other)]
    assert names[0] == names[1] != names[2]
    assert first.kernel.variant(3).endswith("-layout-3")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text\n",
        "\0\1\2",
        "--- a\n+++ b\n",
        "@@ -1 +1 @@\n",
        "diff --git a/x b/x\nBinary files\n",
    ],
)
def test_what_is_no_patch_is_refused(text: str, tmp_path: Path) -> None:
    path = patch(tmp_path, text=text)
    with pytest.raises(OsgapError, match=r"mine\.patch: is no patch; allowed: unified diffs"):
        read_change([path], "default", "CHANGE")


def test_a_patch_of_windows_lines_is_one(tmp_path: Path) -> None:
    path = tmp_path / "w.patch"
    path.write_bytes(PATCH.replace("\n", "\r\n").encode())
    assert len(read_change([path], "default", "CHANGE").patches) == 1


def test_a_patch_that_cannot_be_read_or_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match=r"gone\.patch: cannot be read: No such file"):
        read_change([tmp_path / "gone.patch"], "default", "CHANGE")
    large = patch(tmp_path, "large.patch", PATCH + " " * LARGEST)
    with pytest.raises(OsgapError, match=r"large\.patch: cannot be read"):
        read_change([large], "default", "CHANGE")


def test_a_tree_is_known_by_its_files_and_their_times(tmp_path: Path) -> None:
    path = tree(tmp_path)
    before = read_change([path], "default", "CHANGE").kernel
    (path / "Makefile").write_text("longer\n")
    after = read_change([path], "default", "CHANGE").kernel
    assert before.source and after.source and before.source.digest != after.source.digest
    assert before.variant(0) != after.variant(0)


def test_a_folder_without_a_kernel_and_a_tree_among_patches_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(OsgapError, match="empty: has no Kbuild; allowed: a Linux source tree"):
        read_change([tmp_path / "empty"], "default", "CHANGE")
    with pytest.raises(OsgapError, match=r"CHANGE: found .*linux among others"):
        read_change([patch(tmp_path), tree(tmp_path)], "default", "CHANGE")


def test_patches_are_put_on_the_base_and_a_tree_replaces_it(tmp_path: Path) -> None:
    base = read_change([tree(tmp_path)], "smp", "--base")
    with_patch = apply_change(base, read_change([patch(tmp_path)], "smp", "CHANGE"))
    assert with_patch.kernel.source == base.kernel.source
    assert [one.name for one in with_patch.kernel.patches] == ["mine.patch"]
    assert with_patch.kernel.variant(0).startswith("smp-kernel-")
    other = read_change([tree(tmp_path, "other")], "smp", "CHANGE")
    assert apply_change(base, other).kernel == other.kernel


def test_a_change_that_is_the_base_is_refused(tmp_path: Path) -> None:
    base = read_change([tree(tmp_path)], "default", "--base")
    with pytest.raises(OsgapError, match="linux: is the base itself; allowed: another kernel"):
        apply_change(base, read_change([tmp_path / "linux"], "default", "CHANGE"))
