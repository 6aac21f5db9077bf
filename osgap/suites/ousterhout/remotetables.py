# SPDX-License-Identifier: BSD-3-Clause
"""Computes the tables of files on a server: cells, penalties, skill and claims."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from osgap.analysis.table import by_name
from osgap.suites.ousterhout.remote import PENALTIES, REMOTE, remote_tables
from osgap.suites.ousterhout.remoteclaims import REMOTE_CLAIMS, remote_claims_table
from osgap.suites.ousterhout.remoteskill import REMOTE_SKILL, remote_skill_table

REMOTE_TABLES = by_name((REMOTE, PENALTIES, REMOTE_SKILL, REMOTE_CLAIMS))


def judged_remote_tables(
    directories: Mapping[str, Path], source: int = 1990
) -> dict[str, pd.DataFrame]:
    """The tables REMOTE_TABLES; `directories` maps engines to runs. Raises ResultsError."""
    tables = remote_tables(directories, source)
    remote, penalties = tables[REMOTE.name], tables[PENALTIES.name]
    return {
        **tables,
        REMOTE_SKILL.name: remote_skill_table(remote, source),
        REMOTE_CLAIMS.name: remote_claims_table(remote, penalties),
    }
