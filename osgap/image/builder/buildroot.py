# SPDX-License-Identifier: BSD-3-Clause
"""The image by a Buildroot checkout that the user has, out of tree, from disk-images/buildroot."""

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from osgap.base import digest, durable
from osgap.base.errors import OsgapError
from osgap.image.builder import contents, cpio, kconfig
from osgap.image.builder.run import output, run

OLDEST = (2024, 2)
DEFCONFIG = "osgap_riscv64_defconfig"
FILES = ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf")
_ARCHIVE = "rootfs.cpio"
_VERSION = re.compile(r"^export BR2_VERSION := (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Buildroot:
    """A checkout, our tree beside it, and where things are built.

    `downloads` is a download directory (None: the checkout's own), `fragment` a file with options
    of the user's own, merged over our configuration.
    """

    checkout: Path
    tree: Path
    out: Path
    downloads: Path | None
    fragment: Path | None

    @property
    def log(self) -> Path:
        return self.out.with_name(f"{self.out.name}.log")


def version(checkout: Path) -> str:
    """The version of the Buildroot in `checkout`. Raises OsgapError for one that is too old."""
    asked = f"BUILDROOT={checkout}"
    try:
        text = (checkout / "Makefile").read_text(encoding="utf-8", errors="replace")
    except OSError:
        raise OsgapError(f"{asked}: found no Makefile; allowed: a checkout of Buildroot") from None
    found = _VERSION.search(text)
    numbers = re.match(r"(\d{4})\.(\d{2})", found[1]) if found else None
    if found is None or numbers is None:
        raise OsgapError(f"{asked}: is no checkout of Buildroot: its Makefile states no version")
    if (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise OsgapError(f"{asked}: found Buildroot {found[1]}; allowed: 2024.02 or newer")
    return found[1]


def build(buildroot: Buildroot) -> None:
    """Configures and builds everything; no-op for what Buildroot finds done. Raises OsgapError."""
    version(buildroot.checkout)
    buildroot.out.mkdir(parents=True, exist_ok=True)
    buildroot.log.unlink(missing_ok=True)
    environment = _environment(buildroot)
    make = ["make", "-C", str(buildroot.checkout), f"O={buildroot.out}"]
    run([*make, f"BR2_EXTERNAL={buildroot.tree}", DEFCONFIG], log=buildroot.log, env=environment)
    if buildroot.fragment:
        merge = buildroot.checkout / "support" / "kconfig" / "merge_config.sh"
        config = buildroot.out / ".config"
        run(
            [merge, "-m", "-O", buildroot.out, config, buildroot.fragment],
            log=buildroot.log,
            cwd=buildroot.checkout,
            env=environment,
        )
        run([*make, "olddefconfig"], log=buildroot.log, env=environment)
    # Our own sources are copied into the build once: a changed checkout has to be copied again.
    again = [f"osgap-{name}-dirclean" for name in ("workloads", "disk")]
    if _changed_patches(buildroot):
        again.append("linux-dirclean")
    shutil.rmtree(buildroot.out / "target" / "osgap-parts", ignore_errors=True)
    run([*make, *again], log=buildroot.log, env=environment)
    run(make, log=buildroot.log, env=environment)


def _changed_patches(buildroot: Buildroot) -> bool:
    """Whether the kernel's patches are others than at the last build, which Buildroot overlooks."""
    patches = sorted((buildroot.tree.parent / "kernel" / "patches").glob("*.patch"))
    now, noted = [durable.sha256(path) for path in patches], buildroot.out / "osgap-patches.json"
    before = json.loads(noted.read_text(encoding="utf-8")) if noted.is_file() else now
    durable.write_json(noted, now)
    return bool(before != now)


def collect(buildroot: Buildroot, listed: Path, image: Path) -> None:
    """Puts what was built into `image`, as the default image's directory is.

    Raises OsgapError when the file system's paths, kinds or modes are not those of the list.
    """
    images = buildroot.out / "images"
    for name in (*FILES, _ARCHIVE):
        if not (images / name).is_file():
            raise OsgapError(f"Buildroot made no {images / name}; see {buildroot.log}")
    manifest = cpio.contents(cpio.unpadded(cpio.read((images / _ARCHIVE).read_bytes())))
    _check(contents.load(listed), manifest, buildroot.tree.parents[1])
    made_from = _made_from(buildroot)
    for name in FILES:
        shutil.copyfile(images / name, image / name)
    shutil.copyfile(images / _ARCHIVE, image / "initramfs.cpio")
    durable.write_json(image / "contents.json", manifest)
    names = (*FILES, "initramfs.cpio")
    record = {
        "schema": 1,
        "builder": f"buildroot {version(buildroot.checkout)}",
        "files": {name: durable.sha256(image / name) for name in names},
        **made_from,
    }
    durable.write_json(image / "image.json", record)


def _check(rows: list[contents.Row], manifest: contents.Rows, checkout: Path) -> None:
    """The list as a manifest, with anything for what a compiler makes, and the manifest found."""
    parts = {row.what: Path(os.devnull) for row in rows}
    declared = cpio.contents(cpio.complete(contents.entries(rows, parts, checkout)))
    if wrong := contents.differences(rows, declared, manifest):
        raise OsgapError(f"Buildroot's file system is not contents.list's: {'; '.join(wrong)}")


def _made_from(buildroot: Buildroot) -> dict[str, object]:
    """Kernel, compiler and packages, as the default image's manifest has them."""
    make = ["make", "-s", "-C", str(buildroot.checkout), f"O={buildroot.out}"]
    shown = json.loads(output([*make, "show-info"], env=_environment(buildroot)))
    packages = {
        name: {"name": name, "version": about["version"]}
        for name, about in sorted(shown.items())
        if about.get("type") == "target" and about.get("version")
    }
    source = buildroot.out / "build" / f"linux-{shown['linux']['version']}"
    release = source / "include" / "config" / "kernel.release"
    compilers = sorted((buildroot.out / "host" / "bin").glob("riscv64-*-gcc"))
    if not release.is_file() or not compilers:
        raise OsgapError(f"Buildroot left no kernel in {source}, or no compiler beside it")
    options = kconfig.load(source / ".config")
    return {
        "kernel": {
            "version": release.read_text("utf-8").strip(),
            "config": digest.record_digest(sorted(options.items())),
        },
        "compiler": output([compilers[0], "--version"]).splitlines()[0],
        "packages": packages,
    }


def _environment(buildroot: Buildroot) -> Mapping[str, str]:
    return {"BR2_DL_DIR": str(buildroot.downloads)} if buildroot.downloads else {}
