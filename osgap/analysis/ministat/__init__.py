# SPDX-License-Identifier: BSD-3-Clause
"""Two or more samples compared as FreeBSD's ministat(1) does: statistics, Student's t, a plot."""

from osgap.analysis.ministat.compare import CONFIDENCES, Difference, Sample, difference, make_sample
from osgap.analysis.ministat.report import report

__all__ = ["CONFIDENCES", "Difference", "Sample", "difference", "make_sample", "report"]
