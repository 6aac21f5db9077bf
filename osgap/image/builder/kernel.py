# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks, patches and builds the guest kernel in the cache, outside the checkout."""

import contextlib
import fcntl
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base import digest, durable
from osgap.base.errors import OsgapError
from osgap.image.builder import cpio, kconfig, link_order
from osgap.image.builder.run import Argv, output, run

CROSS = "riscv64-linux-gnu-"
INITRAMFS = "osgap-initramfs.cpio"
LINKER_SCRIPT, LINKER_MAP = "arch/riscv/kernel/vmlinux.lds", "vmlinux.map"
LAYOUT_SCRIPT, LAYOUT_MAP = "osgap-vmlinux.lds", "osgap-vmlinux.map"
"""Copies of the default link's script and map, from which other layouts are made."""
# Fixed values that the kernel would take from the clock, the user and the host.
REPRODUCIBLE = {
    "KBUILD_BUILD_TIMESTAMP": "1990-06-11 00:00:00 UTC",
    "KBUILD_BUILD_USER": "osgap",
    "KBUILD_BUILD_HOST": "osgap",
    "KBUILD_BUILD_VERSION": "1",
}


@dataclass(frozen=True)
class KernelTree:
    """A kernel's source, patches and options, and its directories in the cache."""

    source: Path
    source_digest: str
    patches: tuple[Path, ...]
    fragment: Path
    cache: Path
    jobs: int

    @property
    def key(self) -> str:
        """A digest of source and patches."""
        return digest.record_digest([self.source_digest, [durable.sha256(p) for p in self.patches]])

    @property
    def home(self) -> Path:
        return self.cache / "kernel" / self.key[:16]

    @property
    def src(self) -> Path:
        return self.home / "src"

    @property
    def build(self) -> Path:
        """The build directory, one for each fragment and compiler of a source tree."""
        config = digest.record_digest([durable.sha256(self.fragment), compiler_version()])
        return self.home / f"build-{config[:16]}"

    @property
    def log(self) -> Path:
        return self.build.with_suffix(".log")


def compiler_version() -> str:
    """Returns the versions of the cross compiler and linker."""
    tools = (f"{CROSS}gcc", f"{CROSS}ld")
    return "; ".join(output([tool, "--version"]).splitlines()[0] for tool in tools)


def source_digest(source: Path) -> str:
    """Returns the digest of a kernel source, an archive or a directory. Raises OsgapError."""
    if source.is_file():
        return durable.sha256(source)
    if (source / "Kbuild").is_file() and (source / "arch" / "riscv").is_dir():
        return digest.tree_digest(source.resolve())
    raise OsgapError(f"{source} is neither an archive nor a directory with a Linux source tree")


@contextlib.contextmanager
def locked(tree: KernelTree) -> Iterator[None]:
    """Locks a tree, which several checkouts share, for one build."""
    durable.refuse_strange(tree.home, directory=True)
    tree.home.mkdir(parents=True, exist_ok=True)
    path = tree.home / "lock"
    with durable.open_lock(path) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for directory in (tree.src, tree.build):
            durable.refuse_strange(directory, directory=True)
        durable.clear_leftovers(tree.home)
        yield


def make(tree: KernelTree, *targets: str, stdin: str = "") -> None:
    """Runs the kernel's make in the build directory."""
    argv = ["make", "-s", "-C", str(tree.src), f"O={tree.build}", "ARCH=riscv"]
    argv += [f"CROSS_COMPILE={CROSS}", f"-j{tree.jobs}", *targets]
    run(argv, log=tree.log, env=REPRODUCIBLE, stdin=stdin)


def makefile_version(source: Path) -> tuple[int, int]:
    """Returns the version in a source tree's Makefile. Raises OsgapError."""
    text = (source / "Makefile").read_text(encoding="utf-8")
    numbers = dict(re.findall(r"^(VERSION|PATCHLEVEL) = (\d+)$", text, re.MULTILINE))
    if len(numbers) != 2:
        raise OsgapError(f"{source.name}/Makefile states no kernel version")
    return int(numbers["VERSION"]), int(numbers["PATCHLEVEL"])


def first_version(patch: Path) -> tuple[int, int]:
    """Returns a patch's first kernel, of its line `Kernel-From: X.Y`; (0, 0) for all kernels."""
    text = patch.read_text(encoding="utf-8")
    match = re.search(r"^Kernel-From: (\d+)\.(\d+)$", text, re.MULTILINE)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def unpack(tree: KernelTree) -> None:
    """Unpacks and patches the source once; an interrupted attempt leaves nothing."""
    if tree.src.is_dir():
        return
    with durable.whole_directory(tree.src, synced=False) as fresh:
        _fill(tree, fresh)
        _patch(tree, fresh)


def _fill(tree: KernelTree, fresh: Path) -> None:
    if tree.source.is_dir():
        ignored = shutil.ignore_patterns(".git")
        shutil.copytree(tree.source, fresh, symlinks=True, ignore=ignored, dirs_exist_ok=True)
        run(["make", "-s", "-C", fresh, "ARCH=riscv", "mrproper"], log=tree.log)
    else:
        digest.check_file(tree.source, tree.source_digest)
        tar = ["tar", "--strip-components=1", "--no-same-owner"]
        run([*tar, "-xf", tree.source, "-C", fresh], log=tree.log)


def _patch(tree: KernelTree, fresh: Path) -> None:
    version = makefile_version(fresh)
    for patch in tree.patches:
        if version < first_version(patch):
            continue
        argv: Argv = ["patch", "-p1", "--forward", "--batch", "-d", fresh, "-i", patch]
        try:
            run(argv, log=tree.log)
        except OsgapError as error:
            raise OsgapError(f"{patch.name} does not fit {tree.source.name}: {error}") from error


def configure(tree: KernelTree) -> None:
    """Configures tinyconfig plus the fragment. Raises OsgapError if an option did not survive."""
    if (tree.build / "configured").is_file():
        return
    shutil.rmtree(tree.build, ignore_errors=True)
    tree.build.mkdir(parents=True)
    make(tree, "tinyconfig")
    # The archive is empty at first, so that the configuration has its name and never changes.
    (tree.build / INITRAMFS).write_bytes(cpio.archive([]))
    initramfs = tree.build / "osgap-initramfs.config"
    initramfs.write_text(f'CONFIG_INITRAMFS_SOURCE="{INITRAMFS}"\n', encoding="utf-8")
    merge = tree.src / "scripts" / "kconfig" / "merge_config.sh"
    fragments = (tree.build / ".config", initramfs, tree.fragment)
    run(["sh", merge, "-m", "-O", tree.build, *fragments], log=tree.log, cwd=tree.src)
    make(tree, "olddefconfig")
    options = kconfig.load(tree.fragment)
    final, may_lack = kconfig.load(tree.build / ".config"), kconfig.optional(tree.fragment)
    kconfig.check_survived(options, final, tree.fragment.name, may_lack)
    (tree.build / "configured").touch()


def _nearest(tree: KernelTree) -> Path | None:
    """Returns the built kernel of this source and these tools with the fewest other options."""
    target = _options(tree.build)
    tools = {name: value for name, value in target.items() if "_VERSION" in name}
    marks = sorted(tree.home.glob("build-*/built"))
    options = {mark.parent: _options(mark.parent) for mark in marks}
    usable = [build for build in options if tools.items() <= options[build].items()]
    return min(usable, key=lambda build: len(target.items() ^ options[build].items()), default=None)


def _options(build: Path) -> dict[str, str]:
    return kconfig.load(build / ".config")


def start_from_nearest(tree: KernelTree) -> None:
    """Copies the objects of the nearest kernel, if there is one.

    make knows each object's options, and compiles those again whose options differ.
    """
    nearest = _nearest(tree)
    if nearest is None:
        return
    with durable.whole_directory(tree.build, synced=False) as fresh:
        # Only objects: a kernel linked there would pass for one of these options.
        ignored = shutil.ignore_patterns("built", "vmlinux", "Image")
        shutil.copytree(nearest, fresh, symlinks=True, ignore=ignored, dirs_exist_ok=True)
        shutil.copyfile(tree.build / ".config", fresh / ".config")
        # The last link there may have had a file system and another layout: make writes the
        # default script again.
        (fresh / INITRAMFS).write_bytes(cpio.archive([]))
        (fresh / LINKER_SCRIPT).unlink(missing_ok=True)
        shutil.rmtree(tree.build)


def ensure(tree: KernelTree) -> None:
    """Builds the kernel without a file system, for which modules are built, if it is missing."""
    if (tree.build / "built").is_file():
        return
    unpack(tree)
    configure(tree)
    start_from_nearest(tree)
    # "modules" adds Module.symvers, the exports that the disk driver is checked against.
    make(tree, "vmlinux", "modules")
    shutil.copyfile(tree.build / LINKER_SCRIPT, tree.build / LAYOUT_SCRIPT)
    shutil.copyfile(tree.build / LINKER_MAP, tree.build / LAYOUT_MAP)
    (tree.build / "built").touch()


def release(tree: KernelTree) -> str:
    """Returns the version that the kernel reports (uname -r)."""
    return (tree.build / "include/config/kernel.release").read_text(encoding="utf-8").strip()


def config_digest(tree: KernelTree) -> str:
    """Returns the digest of the whole configuration."""
    options = kconfig.load(tree.build / ".config")
    return digest.record_digest(sorted(options.items()))


def build_module(
    tree: KernelTree, sources: list[Path], target: Path, words: Sequence[str] = ()
) -> None:
    """Builds a module in a scratch copy, so that the checkout stays free of its objects."""
    scratch = tree.build / "osgap-module"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    for source in sources:
        shutil.copy(source, scratch / source.name)
    make(tree, f"M={scratch}", *words, "modules")
    module = scratch / target.name
    if not module.is_file():
        raise OsgapError(f"the kernel built no {target.name}: does its Kbuild name it?")
    run([f"{CROSS}strip", "--strip-debug", "-o", target, module], log=tree.log)


def link_image(
    tree: KernelTree, archive: Path, image: Path, vmlinux: Path, layout: int = link_order.DEFAULT
) -> None:
    """Links the kernel's objects again in a layout, with the file system in it."""
    default = (tree.build / LAYOUT_SCRIPT).read_text(encoding="utf-8")
    linker_map = (tree.build / LAYOUT_MAP).read_text(encoding="utf-8")
    # Written for every link: an interrupted link may have left the script of another layout.
    ordered = link_order.script(default, linker_map, layout)
    (tree.build / LINKER_SCRIPT).write_text(ordered, encoding="utf-8")
    shutil.copyfile(archive, tree.build / INITRAMFS)
    make(tree, "Image")
    shutil.copyfile(tree.build / "arch/riscv/boot/Image", image)
    shutil.copyfile(tree.build / "vmlinux", vmlinux)
