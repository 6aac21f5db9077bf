# SPDX-License-Identifier: BSD-3-Clause
"""Declares Kennaway's suite: extractions compared between locks, without a mean of R."""

from osgap.analysis.suite import Suite
from osgap.suites.kennaway import FIGURES
from osgap.suites.kennaway.beside import beside

SUITE = Suite(
    name="kennaway",
    title="Kennaway 2005",
    workloads=("kennaway", "extractions"),
    figures=FIGURES,
    command="kennaway",
    beside=beside,
)
