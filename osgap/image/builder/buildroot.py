# SPDX-License-Identifier: BSD-3-Clause
"""Builds the image with a user's Buildroot checkout and the external tree disk-images/buildroot."""

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
    """A Buildroot checkout, osgap's external tree, the output and download directories, and a file
    with the user's options, which override those of osgap.
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
    """Returns the version of the Buildroot in `checkout`. Raises OsgapError if it is too old."""
    option = f"BUILDROOT={checkout}"
    try:
        text = (checkout / "Makefile").read_text(encoding="utf-8", errors="replace")
    except OSError:
        raise OsgapError(f"{option}: found no Makefile; allowed: a checkout of Buildroot") from None
    match = _VERSION.search(text)
    numbers = re.match(r"(\d{4})\.(\d{2})", match[1]) if match else None
    if match is None or numbers is None:
        raise OsgapError(f"{option}: is no checkout of Buildroot: its Makefile states no version")
    if (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise OsgapError(f"{option}: found Buildroot {match[1]}; allowed: 2024.02 or newer")
    return match[1]


def build(buildroot: Buildroot) -> None:
    """Configures and builds all that Buildroot does not find done. Raises OsgapError."""
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
    # Buildroot copies osgap's sources once: a changed checkout has to be copied again.
    again = [f"osgap-{name}-dirclean" for name in ("workloads", "disk")]
    if _changed_patches(buildroot):
        again.append("linux-dirclean")
    shutil.rmtree(buildroot.out / "target" / "osgap-parts", ignore_errors=True)
    run([*make, *again], log=buildroot.log, env=environment)
    run(make, log=buildroot.log, env=environment)


def _changed_patches(buildroot: Buildroot) -> bool:
    """Returns True if the kernel's patches changed since the last build; Buildroot overlooks it."""
    patches = sorted((buildroot.tree.parent / "kernel" / "patches").glob("*.patch"))
    now, record = [durable.sha256(path) for path in patches], buildroot.out / "osgap-patches.json"
    before = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else now
    durable.write_json(record, now)
    return bool(before != now)


def collect(buildroot: Buildroot, contents_list: Path, image: Path) -> None:
    """Copies Buildroot's results into the directory `image`, in the form of build/image.

    Raises OsgapError if the file system is not that of `contents_list`.
    """
    images = buildroot.out / "images"
    for name in (*FILES, _ARCHIVE):
        if not (images / name).is_file():
            raise OsgapError(f"Buildroot made no {images / name}; see {buildroot.log}")
    manifest = cpio.contents(cpio.unpadded(cpio.read((images / _ARCHIVE).read_bytes())))
    _check(contents.load(contents_list), manifest, buildroot.tree.parents[1])
    origins = _origins(buildroot)
    for name in FILES:
        shutil.copyfile(images / name, image / name)
    shutil.copyfile(images / _ARCHIVE, image / "initramfs.cpio")
    durable.write_json(image / "contents.json", manifest)
    names = (*FILES, "initramfs.cpio")
    record = {
        "schema": 1,
        "builder": f"buildroot {version(buildroot.checkout)}",
        "files": {name: durable.sha256(image / name) for name in names},
        **origins,
    }
    durable.write_json(image / "image.json", record)


def _check(rows: list[contents.ListingRow], manifest: contents.Listing, checkout: Path) -> None:
    """Raises OsgapError if `manifest` differs from the list by more than compiled files."""
    parts = {row.source: Path(os.devnull) for row in rows}
    declared = cpio.contents(cpio.complete(contents.entries(rows, parts, checkout)))
    if sentences := contents.differences(rows, declared, manifest):
        raise OsgapError(f"Buildroot's file system is not contents.list's: {'; '.join(sentences)}")


def _origins(buildroot: Buildroot) -> dict[str, object]:
    """Returns kernel, compiler and packages in the form of the default image's manifest."""
    make = ["make", "-s", "-C", str(buildroot.checkout), f"O={buildroot.out}"]
    info = json.loads(output([*make, "show-info"], env=_environment(buildroot)))
    packages = {
        name: {"name": name, "version": about["version"]}
        for name, about in sorted(info.items())
        if about.get("type") == "target" and about.get("version")
    }
    source = buildroot.out / "build" / f"linux-{info['linux']['version']}"
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
