# SPDX-License-Identifier: BSD-3-Clause
"""The Debian packages that the guest is built from, kept in the cache with a record."""

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
from osgap.image.provision.versions import newest_kernel

KERNEL_PATTERN = "^linux-source-[0-9.]+$"
FIRMWARE = "usr/lib/riscv64-linux-gnu/opensbi/generic"
RECORD = "record.json"
ROLES = frozenset({"busybox", "linux", "opensbi", "tcc"})
"""What every image is made from; a variant's C library is a role of its own, `musl`."""


@dataclass(frozen=True)
class Package:
    """A package as used: where it lies in the cache, and the digest of its main file.

    `others` are the digests of the files beside that, by name; none is known of a package that an
    older osgap fetched.
    """

    name: str
    version: str
    file: str
    sha256: str
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        return f"{self.name}_{self.version.replace(':', '%3a')}"

    def path(self, cache: Path) -> Path:
        """The main file: kernel archive, .dsc, or a folder's fw_jump.bin."""
        return cache / "packages" / self.folder / self.file

    def checked(self, cache: Path) -> Path:
        """As `path`, once all files are what was fetched. Raises OsgapError where one is not."""
        main = self.path(cache)
        durable.refuse_strange(main.parent, directory=True)
        for name, expected in {self.file: self.sha256, **self.others}.items():
            digest.check_file(main.with_name(name), expected)
        return main


def record_path(cache: Path) -> Path:
    return cache / "packages" / RECORD


def load(cache: Path) -> dict[str, Package] | None:
    """What an earlier look found, when the cache still holds all of it."""
    try:
        rows = json.loads(record_path(cache).read_text(encoding="utf-8"))
        found = {role: Package(**row) for role, row in rows.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return found if all(package.path(cache).is_file() for package in found.values()) else None


def resolve(cache: Path, roles: Iterable[str], *, refresh: bool = False) -> dict[str, Package]:
    """Packages by role, fetched when the cache lacks them. Raises OsgapError."""
    wanted = sorted(roles)
    earlier = load(cache) or {}
    known = {} if refresh else earlier
    if lacking := [role for role in wanted if role not in known]:
        known = {**earlier, **_fetch(cache, Apt(cache / "apt"), lacking)}
        rows = {role: asdict(package) for role, package in known.items()}
        durable.write_json(record_path(cache), rows)
    return {role: known[role] for role in wanted}


def _fetch(cache: Path, apt: Apt, roles: Sequence[str]) -> dict[str, Package]:
    trouble = apt.update()
    binaries = {"linux": _linux, "opensbi": _opensbi}
    found = {}
    try:
        with durable.scratch("fetch", cache / "packages") as scratch:
            for role in sorted(roles, key=lambda role: role not in binaries):
                fetch = binaries.get(role, partial(_source, name=role))
                own = scratch / role
                own.mkdir()
                found[role] = fetch(cache, apt, own)
    except OsgapError as error:
        raise OsgapError(f"{error} ({trouble})" if trouble else str(error)) from error
    return found


def _linux(cache: Path, apt: Apt, scratch: Path) -> Package:
    offers = {name: apt.offer(name) for name in apt.names(KERNEL_PATTERN)}
    candidates = {name: offer.candidate for name, offer in offers.items() if offer.candidate}
    name = newest_kernel(candidates)
    root, version = _binary(apt, scratch, name, offers[name])
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
    """The root of a binary package's files: / when its candidate is installed."""
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
    """Keep files under the package's name and version; the first is the main one."""
    main, *others = ((path.name, durable.sha256(path)) for path in files)
    package = Package(name, version, *main, dict(others))
    folder = package.path(cache).parent
    durable.refuse_strange(folder, directory=True)
    with durable.whole_directory(folder) as pending:
        for path in files:
            # Installed files belong to root and may change with an upgrade: keep our own copy.
            shutil.copyfile(path, pending / path.name)
        shutil.rmtree(folder, ignore_errors=True)
    return package
