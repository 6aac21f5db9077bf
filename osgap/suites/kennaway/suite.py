# SPDX-License-Identifier: BSD-3-Clause
"""Kennaway's extractions: no mean of R, as they are compared between locks and not clocks."""

from osgap.analysis.suite import Suite
from osgap.suites.kennaway import FIGURES
from osgap.suites.kennaway.beside import beside

SUITE = Suite(
    name="kennaway",
    title="Kennaway 2005",
    workloads=("kennaway",),
    figures=FIGURES,
    command="kennaway",
    beside=beside,
)
