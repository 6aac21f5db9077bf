# SPDX-License-Identifier: BSD-3-Clause
"""`osgap variants`: build image variants."""

from __future__ import annotations

import argparse

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.suggestions import unknown
from osgap.cli.parsing import Parser

HELP = "build image variants (all of them when none is named), their system packages too"
EPILOG = """\
A variant is disk-images/variants/NAME.toml: another kernel, compiler or C library. Its image is
build/variants/NAME/image. `osgap list variants` shows them.
example: osgap variants clang-O2 musl
"""


def add_arguments(parser: Parser) -> None:
    """Adds the names of variants."""
    parser.value("names NAME", str, "variants (default: all)", nargs="*")


def command(args: argparse.Namespace) -> int:
    """Builds the variants. Raises OsgapError."""
    from osgap.image.builder.variant import load_variant
    from osgap.image.scons import ensure_packages, scons
    from osgap.image.variants import names

    folder = project_root() / "disk-images" / "variants"
    available = names(folder)
    for name in args.names:
        if name not in available:
            raise OsgapError(unknown("variant", name, available))
    chosen = args.names or available
    variants = [load_variant(folder / f"{name}.toml") for name in chosen]
    needs_clang = any(variant.programs.compiler == "clang" for variant in variants)
    ensure_packages(["python", "study", *(["clang"] if needs_clang else [])])
    scons("image", f"variant={','.join(chosen)}")
    return 0
