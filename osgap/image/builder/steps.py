# SPDX-License-Identifier: BSD-3-Clause
"""The steps that SCons runs: each reads its sources' paths and writes its targets."""

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.image.builder import contents, cpio, kernel, link_order, toolchain, userland
from osgap.image.builder.run import output
from osgap.image.provision import sources

_SCRIPT_LINE = "=" * 50
"""Before and behind GNU ld's own script, as it shows that."""


@dataclass(frozen=True)
class Settings:
    """What the command line may choose."""

    cache: Path
    jobs: int
    kernel_source: Path | None


def _write(path: Path, record: object) -> None:
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    record = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(record, dict):
        raise OsgapError(f"{path} holds no record")
    return record


def _package(path: Path) -> sources.Package:
    return sources.Package(**_read(path))


def find_sources(settings: Settings, targets: list[Path], refresh: bool) -> None:
    """Look up and fetch the packages; one record a package, named by its role."""
    given = settings.kernel_source
    roles = {target.stem for target in targets}
    own = {"linux"} & roles if given else set()
    mark = kernel.source_digest(given) if given and own else ""
    found = sources.resolve(settings.cache, roles - own, refresh=refresh)
    if given and own:
        found["linux"] = sources.Package("kernel_source", "local", given.name, mark)
    for target in targets:
        _write(target, asdict(found[target.stem]))


def _tree(
    settings: Settings, linux: Path, fragment: Path, patches: list[Path]
) -> kernel.KernelTree:
    package = _package(linux)
    source = settings.kernel_source or package.path(settings.cache)
    return kernel.KernelTree(
        source.resolve(),
        package.sha256,
        tuple(path.resolve() for path in patches),
        fragment.resolve(),
        settings.cache,
        settings.jobs,
    )


@dataclass(frozen=True)
class KernelInputs:
    """The files that decide which kernel is built."""

    linux: Path
    fragment: Path
    patches: tuple[Path, ...]

    def tree(self, settings: Settings) -> kernel.KernelTree:
        return _tree(settings, self.linux, self.fragment, list(self.patches))


def build_kernel(settings: Settings, inputs: KernelInputs, target: Path) -> None:
    """Build the kernel without a file system, and record what it is."""
    tree = inputs.tree(settings)
    with kernel.locked(tree):
        kernel.ensure(tree)
        record = {
            "version": kernel.release(tree),
            "config": kernel.config_digest(tree),
            "compiler": kernel.compiler_version(),
            "source": tree.key,
        }
    _write(target, record)


def build_module(
    settings: Settings, inputs: KernelInputs, files: list[Path], ko: Path, words: Sequence[str] = ()
) -> None:
    """Build the disk driver against the kernel; `words` are variables of its Kbuild."""
    tree = inputs.tree(settings)
    with kernel.locked(tree):
        kernel.ensure(tree)
        kernel.build_module(tree, files, ko.resolve(), words)


def build_image(
    settings: Settings,
    inputs: KernelInputs,
    archive: Path,
    image: Path,
    vmlinux: Path,
    number: int = link_order.DEFAULT,
) -> None:
    """Link the kernel with its file system, in the layout of this number."""
    tree = inputs.tree(settings)
    with kernel.locked(tree):
        kernel.ensure(tree)
        kernel.link_image(tree, archive, image, vmlinux, number)


def build_busybox(settings: Settings, record: Path, fragment: Path, target: Path) -> None:
    """Build busybox from its package."""
    work = target.parent.parent / "userland"
    dsc = _package(record).checked(settings.cache)
    userland.busybox(dsc, fragment.resolve(), work.resolve(), target.resolve(), settings.jobs)


def build_tcc(settings: Settings, record: Path, target: Path) -> None:
    """Build tcc from its package."""
    work = target.parent.parent / "userland"
    dsc = _package(record).checked(settings.cache)
    userland.tcc(dsc, work.resolve(), target.resolve(), settings.jobs)


def copy_firmware(settings: Settings, record: Path, targets: list[Path]) -> None:
    """Copy OpenSBI's firmware, in both forms, from the package."""
    folder = _package(record).checked(settings.cache).parent
    for target in targets:
        shutil.copyfile(folder / target.name, target)


def build_rootfs(
    listed: Path,
    parts: list[Path],
    checkout: Path,
    archive: Path,
    manifest: Path,
    number: int = link_order.DEFAULT,
    more: Sequence[cpio.Entry] = (),
) -> None:
    """Write the guest's first file system, and the manifest of what it holds: `more` beside that.

    The layout's number is told to /init, unless it is the default's.
    """
    found = [*contents.entries(contents.load(listed), {p.name: p for p in parts}, checkout), *more]
    told = [cpio.text(contents.LAYOUT_FILE, f"{number}\n")] if number != link_order.DEFAULT else []
    entries = cpio.complete([*found, *told])
    archive.write_bytes(cpio.archive(cpio.padded(entries)))
    _write(manifest, cpio.contents(entries))


def order_program(link: Sequence[str], objects: Sequence[Path], number: int, script: Path) -> None:
    """Write the linker script of a program's layout of this number.

    `link` is the command that links a program, without its objects.
    """
    with tempfile.TemporaryDirectory() as home:
        linker_map = Path(home) / "map"
        verbose = f"-Wl,--verbose,-Map={linker_map}"
        told = output([*link, "-o", f"{home}/program", *map(str, objects), "-lm", verbose])
        made = linker_map.read_text(encoding="utf-8")
    _, default, _ = told.split(_SCRIPT_LINE, 2)
    ordered = link_order.script(default, made, number, link_order.PROGRAM_KINDS)
    script.write_text(ordered, encoding="utf-8")


def write_manifest(
    records: list[Path],
    kernel_record: Path,
    files: list[Path],
    target: Path,
    variant: Mapping[str, object] | None = None,
) -> None:
    """Say what the image is and was made from; `variant` is what a variant says of itself."""
    made = _read(kernel_record)
    packages = {
        path.stem: {key: _read(path)[key] for key in ("name", "version", "sha256")}
        for path in sorted(records)
    }
    record = {
        "schema": 1,
        "files": {path.name: durable.sha256(path) for path in files},
        "kernel": {"version": made["version"], "config": made["config"]},
        "compiler": made["compiler"],
        "packages": packages,
    }
    _write(target, {**record, "variant": variant} if variant else record)


def write_fragment(base: Path, options: Callable[[str], str], target: Path) -> None:
    """Write a variant's kernel options: those of `base` with its own in them."""
    target.write_text(options(base.read_text(encoding="utf-8")), encoding="utf-8")


def build_musl(settings: Settings, record: Path, folder: Path) -> None:
    """Build musl from its package into `folder`."""
    work = folder.parent / "userland"
    dsc = _package(record).checked(settings.cache)
    toolchain.build_musl(dsc, work.resolve(), folder.resolve(), settings.jobs)


def package_version(record: Path) -> str:
    """The version of the package that a record is of."""
    return _package(record).version
