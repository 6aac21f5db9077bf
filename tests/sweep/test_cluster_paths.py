# SPDX-License-Identifier: BSD-3-Clause
"""Paths that an executor of Snakemake's would put into a shell's line are refused before that."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.sweep.locking import SweepError
from osgap.sweep.snakemake import _check_plain

SHELL = "$`\"'\\\n\t!*?;&|<>(){}[]#~^\0\x1b\u202e"


@given(st.text("ab/ .-_", max_size=8), st.sampled_from(SHELL), st.text("ab/ .-_$", max_size=8))
def test_what_a_shell_reads_as_more_than_a_letter_is_refused(a: str, one: str, b: str) -> None:
    _check_plain(Path("/runs"), Path("/runs") / a.lstrip("/"))
    with pytest.raises(SweepError) as caught:
        _check_plain(Path("/runs"), Path(f"/runs/{a}{one}{b}"))
    assert str(caught.value).isprintable() and "allowed" in str(caught.value)
