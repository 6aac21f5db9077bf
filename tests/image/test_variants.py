# SPDX-License-Identifier: BSD-3-Clause
"""Image variants: their files, what they change, and one that is built and booted."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from osgap.base.config import ConfigError
from osgap.base.errors import OsgapError
from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import Job
from osgap.guest.protocol import Orders, parse
from osgap.image.builder import kconfig
from osgap.image.builder.variant import Variant, load_variant, variant_files
from osgap.image.builder.variantselection import select_variants
from osgap.image.files import load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

ROOT = project_root()
VARIANTS = ROOT / "disk-images" / "variants"
BASE = (ROOT / "disk-images" / "kernel" / "osgap.config").read_text()
needs_clang = pytest.mark.skipif(not shutil.which("clang"), reason="clang is not installed")


def scons(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "SCons", "-Q", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=1200,
    )


def written(directory: Path, text: str) -> Path:
    path = directory / "mine.toml"
    path.write_text(f'description = "mine"\n{text}')
    return path


def extended(name: str) -> Variant | None:
    """Returns the variant that NAME changes in one thing; None for the default image."""
    if name.startswith("smp") and "-layout-" in name:
        return load_variant(VARIANTS / f"{name.partition('-layout-')[0]}.toml")
    if name.startswith("smp-adaptive-"):
        return load_variant(VARIANTS / "smp-adaptive.toml")
    for base in ("period-moves", "period", "remote"):
        if name.startswith(f"{base}-") and name != "period-moves":
            return load_variant(VARIANTS / f"{base}.toml")
    return None


def test_the_committed_ones_change_one_thing_each() -> None:
    known = select_variants(VARIANTS, "all")
    assert set(known) == {path.stem for path in VARIANTS.glob("*.toml")}
    assert {"gcc-O0", "clang-O2", "clang-O0", "musl", "hz250", "preempt", "reflect"} <= set(known)
    # test_distro.py has those of a distribution.
    known = {name: variant for name, variant in known.items() if not name.startswith("distro")}
    for name, variant in known.items():
        base = extended(name)
        before = kconfig.parse(base.kernel.fragment(BASE) if base else BASE, "base")
        kernel = kconfig.parse(variant.kernel.fragment(BASE), name)
        changed = {option for option, value in kernel.items() if before.get(option) != value}
        built_otherwise = bool(variant.programs.model_dump(exclude_defaults=True))
        told = [bool(changed), built_otherwise, bool(variant.layout), variant.disk.log]
        told.append(variant.kernel.package != (base.kernel.package if base else ""))
        assert told.count(True) == 1, name
        if base:
            parts = ("period", "moves", "remote", "suites")
            assert [getattr(variant, part) for part in parts] == [
                getattr(base, part) for part in parts
            ]
        else:
            assert bool(changed or variant.kernel.package) == variant.kernel.is_own
    plain = [variant.layout for name, variant in known.items() if not extended(name)]
    assert sorted(filter(None, plain)) == list(range(1, 10))


def test_the_multiprocessors_images_differ_in_a_word_alone() -> None:
    words = {"smp": "", "smp-giant": "giant_vfs=1", "smp-adaptive": "giant_vfs=adaptive"}
    found = {name: load_variant(VARIANTS / f"{name}.toml").kernel for name in words}
    assert {name: kernel.command_line for name, kernel in found.items()} == words
    assert len({kernel.options for kernel in found.values()}) == 1
    assert "CONFIG_OSGAP_GIANT_VFS=y" in found["smp"].options
    suites = [load_variant(VARIANTS / f"{name}.toml").suites for name in words]
    assert suites == [("extractions",)] * 3


def test_a_kernels_options_are_those_of_the_default_one_with_its_own(tmp_path: Path) -> None:
    base = '# Boot\nCONFIG_HZ_25=y\n# Optional: new\nCONFIG_A=y\nCONFIG_CMDLINE="quiet a=1"\n'
    path = written(
        tmp_path,
        '[kernel]\noptions = ["# CONFIG_HZ_25 is not set", "CONFIG_HZ_250=y"]'
        '\ncommand_line = "b=2 c"\n',
    )
    assert load_variant(path).kernel.fragment(base) == (
        "# Boot\n# CONFIG_HZ_25 is not set\n# Optional: new\nCONFIG_A=y\n"
        'CONFIG_CMDLINE="quiet a=1 b=2 c"\nCONFIG_HZ_250=y\n'
    )
    with pytest.raises(OsgapError, match="has no CONFIG_CMDLINE"):
        load_variant(path).kernel.fragment("CONFIG_HZ_25=y\n")


def test_a_variant_combines_others_and_decides_last(tmp_path: Path) -> None:
    texts = {
        "one": "moves = true\nlayout = 3\n"
        '[kernel]\noptions = ["CONFIG_A=y"]\ncommand_line = "a=1"\n',
        "two": 'combines = ["one"]\n[kernel]\noptions = ["CONFIG_B=y", "CONFIG_A=y"]\n',
        "mine": 'combines = ["two", "one"]\nlayout = 4\n[kernel]\ncommand_line = "b=2"\n',
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(f'description = "{name}"\n{text}')
    found = load_variant(tmp_path / "mine.toml")
    assert (found.description, found.layout, found.moves) == ("mine", 4, True)
    assert found.kernel.options == ("CONFIG_B=y", "CONFIG_A=y")
    assert found.kernel.command_line == "a=1 b=2"
    assert [path.stem for path in variant_files(tmp_path / "mine.toml")] == ["one", "two", "mine"]


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        ("mine", "combines: found 'mine'; allowed: names of variants that do not combine this one"),
        ("other", "other.toml: combines: found 'mine'"),
        ("../x", "combines: found '../x'"),
        ("absent", "absent.toml: no such file"),
    ],
)
def test_a_variant_does_not_combine_itself(tmp_path: Path, mine: str, words: str) -> None:
    path = written(tmp_path, f'combines = ["{mine}"]\n')
    (tmp_path / "other.toml").write_text('description = "other"\ncombines = ["mine"]\n')
    with pytest.raises(ConfigError) as caught:
        load_variant(path)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[kernal]\n",
            "kernal: unknown key; allowed: boards, combines, description, disk, extractions",
        ),
        (
            "[kernel]\noption = []\n",
            "kernel.option: unknown key; allowed: command_line, options, package, patches",
        ),
        ('[kernel]\noptions = ["HZ=250"]\n', "kernel.options.0: found 'HZ=250'; allowed: \"CONFIG"),
        ('[kernel]\noptions = ["CONFIG_A=y\\nCONFIG_B=y"]\n', "kernel.options.0: found"),
        ('[kernel]\noptions = ["CONFIG_CMDLINE=\\"x\\""]\n', "allowed: kernel.command_line for it"),
        ('[kernel]\ncommand_line = "a\\"b"\n', "kernel.command_line: found"),
        ('[kernel]\npackage = "linux-source"\n', "kernel.package: found"),
        (
            '[programs]\ncompiler = "icc"\n',
            "programs.compiler: found 'icc'; allowed: 'gcc'",
        ),
        ('[programs]\noptimise = "-O3"\n', "programs.optimise: found '-O3'"),
        ('[programs]\nlibc = "bionic"\n', "programs.libc: found 'bionic'"),
        ("[programs\n", "not readable as TOML"),
    ],
)
def test_a_broken_file_is_named_with_its_key(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_variant(path)
    assert str(caught.value).startswith(f"{path}: ") and words in str(caught.value)


def test_the_name_of_the_default_image_is_no_variants(tmp_path: Path) -> None:
    assert select_variants(VARIANTS, "default") == {}
    written(tmp_path, "").rename(tmp_path / "default.toml")
    with pytest.raises(ConfigError, match=r"default\.toml: the name is the default image's own"):
        select_variants(tmp_path, "all")


@pytest.mark.long
@pytest.mark.build
def test_a_new_variant_is_one_file(copy: Path, tmp_path: Path) -> None:
    text = '[kernel]\noptions = ["CONFIG_AUDIT=y"]\n[programs]\noptimise = "-O1"\n'
    written(copy / "disk-images" / "variants", text)
    cache = f"cache={tmp_path / 'cache'}"
    for words in (["variant=mine"], ["image", "variant=mine,default"], ["variant=all"]):
        dry = scons(copy, cache, "-n", *words)
        assert dry.returncode == 0, dry.stderr
        for made in (
            "obj/guest/workloads/checks/empty_loop.c.o",
            "guest/init",
            "image/image.json",
            "kernel/kernel.json",
            "guest/osgap_disk.ko",
        ):
            assert f" build/variants/mine/{made}\n" in dry.stdout
        assert (" build/image/image.json\n" in dry.stdout) == ("default" in words[-1])
        assert ("build/variants/musl/image/image.json" in dry.stdout) == (words == ["variant=all"])
    assert "variants" not in scons(copy, cache, "-n").stdout


@pytest.mark.build
def test_a_driver_that_tells_requests_is_all_that_its_variant_builds(
    copy: Path, tmp_path: Path
) -> None:
    assert load_variant(VARIANTS / "disk-log.toml").manifest("disk-log", [])["disk"] == {
        "log": True
    }
    assert "disk" not in load_variant(VARIANTS / "layout-1.toml").manifest("layout-1", [])
    dry = scons(copy, f"cache={tmp_path / 'cache'}", "-n", "variant=disk-log")
    assert dry.returncode == 0, dry.stderr
    own = " build/variants/disk-log"
    assert f"{own}/guest/osgap_disk.ko\n" in dry.stdout and f"{own}/image/Image" in dry.stdout
    assert f"{own}/kernel" not in dry.stdout and " build/guest/osgap_disk.ko\n" not in dry.stdout


@pytest.mark.build
def test_the_suite_of_boards_is_in_images_that_say_so_and_in_no_other(
    copy: Path, tmp_path: Path
) -> None:
    assert load_variant(VARIANTS / "boards.toml").manifest("boards", [])["boards"] is True
    assert "boards" not in load_variant(VARIANTS / "remote.toml").manifest("remote", [])
    dry = scons(copy, f"cache={tmp_path / 'cache'}", "-n", "variant=boards,disk-log")
    assert dry.returncode == 0, dry.stderr
    of_suite = "obj/guest/workloads/boards/chase.c.o\n"
    assert f" build/variants/boards/{of_suite}" in dry.stdout
    assert dry.stdout.count(of_suite) == 1


@pytest.mark.build
@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        ("[programs]\nlibc = 1\n", ["variant=mine"], "mine.toml: programs.libc: found 1; allowed"),
        ("", ["variant=mine", "builder=buildroot"], "variant=mine: found builder=buildroot"),
    ],
)
def test_scons_says_in_one_sentence_what_is_wrong(
    copy: Path, text: str, words: list[str], sentence: str
) -> None:
    written(copy / "disk-images" / "variants", text)
    done = scons(copy, *words)
    assert done.returncode == 2 and sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.build
def test_a_missing_clang_is_one_sentence(copy: Path, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("riscv64-linux-gnu-gcc", "riscv64-linux-gnu-ld"):
        (tools / name).symlink_to(shutil.which(name) or name)
    done = scons(copy, "variant=clang-O2", f"cache={tmp_path / 'cache'}", PATH=str(tools))
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "clang is not installed: apt-get install clang, or osgap variants" in done.stderr


@pytest.mark.long
@pytest.mark.build
@pytest.mark.image
@pytest.mark.usefixtures("image")
@needs_clang
def test_the_same_bytes_are_built_twice_and_others_than_the_default_ones(tmp_path: Path) -> None:
    programs = []
    for place in ("one", "another/folder"):
        folder = tmp_path / place
        shutil.copytree(ROOT / "osgap", folder / "osgap")
        shutil.copy(ROOT / "SConstruct", folder)
        for name in ("workloads", "disk-images"):
            shutil.copytree(ROOT / name, folder / name)
        names = [f"build/variants/{name}/guest/init" for name in ("clang-O0", "clang-O2")]
        done = scons(folder, "variant=clang-O0,clang-O2", f"cache={folder / 'cache'}", *names)
        assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
        programs.append([(folder / name).read_bytes() for name in names])
    assert programs[0] == programs[1]
    assert len({*programs[0], (ROOT / "build" / "guest" / "init").read_bytes()}) == 3


@pytest.mark.long
@pytest.mark.build
@pytest.mark.qemu
@needs_clang
def test_a_variant_boots_and_its_manifest_says_what_it_is(copy: Path, tmp_path: Path) -> None:
    text = '[programs]\ncompiler = "clang"\noptimise = "-O1"\nlibc = "musl"\n'
    written(copy / "disk-images" / "variants", text)
    done = scons(copy, "image", "variant=mine")
    assert done.returncode == 0, done.stdout + done.stderr
    directory = copy / "build" / "variants" / "mine" / "image"
    manifest = json.loads((directory / "image.json").read_text())
    told = manifest["variant"]
    assert (told["name"], told["programs"]["flags"][:3]) == ("mine", "-O1")
    assert "clang" in told["programs"]["compiler"]
    assert told["programs"]["libc"] == f"musl {manifest['packages']['musl']['version']}"
    program = (copy / "build" / "variants" / "mine" / "guest" / "init").read_bytes()
    assert program[:4] == b"\x7fELF" and b"GNU C Library" not in program
    base = system(load_machine(ROOT / "configs" / "machines" / "base.toml"))
    orders = Orders("none", ("checks", "ousterhout/cswitch"), ("sprite",), base.disk.model_dump())
    image = load_image(directory)
    outcome = load("qemu").run(Job(image, base, orders, cache_directory(), tmp_path, 300))
    names = {sample.benchmark for sample in parse(outcome.console).samples}
    assert {"integer_mix", "dhrystone", "cswitch"} <= names
