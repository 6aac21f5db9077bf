# SPDX-License-Identifier: BSD-3-Clause
"""Which packages are taken, and what is said when there are none."""

import json
import os
from pathlib import Path

import pytest

from osgap.base.durable import digests
from osgap.base.errors import OsgapError
from osgap.image.provision import sources
from osgap.image.provision.apt import Apt
from osgap.image.provision.versions import newer, newest_kernel


def test_versions_compare_as_dpkg_does() -> None:
    assert newer("6.12.117-1~deb12u1", "6.1.192-2")
    assert not newer("6.9", "6.12")
    assert newer("6.12-1", "6.12-1~deb12u1")


def test_the_newest_kernel_is_taken() -> None:
    offered = {
        "linux-source-6.1": "6.1.192-2",
        "linux-source-6.12": "6.12.117-1~deb12u1",
        "linux-source-6.9": "6.9.7-1~bpo12+1",
    }
    assert newest_kernel(offered) == "linux-source-6.12"


@pytest.mark.parametrize(
    "offered",
    [
        {},
        {"linux-source-5.10": "5.10.223-1"},
        {"linux-source": "6.12.117-1"},
        {"linux-source-rt": "6.12.117-1"},
    ],
)
def test_no_usable_kernel_is_one_sentence(offered: dict[str, str]) -> None:
    with pytest.raises(OsgapError, match=r"no linux-source package of version 6\.1 or later"):
        newest_kernel(offered)


def test_6_1_is_new_enough() -> None:
    assert newest_kernel({"linux-source-6.1": "6.1.4-1"}) == "linux-source-6.1"


@pytest.fixture
def fake_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """apt tools of our own in PATH; each test writes what apt-cache and apt-get answer."""
    tools = tmp_path / "bin"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    return tools


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


POLICY = """cat <<'END'
opensbi:
  Installed: (none)
  Candidate: 1.3-1
END"""


def test_offer_reads_both_versions(fake_apt: Path, tmp_path: Path) -> None:
    script(fake_apt / "apt-cache", POLICY)
    offer = Apt(tmp_path / "apt").offer("opensbi")
    assert (offer.installed, offer.candidate) == (None, "1.3-1")


def test_a_missing_package_is_one_sentence(fake_apt: Path, tmp_path: Path) -> None:
    script(fake_apt / "apt-cache", "exit 0")
    script(fake_apt / "apt-get", "echo 'E: Failed to fetch lists' >&2; exit 100")
    with pytest.raises(OsgapError) as caught:
        sources.resolve(tmp_path / "cache", {"busybox", "opensbi", "tcc"})
    sentence = str(caught.value)
    assert sentence.startswith("apt offers no package opensbi")
    assert "Failed to fetch lists" in sentence
    assert "\n" not in sentence


def test_a_kernel_that_a_variant_names_is_fetched_or_one_sentence(
    fake_apt: Path, tmp_path: Path
) -> None:
    script(fake_apt / "apt-cache", "exit 0")
    script(fake_apt / "apt-get", "exit 0")
    with pytest.raises(OsgapError, match=r"^apt offers no package linux-source-6\.1: "):
        sources.resolve(tmp_path / "cache", {"linux-source-6.1"})


def test_a_missing_source_package_is_one_sentence(fake_apt: Path, tmp_path: Path) -> None:
    script(fake_apt / "apt-get", "echo 'E: Unable to find a source package for tcc' >&2; exit 100")
    with pytest.raises(OsgapError, match=r"^apt offers no source package tcc: .*Unable to find"):
        sources._source(tmp_path, Apt(tmp_path / "apt"), tmp_path, "tcc")


def test_the_record_is_used_only_while_its_files_are_there(tmp_path: Path) -> None:
    package = sources.Package("tcc", "1:2-3", "tcc_2-3.dsc", "00")
    path = package.path(tmp_path)
    path.parent.mkdir(parents=True)
    path.touch()
    sources.record_path(tmp_path).write_text(json.dumps({"tcc": package.__dict__}))
    assert sources.load(tmp_path) == {"tcc": package}
    path.unlink()
    assert sources.load(tmp_path) is None


@pytest.mark.parametrize("text", ["", "[]", '{"tcc": {"name": "tcc"}}', '{"tcc": 1}'])
def test_a_damaged_record_is_no_record(tmp_path: Path, text: str) -> None:
    sources.record_path(tmp_path).parent.mkdir(parents=True)
    sources.record_path(tmp_path).write_text(text)
    assert sources.load(tmp_path) is None


@pytest.fixture
def kept(tmp_path: Path) -> tuple[sources.Package, Path]:
    """A package of three files as `_keep` keeps it, and its folder in the cache."""
    for name in ("a.dsc", "a.tar", "a.elf"):
        (tmp_path / name).write_text(name)
    files = [tmp_path / name for name in ("a.dsc", "a.tar", "a.elf")]
    package = sources._keep(tmp_path / "cache", "a", "1", files)
    return package, package.path(tmp_path / "cache").parent


@pytest.mark.parametrize("name", ["a.dsc", "a.tar", "a.elf"])
@pytest.mark.parametrize("how", ["changed", "cut", "gone", "link", "pipe"])
def test_a_cached_package_is_compared_with_its_digests_again(
    kept: tuple[sources.Package, Path], tmp_path: Path, name: str, how: str
) -> None:
    package, folder = kept
    assert package.checked(tmp_path / "cache") == folder / "a.dsc"
    file = folder / name
    if how in ("changed", "cut"):
        file.write_text("" if how == "cut" else file.read_text()[::-1])
    else:
        file.unlink()
    if how == "link":
        file.symlink_to(tmp_path / name)  # the same bytes: what it leads to may change at any time
    elif how == "pipe":
        os.mkfifo(file)
    with pytest.raises(OsgapError) as caught:
        package.checked(tmp_path / "cache")
    assert str(file) in str(caught.value) and "allowed" in str(caught.value)


def test_a_linked_folder_of_a_package_is_refused_and_nothing_is_written_through_it(
    kept: tuple[sources.Package, Path], tmp_path: Path
) -> None:
    package, folder = kept
    victim = folder.rename(tmp_path / "victim")
    folder.symlink_to(victim)
    before = digests(victim)
    for work in (
        lambda: package.checked(tmp_path / "cache"),
        lambda: sources._keep(tmp_path / "cache", "a", "1", [tmp_path / "a.dsc"]),
    ):
        with pytest.raises(OsgapError, match="found a symbolic link"):
            work()
    assert digests(victim) == before


def test_a_package_that_an_older_osgap_fetched_is_checked_as_far_as_it_is_known(
    kept: tuple[sources.Package, Path], tmp_path: Path
) -> None:
    package, folder = kept
    older = sources.Package(package.name, package.version, package.file, package.sha256)
    (folder / "a.tar").write_text("unknown")
    assert older.checked(tmp_path / "cache") == folder / "a.dsc"
