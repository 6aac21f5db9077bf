# SPDX-License-Identifier: BSD-3-Clause
"""The image of a distribution: groups of Debian's options, and dynamic programs."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from shared import Once

from osgap.base.config import ConfigError
from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import Job
from osgap.guest.protocol import Orders, parse
from osgap.image.builder import kconfig, link_order, steps, toolchain
from osgap.image.builder.loader_cache import loader_cache
from osgap.image.builder.variant import Variant, load_variant
from osgap.image.files import load_image
from osgap.image.variants import image_directory, is_built
from osgap.machines.machine import load_machine
from osgap.machines.system import system

ROOT = project_root()
VARIANTS = ROOT / "disk-images" / "variants"
LAYOUTS = [f"distro-layout-{number}" for number in range(1, 5)]
WHOLE = [*LAYOUTS, "distro-psi-off"]
GROUPS = sorted({path.stem for path in VARIANTS.glob("distro-*.toml")} - set(WHOLE))
DYNAMIC = toolchain.Toolchain(dynamic=True)


def variant(name: str) -> Variant:
    return load_variant(VARIANTS / f"{name}.toml")


def test_the_distribution_combines_all_groups() -> None:
    whole = variant("distro")
    assert list(whole.combines) == [] and len(GROUPS) > 10
    text = (VARIANTS / "distro.toml").read_text()
    assert all(f'"{name}"' in text for name in GROUPS)
    options = kconfig.parse("\n".join(whole.kernel.options), "distro")
    for name in GROUPS:
        for option, value in kconfig.parse("\n".join(variant(name).kernel.options), name).items():
            own = {"CONFIG_CONTEXT_TRACKING_USER_FORCE"}
            assert options[option] == value or option in own, (name, option)
    assert (whole.programs.linking, whole.session) == ("dynamic", True)


def test_a_group_changes_the_kernel_or_the_linking_and_no_option_of_another() -> None:
    told: Counter[str] = Counter()
    for name in GROUPS:
        group = variant(name)
        assert (group.programs.linking == "dynamic") == (not group.kernel.options), name
        assert group.session == (name == "distro-cgroups")
        told.update([*kconfig.parse("\n".join(group.kernel.options), name)])
    # Only what two groups need is in both.
    assert {option for option, count in told.items() if count > 1} == {"CONFIG_DEBUG_FS"}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_changes_nothing_but_the_order(name: str) -> None:
    whole, changed = variant("distro"), variant(name)
    assert changed.layout == int(name.rpartition("-")[2])
    left_out = {"layout", "description"}
    assert changed.model_dump(exclude=left_out) == whole.model_dump(exclude=left_out)


def test_stalls_can_be_off_and_nothing_else_differs() -> None:
    whole, changed = variant("distro"), variant("distro-psi-off")
    left_out = {"kernel", "description"}
    assert changed.model_dump(exclude=left_out) == whole.model_dump(exclude=left_out)
    on, off = (
        kconfig.parse("\n".join(image.kernel.options), "distro") for image in (whole, changed)
    )
    differences = {name for name in {*on, *off} if on.get(name) != off.get(name)}
    assert differences == {"CONFIG_PSI_DEFAULT_DISABLED"} and off["CONFIG_PSI"] == "y"


def test_musl_is_linked_statically_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('description = "x"\n[programs]\nlibc = "musl"\nlinking = "dynamic"\n')
    with pytest.raises(ConfigError) as caught:
        load_variant(path)
    assert f"{path}: programs.linking: found 'dynamic'; allowed: 'static'" in str(caught.value)


def test_the_manifest_names_the_linking_where_it_is_dynamic() -> None:
    programs = variant("distro-dynamic").manifest("distro-dynamic", [])["programs"]
    assert isinstance(programs, dict) and programs["linking"] == "dynamic"
    assert "linking" not in toolchain.Toolchain().describe("")
    assert variant("distro-cgroups").manifest("distro-cgroups", [])["session"] is True
    assert "session" not in variant("distro-time").manifest("distro-time", [])


def test_glibc_reads_the_cache_of_libraries(tmp_path: Path) -> None:
    paths = [f"{folder}/{name}" for name, folder in toolchain.SHARED.items()]
    cache = tmp_path / "ld.so.cache"
    cache.write_bytes(loader_cache(paths))
    told = subprocess.run(
        ["/sbin/ldconfig", "-p", "-C", cache], capture_output=True, text=True, check=True
    )
    found = [line.split() for line in told.stdout.splitlines() if "=>" in line]
    assert sorted(line[-1] for line in found) == sorted(paths)
    assert all(line[0] == Path(line[-1]).name for line in found)
    assert told.stdout.count("double-float") == len(paths)


@pytest.mark.build
def test_a_dynamic_program_is_ordered_too(tmp_path: Path) -> None:
    source, built = tmp_path / "a.c", tmp_path / "a.o"
    functions = "".join(f"int f{n}(int a) {{ return a + {n}; }}\n" for n in range(40))
    source.write_text(
        f"{functions}const int table[9] = {{1}};\nint main(void) {{ return f0(0); }}\n"
    )
    subprocess.run(
        [DYNAMIC.cc, *DYNAMIC.ccflags, "-c", source, "-o", built],
        check=True,
    )
    link = [DYNAMIC.cc, *DYNAMIC.linkflags]
    orders = []
    for layout in (0, 1, 2):
        script, program = tmp_path / f"{layout}.lds", tmp_path / str(layout)
        steps.order_program(link, [built], layout, script)
        told = tmp_path / f"{layout}.map"
        words = [f"-Wl,-Map={told},-T,{script}", "-o", str(program), str(built)]
        subprocess.run([*link, *words], check=True)
        placed = sorted(link_order.sections(told.read_text()), key=lambda one: one.address)
        orders.append([one.name for one in placed if one.name.startswith(".text.f")])
        assert _interpreter(program).name in toolchain.SHARED
    assert len(orders[0]) == 40 and sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])
    assert len({tuple(order) for order in orders}) == 3


def _interpreter(program: Path) -> Path:
    command = ["riscv64-linux-gnu-readelf", "-p", ".interp", program]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(told.stdout.split()[-1])


@pytest.mark.long
@pytest.mark.build
@pytest.mark.image
@pytest.mark.qemu
def test_dynamic_programs_run_in_the_guest(once: Once, tmp_path: Path) -> None:
    folder = once.image("distro-dynamic")
    guest = folder.parent / "guest"
    paths = {entry["path"] for entry in json.loads((folder / "contents.json").read_text())}
    assert {str(_interpreter(guest / name)) for name in ("init", "execl", "hello")} <= paths
    assert (guest / "hello").stat().st_size < 10000  # no library in it
    # The same kernel: what differs is what runs.
    kernels = [
        json.loads((image / "image.json").read_text())["kernel"]
        for image in (folder, ROOT / "build" / "image")
    ]
    assert kernels[0] == kernels[1]
    _runs(folder, tmp_path, ("byte/execl", "byte/spawn", "mcvoy/simple_process"))


@pytest.mark.long
@pytest.mark.qemu
def test_the_distributions_image_boots_and_runs(tmp_path: Path) -> None:
    """Its kernel takes two cores five to twenty minutes to build: only where it is built."""
    folder = image_directory("distro")
    if not is_built(folder):
        pytest.skip("the image is not built; build it with: scons image variant=distro")
    assert json.loads((folder / "image.json").read_text())["variant"]["session"] is True
    run = ("checks/integer_mix", "ousterhout/getpid", "byte/execl", "byte/pipe_throughput")
    _runs(folder, tmp_path, run)


def _runs(folder: Path, scratch: Path, run: tuple[str, ...]) -> None:
    base = system(load_machine(ROOT / "configs" / "machines" / "base.toml"))
    orders = Orders("none", run, ("unix",), base.disk.model_dump())
    job = Job(load_image(folder), base, orders, cache_directory(), scratch, 300)
    samples = parse(load("qemu").run(job).console).samples
    assert {sample.benchmark for sample in samples} == {name.partition("/")[2] for name in run}
