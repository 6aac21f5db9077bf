# SPDX-License-Identifier: BSD-3-Clause
"""The guest's first file system, and the kernel configuration's check."""

import shutil
import subprocess
from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image.builder import contents, cpio, kconfig

LIST = project_root() / "disk-images" / "rootfs" / "contents.list"
Parts = dict[str, Path]


@pytest.fixture
def parts(tmp_path: Path) -> Parts:
    """The parts that the list names, and below tmp_path the tree that it names."""
    names = (
        "init",
        "busybox",
        "tcc",
        "andrew-crt.o",
        "andrew-cp",
        "osgap_disk.ko",
        "reflect",
        "execl",
        "hello",
    )
    for name in names:
        (tmp_path / name).write_bytes(name.encode())
    andrew = tmp_path / "workloads" / "andrew"
    (andrew / "src").mkdir(parents=True)
    (andrew / "src" / "a.c").write_text("int a;\n")
    load = tmp_path / "workloads" / "byte" / "data"
    load.mkdir(parents=True)
    (load / "load.sh").write_text(":\n")
    return {name: tmp_path / name for name in names}


def _entries(parts: Parts) -> list[cpio.CpioEntry]:
    return list(contents.entries(contents.load(LIST), parts, parts["init"].parent))


def test_the_image_holds_what_is_declared(parts: Parts) -> None:
    rows = {row["path"]: row for row in cpio.contents(cpio.complete(_entries(parts)))}
    assert set(rows) == {
        *("/bin", "/bin/busybox", "/bin/hello", "/bin/sh", "/bin/tcc"),
        *("/bin/grep", "/bin/od", "/bin/sort", "/bin/tee", "/bin/wc"),
        *("/dev", "/dev/console", "/dev/mem", "/dev/null"),
        *("/init", "/lib", "/lib/andrew", "/lib/andrew/crt.o", "/lib/andrew/cp"),
        *("/lib/osgap_disk.ko", "/lib/reflect"),
        *("/lib/byte", "/lib/byte/execl", "/usr/share/byte", "/usr/share/byte/load.sh"),
        *("/mnt", "/proc", "/sys", "/tmp", "/usr", "/usr/share"),
        *("/usr/share/andrew", "/usr/share/andrew/src", "/usr/share/andrew/src/a.c"),
    }
    assert rows["/init"]["mode"] == "0755"
    assert rows["/dev/mem"]["device"] == "1,1"
    assert rows["/bin/sh"]["target"] == "busybox"


@pytest.mark.skipif(not shutil.which("bsdtar") and not shutil.which("cpio"), reason="no reader")
def test_another_program_reads_the_archive(parts: Parts) -> None:
    data = cpio.archive(cpio.complete(_entries(parts)))
    reader = ["bsdtar", "-tf", "-"] if shutil.which("bsdtar") else ["cpio", "-it", "--quiet"]
    listed = subprocess.run(reader, input=data, capture_output=True, check=True).stdout.decode()
    assert "usr/share/andrew/src/a.c" in listed.splitlines()


def test_records_have_the_newc_layout() -> None:
    data = cpio.archive([cpio.CpioEntry("/ab", "file", 0o644, b"xyz")])
    fields = [int(data[6 + 8 * i : 14 + 8 * i], 16) for i in range(13)]
    assert data[:6] == b"070701"
    assert fields[1] == 0o100644
    assert fields[5] == 0
    assert fields[6] == 3
    assert data[110:113] == b"ab\0"
    assert data[116:119] == b"xyz"
    assert data[120:126] == b"070701"
    assert b"TRAILER!!!" in data


def test_times_do_not_matter_and_the_lists_order_is_the_archives(
    parts: Parts, tmp_path: Path
) -> None:
    before = cpio.archive(cpio.complete(_entries(parts)))
    parts["init"].chmod(0o600)
    parts["init"].touch()
    assert cpio.archive(cpio.complete(_entries(parts))) == before
    reversed_ = cpio.complete(_entries(parts)[::-1])
    assert cpio.archive(reversed_) != before
    made: set[str] = set()
    for entry in reversed_:
        assert str(Path(entry.path).parent) in {"/", *made}
        made.add(entry.path)
    parts["init"].write_bytes(b"other")
    assert cpio.archive(cpio.complete(_entries(parts))) != before


def test_a_path_may_be_declared_once() -> None:
    with pytest.raises(OsgapError, match="would hold /a twice"):
        cpio.complete([cpio.folder("/a"), cpio.CpioEntry("/a", "link", 0o777, b"b")])


@pytest.mark.parametrize("path", ["a", "/", "/a/../b"])
def test_a_path_must_be_absolute(path: str) -> None:
    with pytest.raises(OsgapError, match="no absolute path"):
        cpio.folder(path)


FRAGMENT = 'CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C="x"\n'


def check(final: str) -> None:
    wanted = kconfig.parse(FRAGMENT, "f.config")
    kconfig.check_survived(wanted, kconfig.parse(final, ".config"), "f.config")


def test_a_fragment_that_survived_passes() -> None:
    check('CONFIG_A=y\nCONFIG_C="x"\nCONFIG_D=y\n')
    check(FRAGMENT)


@pytest.mark.parametrize(
    ("final", "named"),
    [
        ('CONFIG_C="x"\n', "CONFIG_A=y"),
        ('CONFIG_A=m\nCONFIG_C="x"\n', "CONFIG_A=y"),
        ('CONFIG_A=y\nCONFIG_B=y\nCONFIG_C="x"\n', "CONFIG_B=n"),
        ('CONFIG_A=y\nCONFIG_C="y"\n', "CONFIG_C="),
    ],
)
def test_a_lost_option_is_named(final: str, named: str) -> None:
    with pytest.raises(OsgapError, match=f"^{named}.* of f.config did not survive"):
        check(final)


def test_a_line_that_is_no_option_is_named() -> None:
    with pytest.raises(OsgapError, match=r"f\.config line 2 is no configuration option"):
        kconfig.parse("CONFIG_A=y\nCONFIGB\n", "f.config")


def test_an_optional_option_may_be_missing_but_not_lost(tmp_path: Path) -> None:
    fragment = tmp_path / "f.config"
    fragment.write_text("CONFIG_A=y\n# Optional: since 6.5\nCONFIG_B=y\nCONFIG_C=y\n")
    wanted, may_lack = kconfig.load(fragment), kconfig.optional(fragment)
    assert may_lack == {"CONFIG_B"}
    kconfig.check_survived(wanted, {"CONFIG_A": "y", "CONFIG_C": "y"}, "f.config", may_lack)
    for final in ({"CONFIG_A": "y", "CONFIG_B": "n", "CONFIG_C": "y"}, {"CONFIG_A": "y"}):
        with pytest.raises(OsgapError, match="did not survive"):
            kconfig.check_survived(wanted, final, "f.config", may_lack)
