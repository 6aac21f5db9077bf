# SPDX-License-Identifier: BSD-3-Clause
"""Keeps the Debian packages that the guest is built from in the cache, with a record."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from osgap.base import digest, durable
from osgap.base.errors import OsgapError
from osgap.base.processes import environment
from osgap.image.provision.apt import Apt, Offer
from osgap.image.provision.versions import KERNEL_NAME, newest_kernel

KERNEL_PATTERN = "^linux-source-[0-9.]+$"
FIRMWARE = "usr/lib/riscv64-linux-gnu/opensbi/generic"
RECORD = "record.json"


@dataclass(frozen=True)
class Package:
    """A package in the cache, with its main file and its digest, and the digests of the others."""

    name: str
    version: str
    file: str
    sha256: str
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        return f"{self.name}_{self.version.replace(':', '%3a')}"

    def path(self, cache: Path) -> Path:
        """Returns the main file: kernel archive, .dsc, or fw_jump.bin."""
        return cache / "packages" / self.folder / self.file

    def checked(self, cache: Path) -> Path:
        """Returns the main file after checking all files' digests. Raises OsgapError."""
        main = self.path(cache)
        durable.refuse_strange(main.parent, directory=True)
        for name, expected in {self.file: self.sha256, **self.others}.items():
            digest.check_file(main.with_name(name), expected)
        return main


def record_path(cache: Path) -> Path:
    return cache / "packages" / RECORD


def load(cache: Path) -> dict[str, Package] | None:
    """Returns the packages of the record by role; None if the cache lacks one."""
    try:
        rows = json.loads(record_path(cache).read_text(encoding="utf-8"))
        packages = {role: Package(**row) for role, row in rows.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return packages if all(p.path(cache).is_file() for p in packages.values()) else None


def resolve(cache: Path, roles: Iterable[str], *, refresh: bool = False) -> dict[str, Package]:
    """Returns packages by role, fetching those that the cache lacks. Raises OsgapError."""
    roles = sorted(roles)
    cached = load(cache) or {}
    packages = {} if refresh else cached
    if missing := [role for role in roles if role not in packages]:
        packages = {**cached, **_fetch(cache, Apt(cache / "apt"), missing)}
        rows = {role: asdict(package) for role, package in packages.items()}
        durable.write_json(record_path(cache), rows)
    return {role: packages[role] for role in roles}


def _fetch(cache: Path, apt: Apt, roles: Sequence[str]) -> dict[str, Package]:
    trouble = apt.update()
    binaries = {"linux": _linux, "opensbi": _opensbi}
    binaries |= {role: partial(_kernel, name=role) for role in roles if KERNEL_NAME.fullmatch(role)}
    packages = {}
    try:
        with durable.scratch("fetch", cache / "packages") as scratch:
            for role in sorted(roles, key=lambda role: role not in binaries):
                fetch = binaries.get(role, partial(_source, name=role))
                folder = scratch / role
                folder.mkdir()
                packages[role] = fetch(cache, apt, folder)
    except OsgapError as error:
        raise OsgapError(f"{error} ({trouble})" if trouble else str(error)) from error
    return packages


def _linux(cache: Path, apt: Apt, scratch: Path) -> Package:
    offers = {name: apt.offer(name) for name in apt.names(KERNEL_PATTERN)}
    candidates = {name: offer.candidate for name, offer in offers.items() if offer.candidate}
    return _kernel(cache, apt, scratch, newest_kernel(candidates))


def _kernel(cache: Path, apt: Apt, scratch: Path, name: str) -> Package:
    root, version = _binary(apt, scratch, name, apt.offer(name))
    archives = sorted(path for path in (root / "usr/src").rglob(f"{name}.tar.*") if path.is_file())
    if not archives:
        raise OsgapError(f"package {name} holds no {name}.tar archive")
    return _keep(cache, name, version, archives[:1])


def _opensbi(cache: Path, apt: Apt, scratch: Path) -> Package:
    root, version = _binary(apt, scratch, "opensbi", apt.offer("opensbi"))
    files = [root / FIRMWARE / f"fw_jump.{kind}" for kind in ("bin", "elf")]
    if missing := [path.name for path in files if not path.is_file()]:
        raise OsgapError(f"package opensbi {version} holds no {missing[0]} in {FIRMWARE}")
    return _keep(cache, "opensbi", version, files)


def _binary(apt: Apt, scratch: Path, name: str, offer: Offer) -> tuple[Path, str]:
    """Returns the root of a binary package's files (/ if its candidate is installed), and its
    version."""
    if offer.candidate is None:
        raise OsgapError(f"apt offers no package {name}: is its component in the apt sources?")
    if offer.installed == offer.candidate:
        return Path("/"), offer.candidate
    apt.run("apt-get", "download", "-q", f"{name}={offer.candidate}", cwd=scratch)
    for deb in scratch.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", deb, scratch], check=True, env=environment())
    return scratch, offer.candidate


def _source(cache: Path, apt: Apt, scratch: Path, name: str) -> Package:
    try:
        apt.run("apt-get", "source", "--download-only", "-q", name, cwd=scratch)
    except OsgapError as error:
        raise OsgapError(f"apt offers no source package {name}: {error}") from error
    files = sorted(scratch.iterdir(), key=lambda path: (path.suffix != ".dsc", path.name))
    if not files or files[0].suffix != ".dsc":
        raise OsgapError(f"apt fetched no .dsc file for the source package {name}")
    return _keep(cache, name, _dsc_version(files[0]), files)


def _dsc_version(dsc: Path) -> str:
    for line in dsc.read_text(encoding="utf-8").splitlines():
        if line.startswith("Version:"):
            return line.partition(":")[2].strip()
    raise OsgapError(f"{dsc.name} states no Version")


def _keep(cache: Path, name: str, version: str, files: list[Path]) -> Package:
    """Copies files into the cache, under the package's name and version; the first is the main."""
    main, *rest = ((path.name, durable.sha256(path)) for path in files)
    package = Package(name, version, *main, dict(rest))
    folder = package.path(cache).parent
    durable.refuse_strange(folder, directory=True)
    with durable.whole_directory(folder) as pending:
        for path in files:
            # A copy, because installed files may change with an upgrade.
            shutil.copyfile(path, pending / path.name)
        shutil.rmtree(folder, ignore_errors=True)
    return package
