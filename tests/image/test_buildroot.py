# SPDX-License-Identifier: BSD-3-Clause
"""The image by Buildroot: what is asked of a checkout, and of the tree that it is given.

A stand-in that answers as Buildroot does shows the way through SCons; a real checkout, named by
$BUILDROOT, checks the tree.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image.builder import buildroot, contents, cpio

ROOT = project_root()
TREE = ROOT / "disk-images" / "buildroot"
LIST = ROOT / "disk-images" / "rootfs" / "contents.list"
IMAGE = ROOT / "build" / "image"
BUILT = ROOT / "build" / "buildroot" / "image"

STAND_IN = """\
export BR2_VERSION := {version}
K = $(O)/build/linux-6.12.104
.PHONY: all
all:
\techo "$$BR2_DL_DIR" > $(O)/downloads
\tmkdir -p $(O)/images $(O)/host/bin $(K)/include/config
\tcp {image}/Image {image}/vmlinux {image}/fw_jump.bin {image}/fw_jump.elf $(O)/images
\tcp {cpio} $(O)/images/rootfs.cpio
\techo CONFIG_RISCV=y > $(K)/.config
\techo 6.12.104 > $(K)/include/config/kernel.release
\tprintf '#!/bin/sh\\necho gcc of a stand-in 12\\n' > $(O)/host/bin/riscv64-linux-gcc
\tchmod +x $(O)/host/bin/riscv64-linux-gcc
%_defconfig:
\ttest -f $(BR2_EXTERNAL)/configs/$@ && echo BR2_riscv=y > $(O)/.config
%-dirclean:
\techo $@ >> $(O)/asked
olddefconfig:
\techo $@ >> $(O)/asked
show-info:
\t@echo '{{"linux": {{"type": "target", "version": "6.12.104"}}, "host-x": {{"type": "host"}}}}'
"""
MERGE = '#!/bin/sh\ncat "$4" "$5" > "$3/new" && mv "$3/new" "$3/.config"\n'


def _stand_in(path: Path, version: str = "2024.02.13", archive: Path | None = None) -> Path:
    (path / "support" / "kconfig").mkdir(parents=True)
    text = STAND_IN.format(version=version, image=IMAGE, cpio=archive or IMAGE / "initramfs.cpio")
    (path / "Makefile").write_text(text)
    merge = path / "support" / "kconfig" / "merge_config.sh"
    merge.write_text(MERGE)
    merge.chmod(0o755)
    return path


def _scons(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "SCons",
            "-Q",
            f"cache={folder.parent / 'cache'}",
            "image",
            "builder=buildroot",
            *words,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
@pytest.mark.qemu
@pytest.mark.usefixtures("image")
def test_an_image_takes_the_place_of_the_default_one(copy: Path, tmp_path: Path) -> None:
    checkout = _stand_in(tmp_path / "checkout")
    own = tmp_path / "own.config"
    own.write_text("BR2_JLEVEL=2\n")
    done = _scons(
        copy, f"BUILDROOT={checkout}", f"downloads={tmp_path}/dl", f"buildroot_config={own}"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    built = copy / "build" / "buildroot"
    out, image = built / "out-2024.02.13", built / "image"
    assert (out / "downloads").read_text().strip() == f"{tmp_path}/dl"
    assert (out / ".config").read_text() == "BR2_riscv=y\nBR2_JLEVEL=2\n"
    asked = (out / "asked").read_text().split()
    assert {"osgap-workloads-dirclean", "osgap-disk-dirclean", "olddefconfig"} == set(asked)
    made = json.loads((image / "image.json").read_text())
    assert made["builder"] == "buildroot 2024.02.13"
    assert made["compiler"] == "gcc of a stand-in 12"
    assert made["kernel"]["version"] == "6.12.104"
    assert made["packages"] == {"linux": {"name": "linux", "version": "6.12.104"}}
    rows = json.loads((image / "contents.json").read_text())
    assert rows == json.loads((IMAGE / "contents.json").read_text())
    swept = subprocess.run(
        [
            sys.executable,
            str(ROOT / "scripts" / "sweep.py"),
            "--engine",
            "qemu",
            "--image",
            str(image),
            "--run",
            "checks/empty_loop",
            "--output",
            str(tmp_path / "run"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert swept.returncode == 0, swept.stderr


@pytest.mark.image
@pytest.mark.usefixtures("image")
def test_a_file_system_that_is_not_the_lists_is_refused(copy: Path, tmp_path: Path) -> None:
    entries = cpio.read((IMAGE / "initramfs.cpio").read_bytes())
    other = [
        cpio.CpioEntry("/etc/passwd", "file", 0o644),
        *(e for e in entries if e.path != "/mnt"),
    ]
    archive = tmp_path / "other.cpio"
    archive.write_bytes(cpio.archive(cpio.complete(other)))
    done = _scons(copy, f"BUILDROOT={_stand_in(tmp_path / 'checkout', archive=archive)}")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    for path in ("/etc", "/etc/passwd", "/mnt"):
        assert f"{path} is in one of them only" in done.stderr
    assert not (copy / "build" / "buildroot" / "image" / "Image").exists()


@pytest.mark.build
@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("2023.11.3", "found Buildroot 2023.11.3; allowed: 2024.02 or newer"),
        ("soon", "states no version"),
    ],
)
def test_a_checkout_that_cannot_serve_is_one_sentence(
    copy: Path, tmp_path: Path, version: str, words: str
) -> None:
    checkout = _stand_in(tmp_path / "checkout", version)
    done = _scons(copy, f"BUILDROOT={checkout}")
    assert done.returncode == 2 and words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    with pytest.raises(OsgapError, match="found no Makefile"):
        buildroot.version(tmp_path)


@pytest.mark.parametrize("version", ["2024.02", "2024.02.13", "2025.11-rc1", "2026.05.1"])
def test_versions_that_serve(tmp_path: Path, version: str) -> None:
    assert buildroot.version(_stand_in(tmp_path / "checkout", version)) == version


def test_the_tree_names_files_that_are_there_and_builds_every_part() -> None:
    text = (TREE / "configs" / buildroot.DEFCONFIG).read_text()
    for name in re.findall(r"\$\(BR2_EXTERNAL_OSGAP_PATH\)(/[^\"\s]+)", text):
        assert (TREE / name.lstrip("/")).exists(), name
    recipes = "\n".join(p.read_text() for p in TREE.glob("package/*/*") if p.suffix != ".hash")
    programs = [source.stem for source in (ROOT / "disk-images" / "programs").glob("*.c")]
    assert "disk-images/programs/*.c" in recipes
    for row in contents.load(LIST):
        if row.kind == "file" and row.source not in ("busybox", *programs):
            assert re.search(rf"(parts|PARTS\))/{re.escape(row.source)}\b", recipes), row.source


# With a real checkout.


@pytest.fixture
def real() -> Path:
    named = os.environ.get("BUILDROOT")
    if not named:
        pytest.skip("not tried with a real Buildroot: $BUILDROOT names no checkout")
    buildroot.version(Path(named))
    return Path(named)


@pytest.mark.long
def test_the_configuration_round_trips(real: Path, tmp_path: Path) -> None:
    make = ["make", "-C", str(real), f"O={tmp_path / 'out'}"]
    said = ""
    for words in (
        [f"BR2_EXTERNAL={TREE}", buildroot.DEFCONFIG],
        ["savedefconfig", f"BR2_DEFCONFIG={tmp_path / 'saved'}"],
    ):
        done = subprocess.run([*make, *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    assert "warning" not in said.lower()
    saved = (tmp_path / "saved").read_text()
    assert saved == (TREE / "configs" / buildroot.DEFCONFIG).read_text()


@pytest.mark.long
def test_check_package_has_nothing_to_say(real: Path) -> None:
    files = [str(path) for path in sorted(TREE.rglob("*")) if path.is_file()]
    done = subprocess.run(
        [sys.executable, str(real / "utils" / "check-package"), "-b", *files],
        capture_output=True,
        text=True,
    )
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip(f"check-package needs more of Python: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0 and "\n0 warnings generated" in f"\n{done.stderr}{done.stdout}"


@pytest.mark.image
@pytest.mark.usefixtures("image")
def test_an_image_that_was_built_holds_what_the_default_one_does() -> None:
    if not (BUILT / "image.json").is_file():
        pytest.skip("no image by Buildroot: scons image builder=buildroot BUILDROOT=PATH")
    ours, theirs = (json.loads((d / "contents.json").read_text()) for d in (IMAGE, BUILT))
    assert contents.differences(contents.load(LIST), ours, theirs) == []
