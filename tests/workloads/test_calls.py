# SPDX-License-Identifier: BSD-3-Clause
"""The order `calls`, and the suite that checks reflected calls, on this machine: direct."""

import pytest
from native import ON_THIS_MACHINE, of, orders, run

pytestmark = ON_THIS_MACHINE


def test_the_checks_hold_for_the_kernel_itself(program, tmp_path):
    code, lines = run(program, orders("calls direct", "run calls"), tmp_path)
    assert (code, of("fail", lines)) == (0, [])


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["calls patch-first"], "no-reflect"),
        (["calls sud-optimised"], "no-reflect"),
        (["calls none"], "unknown-calls"),
        (["calls direct", "calls direct"], "verb-twice"),
        (["calls"], "no-value"),
    ],
)
def test_what_is_no_way_to_call_is_refused(program, tmp_path, lines, reason):
    code, found = run(program, orders(*lines, "run checks/empty_loop"), tmp_path)
    assert (code, found) == (1, [("error", {"reason": reason})])
