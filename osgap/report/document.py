# SPDX-License-Identifier: BSD-3-Clause
"""A page as one HTML file: everything inside, nothing fetched, the same bytes of the same data."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from osgap.base.errors import OsgapError
from osgap.report.blocks import Chart, Page
from osgap.report.cells import shown_table
from osgap.rundir.csvfile import table_text

_ASSETS = Path(__file__).parent / "assets"
LIBRARY = "vega.js"
"""What pages of a site share."""
_MISSING = (
    "the page needs {name}, which is not installed; allowed: the environment of scripts/study, or "
    "pip install 'osgap[report]'"
)


class PageError(OsgapError):
    """What a page needs is not there."""


def library() -> str:
    """Vega, Vega-Lite and vega-embed as one script. Raises PageError where there is none."""
    try:
        from vl_convert import javascript_bundle
    except ImportError as error:
        raise PageError(_MISSING.format(name="vl-convert-python")) from error
    bundle: str = javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"(() => {{{bundle}}})();"


def check_installed() -> None:
    """Raises PageError where a library that pages need is missing."""
    for module, name in (("altair", "altair"), ("vl_convert", "vl-convert-python")):
        try:
            __import__(module)
        except ImportError as error:
            raise PageError(_MISSING.format(name=name)) from error


def html(page: Page, script: str = "", link: str = "", home: str = "") -> str:
    """The page; with its library `script` inside, or from the file `link` beside it.

    `home` is the file to go back to.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown_table
    charts = {
        block.id: {"spec": block.spec, "data": block.data}
        for section in page.sections
        for block in section.blocks
        if isinstance(block, Chart)
    }
    return environment.get_template("page.html.jinja").render(
        page=page,
        style=_asset("page.css"),
        scripts=[_closed(script), *(_asset(name) for name in ("formula.js", "ui.js", "page.js"))],
        link=link,
        home=home,
        charts=_json(charts),
        packed=_packed(page),
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _closed(script: str) -> str:
    """No text in a script ends it."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _json(value: object) -> str:
    """JSON within a page: no character of it is markup, no number is none."""
    text = json.dumps(_plain(value), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(value: Any) -> Any:
    """Without NaN and infinities, which JSON does not have."""
    if isinstance(value, Mapping):
        return {str(name): _plain(own) for name, own in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(own) for own in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return None
    return value


def _packed(page: Page) -> str:
    """The sliders' models, and all tables as CSV with the names of their columns of numbers.

    JSON, as gzip in base64: a page's models are a third of it otherwise.
    """
    tables = {
        name: {
            "csv": table_text(rows),
            "numbers": [
                str(column) for column in rows if pd.api.types.is_numeric_dtype(rows[column])
            ],
        }
        for name, rows in page.data.items()
    }
    content = {"tables": tables, "models": _plain(page.models)}
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
