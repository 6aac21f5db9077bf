# SPDX-License-Identifier: BSD-3-Clause
"""All tables of the page, to look at and to save."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from osgap.printing.formats import descriptions
from osgap.report.blocks import Downloads, Section, Text

DATA = "data"


def section(tables: Mapping[str, pd.DataFrame]) -> Section:
    """Always there."""
    known = descriptions()
    names = [(name, known.get(name, name.replace("_", " "))) for name in tables]
    text = (
        "Every table of this page, as CSV or JSON. docs/run-directory.md names their columns. "
        "Nothing is fetched: they are in the page."
    )
    return Section(DATA, "Data", [Text(text), Downloads(names)])
