# SPDX-License-Identifier: BSD-3-Clause
"""Rounds become batches of one transcript; what is not in every round is left out."""

import measured
import pytest

from osgap.guest.records import CounterValue
from osgap.native.merge import BenchmarkShape, MergedRounds, merge
from osgap.native.output import NativeError, parse


def merged(**changes: object) -> MergedRounds:
    return merge(parse(measured.text(**changes), "f"), "f", measured.MIX)  # type: ignore[arg-type]


def test_batches_follow_each_other_in_the_order_of_time() -> None:
    found = merged()
    samples = found.transcript.samples
    assert found.rounds == measured.ROUNDS and not found.left_out
    assert [one.region for one in samples] == list(range(len(samples)))
    for name, (fs, metric, size, count, ns) in measured.BENCHES.items():
        own = [one for one in samples if (one.benchmark, one.fs) == (name, fs)]
        assert [one.batch for one in own] == list(range(2 * measured.ROUNDS))
        assert {(one.metric, one.bytes, one.count) for one in own} == {(metric, size, count)}
        assert [one.guest_ns for one in own] == sorted(one.guest_ns for one in own)
        assert own[0].guest_ns == pytest.approx(ns * count, rel=1e-9, abs=1)
    assert found.shapes["create_delete_0", "unix"] == BenchmarkShape(10, 2)
    assert found.shapes["create_delete_0", "sprite"] == BenchmarkShape(100, 2)


def test_the_mix_tells_its_instructions() -> None:
    counters = merged().transcript.of(CounterValue)
    assert len(counters) == 2 * measured.ROUNDS
    assert {one.benchmark for one in counters} == {"integer_mix"}
    assert {(one.counter, one.value) for one in counters} == {("instructions", 10_000_000)}


def test_what_fails_once_is_left_out_and_the_rest_stays() -> None:
    found = merged(failing={3: "cswitch"})
    assert found.left_out == {"cswitch": "asked-for"}
    names = {one.benchmark for one in found.transcript.samples}
    assert names == set(measured.BENCHES) - {"cswitch"}
    assert [one.region for one in found.transcript.samples] == list(
        range(len(found.transcript.samples))
    )


def test_batches_of_another_size_are_no_rounds_of_one_benchmark() -> None:
    text = measured.text()
    first, rest = text.split("round 1 unix", 1)
    changed = first + "round 1 unix" + rest.replace("count=10000 ", "count=9999 ", 1)
    found = merge(parse(changed, "f"), "f", measured.MIX)
    assert found.left_out == {"getpid": "rounds-not-alike"}


def test_a_round_that_is_missing_is_told() -> None:
    text = measured.text().replace("done 6 31", "done 7 31")
    with pytest.raises(NativeError, match=r"f: found rounds \[0, 1, 2, 3, 4, 5\]; allowed: 7"):
        merge(parse(text, "f"), "f", measured.MIX)


def test_a_round_that_was_cut_is_told() -> None:
    text = measured.text()
    end = text.rindex("@osgap end")
    with pytest.raises(NativeError, match=r"f: round 5, sprite files: the guest stopped"):
        merge(parse(text[:end] + text[text.index("\n", end) + 1 :], "f"), "f", measured.MIX)
