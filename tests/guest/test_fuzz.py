# SPDX-License-Identifier: BSD-3-Clause
"""Input from outside, damaged in every way that a generator thinks of.

Only osgap's own errors may come of it (a user sees one sentence, not a traceback), soon, and no
file outside the run directory is touched. Names from files never reach a shell.
"""

import ast
import contextlib
import json
import lzma
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sweeping
from examples import examples
from files import damaged
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from trees import SOURCES, nodes

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.engines.gem5 import read_stats
from osgap.gem5stats.gem5text import read_dumps
from osgap.guest import protocol
from osgap.guest.records import ModeTimes, columns
from osgap.machines.machine import load_machine
from osgap.machines.system import system
from osgap.points.jobs import read_jobs
from osgap.points.planned import read_plan
from osgap.points.record import read as read_record
from osgap.rundir.archive import lock
from osgap.rundir.files import PointFiles
from osgap.rundir.load import load_run
from osgap.rundir.point import damage as point_damage
from osgap.rundir.pointfiles import write_done
from osgap.suites import analyze
from osgap.sweep.profile import load_profile
from osgap.sweep.progress import keys_of, survey
from osgap.sweep.spec import load_sweep

ROOT = project_root()
BASE = (ROOT / "configs" / "machines" / "base.toml").read_text()
DEFAULT = (ROOT / "configs" / "sweeps" / "default.toml").read_text()
GEM5_STATS = (ROOT / "tests" / "gem5stats" / "fixtures" / "gem5_stats.txt").read_text()
SLOW_S = 20
"""Of one text: ten times what the slowest takes, since kernels may be built beside it."""
fuzz = settings(
    max_examples=examples(150),
    deadline=SLOW_S * 1000,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@contextlib.contextmanager
def only_sentences() -> Iterator[None]:
    """Lets osgap's own errors pass, which are one sentence."""
    try:
        yield
    except OsgapError as error:
        assert str(error).strip(), "an error without a word"


def _write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


@fuzz
@given(text=damaged(BASE) | st.text(max_size=200))
@example(text=BASE.replace("3600", "0"))
@example(text=BASE.replace("3600", "1e-300"))
@example(text=BASE.replace("3600", "inf"))
def test_machine_files(tmp_path: Path, text: str) -> None:
    with only_sentences():
        machine = load_machine(_write(tmp_path / "machine.toml", text))
        for clock in (20.0, 640.0):
            system(machine, clock, "scaled", "scaled").model_dump_json()


@fuzz
@given(data=st.data())
def test_machine_figures_of_any_size(tmp_path: Path, data: st.DataObject) -> None:
    number = data.draw(st.integers(-(10**40), 10**40) | st.floats())
    lines = BASE.splitlines()
    figures = [at for at, line in enumerate(lines) if "value = " in line]
    at = data.draw(st.sampled_from(figures))
    head, _, rest = lines[at].partition("value = ")
    lines[at] = f"{head}value = {number}{rest[rest.index(',') :]}"
    with only_sentences():
        machine = load_machine(_write(tmp_path / "machine.toml", "\n".join(lines)))
        system(machine, 40, "scaled", "scaled").model_dump_json()


@fuzz
@given(text=damaged(DEFAULT) | st.text(max_size=200))
@example(text="a = " + "[" * 100_000)
@example(text="a = " + "9" * 5000)
def test_sweep_files(tmp_path: Path, text: str) -> None:
    with only_sentences():
        load_sweep(_write(tmp_path / "sweep.toml", text))


@fuzz
@given(text=damaged(GEM5_STATS) | st.text(max_size=200))
@example(text=GEM5_STATS.replace("57467000", "9" * 5000))
@example(text=GEM5_STATS.replace("57467000", "1e" + "9" * 5000))
def test_stats_files(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path / "stats.txt", text)
    with only_sentences():
        list(read_dumps(path))
    with only_sentences():
        read_stats(path, 1)


@fuzz
@given(data=st.binary(max_size=300))
@example(data=lzma.compress(b"\xff\xfe")[:-5])
def test_stats_files_of_any_bytes(tmp_path: Path, data: bytes) -> None:
    for name in ("stats.txt", "stats.txt.xz"):
        (tmp_path / name).write_bytes(data)
        with only_sentences():
            list(read_dumps(tmp_path / name))


def _console() -> str:
    lines = ["[    0.000000] Linux version 6.12", f"@osgap ready protocol={protocol.PROTOCOL}"]
    for number, name in enumerate(("getpid", "read")):
        head = f"name={name} fs=none"
        lines.append(f"@osgap bench {head} metric=us bytes=0 count=10 batches=1")
        lines.append(f"@osgap sample region={number} {head} batch=0 ns=1000 irqs=0")
        if name == "getpid":
            lines.append("@osgap modes region=0 user_ns=700 kernel_ns=400 idle_ns=0")
    times = "seek_ns=1 rotation_ns=1 transfer_ns=1 overhead_ns=1 queue_ns=1"
    lines.append(f"@osgap disk name=read fs=none reads=1 writes=1 sectors=1 {times}")
    return "\n".join([*lines, "@osgap end status=ok regions=2", ""])


@pytest.mark.slow
@fuzz
@given(text=damaged(_console()) | st.text(max_size=200))
@example(text=_console().replace("region=0", "region=²"))
@example(text=_console().replace("end status", "__init__ status"))
def test_consoles(text: str) -> None:
    with only_sentences():
        protocol.parse(text)


def test_a_whole_console_is_read() -> None:
    transcript = protocol.parse(_console())
    assert len(transcript.samples) == 2 and len(transcript.of(ModeTimes)) == 1


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("finished") / "run"
    sweeping.finished(run)
    for point in (run / "points").iterdir():
        header = ",".join(column.name for column in columns(ModeTimes))
        (point / "modes.csv").write_text(f"{header}\n0,empty_loop,none,0,900,100,0\n")
        write_done(point)
    assert analyze(load_run(run))["modes"]["benchmark"].tolist() == ["empty_loop"]
    return run


@pytest.mark.long
@pytest.mark.slow
@fuzz
@given(data=st.data())
def test_run_directories(finished: Path, tmp_path_factory, data: st.DataObject) -> None:
    """Any file of a run damaged: readers name it, and nothing beside the run changes."""
    home = tmp_path_factory.mktemp("home")
    run = home / "inner" / "run"
    shutil.copytree(finished, run, ignore=shutil.ignore_patterns(".*"))
    (home / "beside").write_text("mine")
    every = sorted(p for p in run.rglob("*.*") if p.is_file() and "logs" not in p.parts)
    victim = data.draw(st.sampled_from(every))
    _write(victim, data.draw(damaged(victim.read_text())))
    with only_sentences():
        analyze(load_run(run))
    with only_sentences():
        keys = keys_of(run)
        survey(run, keys)
        for key in keys:
            read_record(run, key)
            read_plan(run, key)
            point_damage(PointFiles(run / "points" / key))
    with only_sentences():
        lock(run, home / "inner" / "locked")
    around = {path for path in home.rglob("*") if (home / "inner") not in path.parents}
    assert around == {home / "inner", home / "beside"}
    assert (home / "beside").read_text() == "mine"
    assert {path.name for path in (home / "inner").iterdir()} <= {"run", "locked"}
    shutil.rmtree(home)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["../../beside", "/etc", "a/b", "-rf", "", "a\n", "$(id)"])
def test_a_point_whose_key_leads_elsewhere_is_refused(
    finished: Path, tmp_path: Path, key: str
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "points": [key], "series": {}}))
    for read in (load_run, keys_of, lambda path: lock(path, tmp_path / "locked")):
        with pytest.raises(OsgapError, match="points"):
            read(run)


@pytest.mark.slow
def test_a_plan_that_is_another_points_is_refused(finished: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    (plan,) = (run / "plan").iterdir()
    shutil.rmtree(run / "points" / plan.stem)
    for key in ("../../evil", "another"):
        plan.write_text(json.dumps({**json.loads(plan.read_text()), "key": key}))
        told = sweeping.tell("resume", run)
        assert told.returncode == 2 and f"key: found '{key}'" in told.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "digests", [["stats.txt"], {"stats\x00.txt": "a"}, {}, {"../x": "a"}, None]
)
def test_a_done_json_of_any_form_is_read(finished: Path, tmp_path: Path, digests: object) -> None:
    point = tmp_path / "point"
    shutil.copytree(next((finished / "points").glob("*mhz-*")), point)
    assert point_damage(PointFiles(point)) == ""
    (point / "done.json").write_text(json.dumps({"format": 1, "sha256": digests}))
    assert "done.json" in point_damage(PointFiles(point))


@pytest.mark.slow
@fuzz
@given(text=damaged('{"bundles": [["a"]], "image": "x", "cache": "y"}') | st.text(max_size=99))
@example(text="[" * 100_000)
@example(text='{"bundles": ' + "9" * 5000)
def test_jobs_and_profiles(tmp_path: Path, text: str) -> None:
    (tmp_path / ".jobs").mkdir(exist_ok=True)
    _write(tmp_path / ".jobs" / "jobs.json", text)
    with only_sentences():
        read_jobs(tmp_path)
    _write(tmp_path / "config.yaml", text)
    with only_sentences():
        load_profile(tmp_path)


@pytest.mark.parametrize("name", ["$(touch pwned)", "a;touch pwned", "../up", "a b", "--help"])
@pytest.mark.parametrize("key", ["machine", "run", "engine", "fs"])
def test_names_in_sweep_files_reach_no_shell(tmp_path: Path, key: str, name: str) -> None:
    lines = {"description": "x", "machine": "base", key: [name] if key in ("run", "fs") else name}
    text = "\n".join(f"{k} = {json.dumps(v)}" for k, v in lines.items())
    with pytest.raises(OsgapError):
        load_sweep(_write(tmp_path / "sweep.toml", text))


@pytest.mark.slow
def test_a_run_in_a_directory_with_a_shells_words_works(tmp_path: Path) -> None:
    run = tmp_path / "$(touch pwned); `touch pwned` 'quoted' & more"
    done = subprocess.run(
        sweeping.command(run), capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [run.name]
    assert not list(tmp_path.rglob("pwned")) and list(run.glob("points/*/done.json"))


@SOURCES
def test_no_code_hands_anything_to_a_shell() -> None:
    """No shell=True, os.system or the like; Snakemake's one shell line holds a number alone."""
    for path in [*(ROOT / "osgap").rglob("*.py"), *(ROOT / "scripts").glob("*.py")]:
        for node in nodes(path.read_text()):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert name not in ("os.system", "os.popen", "eval", "exec"), path
                for keyword in node.keywords:
                    assert keyword.arg != "shell" or ast.unparse(keyword.value) == "False", path
    text = (ROOT / "osgap" / "sweep" / "Snakefile").read_text()
    lines = [line.strip() for line in text.splitlines() if "{" in line and "expand" not in line]
    assert lines[-1] == '"{params.python:q} -P {params.start:q} osgap.points {wildcards.number}"'
    assert r'number=r"\d+"' in text
