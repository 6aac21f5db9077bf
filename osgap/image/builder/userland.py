# SPDX-License-Identifier: BSD-3-Clause
"""Builds busybox and tcc for the guest from Debian's patched sources, static, by cross compiler."""

import shutil
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.image.builder import kconfig
from osgap.image.builder.run import run

CROSS = "riscv64-linux-gnu-"
# busybox and the linker would otherwise record the time and the folder of the build.
FIXED = {"SOURCE_DATE_EPOCH": "645062400", "KCONFIG_NOTIMESTAMP": "1"}


def unpack(dsc: Path, into: Path, log: Path) -> None:
    """Unpacks a Debian source package with Debian's patches applied."""
    shutil.rmtree(into, ignore_errors=True)
    into.parent.mkdir(parents=True, exist_ok=True)
    # apt has checked the files against the signed index; --no-check only skips the
    # maintainer's key, which this machine need not have.
    run(["dpkg-source", "-q", "--no-check", "-x", dsc, into], log=log)


def busybox(dsc: Path, fragment: Path, work: Path, target: Path, jobs: int) -> None:
    """Builds busybox with only the fragment's applets."""
    log, source, build = work / "busybox.log", work / "busybox-src", work / "busybox"
    unpack(dsc, source, log)
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir()
    make = ["make", "-s", "-C", str(source), f"O={build}", f"CROSS_COMPILE={CROSS}", f"-j{jobs}"]
    run([*make, "allnoconfig"], log=log, env=FIXED)
    config, options = build / ".config", kconfig.load(fragment)
    config.write_text(kconfig.merged(kconfig.load(config), options), encoding="utf-8")
    # This old Kconfig has no olddefconfig: refuse each option that the new ones bring up.
    run([*make, "oldconfig"], log=log, env=FIXED, stdin="n\n" * 2000)
    kconfig.check_survived(options, kconfig.load(config), fragment.name)
    run([*make, "busybox"], log=log, env=FIXED)
    shutil.copyfile(build / "busybox", target)
    target.chmod(0o755)


def tcc(dsc: Path, work: Path, target: Path, jobs: int) -> None:
    """Builds a tcc that runs in the guest and compiles for it."""
    log, source = work / "tcc.log", work / "tcc-src"
    unpack(dsc, source, log)
    options = ["--cpu=riscv64", f"--cross-prefix={CROSS}", "--prefix=/usr"]
    options += ["--extra-ldflags=-static -Wl,--build-id=none"]
    run(["./configure", *options], log=log, cwd=source)
    _predefine(source, log)
    run(["make", "-s", f"-j{jobs}", "tcc"], log=log, cwd=source)
    shutil.copyfile(source / "tcc", target)
    target.chmod(0o755)


def _predefine(source: Path, log: Path) -> None:
    """Makes the header tccdefs_.h, which newer versions of tcc make by a helper on the host."""
    helper, header = source / "conftest.c", source / "include" / "tccdefs.h"
    if "C2STR" not in helper.read_text(encoding="utf-8"):
        return
    if not header.is_file():
        raise OsgapError("tcc's source has no include/tccdefs.h, though its Makefile reads it")
    program = source / "c2str.exe"
    run(["gcc", "-DC2STR", helper, "-o", program], log=log)
    run([program, header, source / "tccdefs_.h"], log=log)
