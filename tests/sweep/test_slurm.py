# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps on a real Slurm cluster of one node, which these tests start and stop."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from kills import results
from slurm_cluster import ClusterUnavailable, one_node_cluster
from sweeping import SWEEP, command, listening, paused, status

from osgap.sweep import slurm
from osgap.sweep.profile import find_profile, load_profile

PROFILES = SWEEP.parents[1] / "configs" / "profiles"
Run = Callable[..., subprocess.Popen[str]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The environment of Slurm's commands."""
    try:
        with one_node_cluster(tmp_path_factory.mktemp("slurm")) as environment:
            yield environment
    except ClusterUnavailable as reason:
        pytest.skip(f"no Slurm cluster could be started: {reason}")


@pytest.fixture
def start(cluster: Mapping[str, str], tmp_path: Path) -> Run:
    """start(run, arguments...) starts a sweep there: the project's profile, but no accounting."""
    profile = tmp_path / "profile"
    profile.mkdir()
    text = (PROFILES / "slurm" / "config.yaml").read_text()
    own = "slurm-status-command: squeue\nslurm-init-seconds-before-status-checks: 5\n"
    (profile / "config.yaml").write_text(text.replace("latency-wait: 60", "latency-wait: 5") + own)

    def begin(run: Path, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*command(run, *arguments), "--profile", str(profile)],
            env={**os.environ, **cluster},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=listening,
        )

    return begin


def _paused(directory: Path, pause_ms: int) -> list[str]:
    """As on one machine, but for --jobs, which is the profile's to say."""
    return paused(directory, pause_ms)[:2]


def _queue(cluster: Mapping[str, str]) -> list[str]:
    told = subprocess.run(
        ["squeue", "--me", "--noheader", "--format=%i %T"],
        env={**os.environ, **cluster},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.splitlines()


def _wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


def _local(run: Path, *arguments: str) -> dict[str, str]:
    done = subprocess.run(command(run, *arguments), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return results(run)


@pytest.mark.long
@pytest.mark.xdist_group("slurm")
def test_a_sweep_on_a_cluster_gives_what_it_gives_here(start: Run, tmp_path: Path) -> None:
    run, options = tmp_path / "run", _paused(tmp_path, 200)
    with start(run, *options, "--points-per-job", "3") as process:
        _, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert results(run) == _local(tmp_path / "local", *options)
    # Booted once, where the sweep was started; the jobs found the checkpoint.
    assert errors.count("booting") == 1
    assert not any("booting" in log.read_text() for log in (run / "logs").glob("*mhz-*.log"))
    jobs = [point["slurm_job"] for point in status(run)["points"]]
    assert sorted(jobs.count(job) for job in set(jobs)) == [1, 3, 3] and "" not in jobs


@pytest.mark.long
@pytest.mark.xdist_group("slurm")
@pytest.mark.rvsim
def test_a_point_on_rvsim_on_a_cluster_is_the_same(start: Run, tmp_path: Path) -> None:
    options = ("--engine", "rvsim", "--cpu-mhz", "80,160", "--run", "ousterhout/getpid")
    with start(tmp_path / "run", *options) as process:
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert results(tmp_path / "run") == _local(tmp_path / "local", *options)


def _leave_a_job(cluster: Mapping[str, str], run: Path) -> None:
    """A job of the killed sweep that does not end by itself, as its others do sooner or later."""
    name, prefix = "--slurm-jobname-prefix", slurm.arguments(run)
    own = f"{prefix[prefix.index(name) + 1]}-left"
    subprocess.run(
        ["sbatch", "--hold", "--job-name", own, "--output", "/dev/null", "--wrap", "sleep 600"],
        env={**os.environ, **cluster},
        capture_output=True,
        check=True,
    )


@pytest.mark.long
@pytest.mark.xdist_group("slurm")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_sweep_leaves_no_job_behind_and_goes_on(
    start: Run, cluster: Mapping[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    """Interrupted, it cancels its jobs; killed outright, its next start does."""
    run, options = tmp_path / "run", _paused(tmp_path, 2500)
    with start(run, *options, "--points-per-job", "2") as process:
        _wait_until(lambda: bool(list(run.glob("points/[!.]*/done.json"))))
        before = results(run)
        assert _queue(cluster)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    if number == signal.SIGINT:
        assert process.returncode == 2 and "interrupted" in errors
        _wait_until(lambda: not _queue(cluster), 10)
        assert not list((run / "points").glob(".*"))
    else:
        _leave_a_job(cluster, run)
    with start(run, *options) as process:
        told, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert number == signal.SIGINT or "jobs of an earlier sweep" in told
    after = results(run)
    assert before.items() <= after.items() and not _queue(cluster)
    assert after == _local(tmp_path / "local", *_paused(tmp_path, 2500))


def test_the_projects_profile_is_found_by_name_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    from osgap.base.config import ConfigError

    assert load_profile(find_profile("slurm", PROFILES)).executor == "slurm"
    (tmp_path / "config.yaml").write_text("executor: slurm\njobs: many\n")
    with pytest.raises(ConfigError, match=r"config.yaml: jobs: found 'many'"):
        load_profile(find_profile(str(tmp_path), PROFILES))


def test_jobs_are_of_a_useful_length() -> None:
    from osgap.sweep.jobs import USEFUL_JOB_S, bundles, useful_size

    assert useful_size(1000, 10, 90.0) == USEFUL_JOB_S / 90
    assert useful_size(1000, 10, None) == 8  # 120 s a point until one has been seen
    assert useful_size(20, 10, 90.0) == 2 and useful_size(3, 10, 90.0) == 1
    assert useful_size(101, 100, 90.0) == 1, "not fewer jobs than may be in the queue"
    assert bundles("abcde", 2) == (("a", "b"), ("c", "d"), ("e",))
