# SPDX-License-Identifier: BSD-3-Clause
"""Renders a page as one self-contained HTML file; equal pages give equal bytes."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from pydantic_core import to_jsonable_python

from osgap.base.errors import OsgapError
from osgap.report.blocks import Chart, Page
from osgap.report.cells import rendered_table
from osgap.rundir.csvfile import table_text

if TYPE_CHECKING:
    from jinja2 import Template

_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = ("formula.js", "looks.js", "ui.js", "page.js")
LIBRARY = "vega.js"
"""Name of the script file that the pages of a site share."""
_MISSING = (
    "the page needs {name}, which is not installed; allowed: the environment of scripts/study, or "
    "pip install 'osgap[report]'"
)


@cache
def library() -> str:
    """Vega, Vega-Lite and vega-embed as one script. Raises OsgapError if not installed."""
    try:
        from vl_convert import javascript_bundle
    except ImportError as error:
        raise OsgapError(_MISSING.format(name="vl-convert-python")) from error
    bundle: str = javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"(() => {{{bundle}}})();"


def check_installed() -> None:
    """Raises OsgapError if a library that pages need is not installed."""
    for module, name in (("altair", "altair"), ("vl_convert", "vl-convert-python")):
        try:
            __import__(module)
        except ImportError as error:
            raise OsgapError(_MISSING.format(name=name)) from error


def html(page: Page, script: str = "", link: str = "", home: str = "") -> str:
    """Returns the page's HTML, with the library `script` inside or loaded from the file `link`.

    `home` is the file of the site's index, "" for none.
    """
    charts = {
        block.id: {"spec": block.spec, "data": block.data}
        for section in page.sections
        for block in section.blocks
        if isinstance(block, Chart)
    }
    return template("page.html.jinja").render(
        page=page,
        style=asset("page.css"),
        scripts=[_escaped(script), *map(asset, _SCRIPTS)],
        link=link,
        home=home,
        charts=script_json(charts),
        packed=_packed(page),
    )


def template(name: str) -> Template:
    """A template of the folder assets."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["rendered"] = rendered_table
    return environment.get_template(name)


def asset(name: str) -> str:
    """The text of a file of the folder assets."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def _escaped(script: str) -> str:
    """The script without text that would end its HTML element."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def script_json(value: object) -> str:
    """JSON without characters that are markup; NaN and infinities become null."""
    text = json.dumps(json_value(value), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def json_value(value: object) -> Any:
    """The value with None for NaN and infinities, which JSON lacks, and without numpy types."""
    return to_jsonable_python(value, inf_nan_mode="null", fallback=lambda number: number.item())


def _packed(page: Page) -> str:
    """The sliders' models, and all tables as CSV with the names of their numeric columns.

    Returns gzipped JSON in base64: plain models would be a third of the page.
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
    content = {"tables": tables, "models": json_value(page.models)}
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
