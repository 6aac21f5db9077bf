# SPDX-License-Identifier: BSD-3-Clause
"""`osgap engine`: what it shows, and its errors of one sentence."""

from pathlib import Path

import pytest

from osgap import engines
from osgap.cli.main import main
from osgap.engines import host_allocator, rvsim_builds


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without builds, and no gem5."""
    monkeypatch.setenv("OSGAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GEM5", str(tmp_path / "gem5"))
    return tmp_path / "cache"


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command printed, and its error; it must have ended as `words` deserve."""
    status = main(["engine", *words])
    output, error = capsys.readouterr()
    assert (status, bool(error)) in ((0, False), (2, True))
    return output + error


def test_each_engine_has_a_row(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_allocator, "find", lambda: None)
    monkeypatch.setattr(engines.load("rvsim").__class__, "build", lambda engine: "wheel")
    head, *rows = told(capsys).splitlines()
    assert head.split() == ["engine", "version", "build", "allocator"]
    assert {row.split()[0] for row in rows} >= {"fake", "gem5", "qemu", "rvsim"}
    (rvsim,) = [row for row in rows if row.startswith("rvsim ")]
    assert rvsim.split() == ["rvsim", rvsim_builds.installed_version(), "wheel"]
    assert "not here: gem5 was not found" in "".join(rows)
    assert rows[-1].startswith("rvsim: ") and host_allocator.PACKAGE in rows[-1]


def test_one_engine_has_a_row_with_its_allocator(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / host_allocator.LIBRARY
    library.write_bytes(b"library")
    monkeypatch.delenv(host_allocator.VARIABLE, raising=False)
    monkeypatch.setattr(host_allocator, "find", lambda: library)
    _, row, *advice = told(capsys, "rvsim").splitlines()
    assert "tcmalloc, libtcmalloc_minimal.so.4, SHA-256 " in row
    assert host_allocator.PACKAGE not in "".join(advice)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("rvsin",), "ENGINE: there is no engine 'rvsin'; did you mean rvsim"),
        (("qemu", "--optimise"), "qemu: osgap builds no quicker one; allowed: rvsim"),
        (("gem5", "--wheel"), "gem5: is no package of Python's; allowed: rvsim"),
        (("--optimise",), "--optimise: found without ENGINE; allowed: beside it"),
        (("rvsim", "--image", "x"), "--image: found without --optimise; allowed: beside it"),
        (
            ("rvsim", "--optimise", "--image", "nowhere"),
            "nowhere/Image: not there; build it with: scons image",
        ),
    ],
)
def test_a_wrong_word_is_answered_in_a_sentence(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = told(capsys, *words)
    assert sentence in text and len(text.splitlines()) == 1


def test_the_wheel_comes_back(capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    build = rvsim_builds.folder(cache) / "rvsim-a"
    build.mkdir(parents=True)
    record = rvsim_builds.Build(
        version="2.1.0",
        source_sha256="0",
        rustc="rustc 1",
        processor=rvsim_builds.host_processor(),
        built=1,
    )
    (build / rvsim_builds.RECORD).write_text(record.model_dump_json())
    assert told(capsys, "rvsim", "--wheel") == (
        "rvsim runs from the wheel; 1 build of this processor removed\n"
    )
    assert not build.exists()
    assert "0 builds of this processor removed" in told(capsys, "rvsim", "--wheel")
