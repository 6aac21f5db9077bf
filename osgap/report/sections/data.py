# SPDX-License-Identifier: BSD-3-Clause
"""Section of the page's tables, to view and to save."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd

from osgap.printing.formats import descriptions
from osgap.report.blocks import Downloads, PageSection, Text

DATA = "data"


def section(
    tables: Mapping[str, pd.DataFrame], further: Mapping[str, str] = MappingProxyType({})
) -> PageSection:
    """The section of these tables, which every page has; `further` describes tables of no run."""
    texts = {**descriptions(), **further}
    names = [(name, texts.get(name, name.replace("_", " "))) for name in tables]
    text = (
        "Every table of this page, as CSV or JSON. docs/reference/tables.md names their columns. "
        "Nothing is fetched: they are in the page."
    )
    return PageSection(DATA, "Data", [Text(text), Downloads(names)])
