# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/tutorial/lab-student.md: the lab's sheet without answers and teacher's parts.

Run from a checkout: `.venv/bin/python tools/student_sheet.py`. A test tells when it is stale.
"""

from __future__ import annotations

import re

from osgap.base import durable
from osgap.base.output import print_line
from osgap.base.paths import project_root

SHEET = "docs/tutorial/lab.md"
STUDENT_SHEET = "docs/tutorial/lab-student.md"
ANSWERS = "\n# Answers\n"
_TITLE = "# A lab of two hours\n"
_STUDENT_TITLE = """\
# A lab of two hours: the students' sheet

<!-- tools/student_sheet.py writes this page from lab.md. -->
"""
_TEACHER = re.compile(r"<!-- teacher -->\n.*?<!-- student -->\n\n?", re.DOTALL)


def student_sheet(sheet: str) -> str:
    """The sheet of the students: lab.md up to the answers, without the teacher's parts."""
    exercises = sheet.partition(ANSWERS)[0]
    return _TEACHER.sub("", exercises).replace(_TITLE, _STUDENT_TITLE, 1)


def main() -> None:
    """Writes the sheet, and prints its path."""
    root = project_root()
    text = (root / SHEET).read_text(encoding="utf-8")
    durable.write_text(root / STUDENT_SHEET, student_sheet(text))
    print_line(STUDENT_SHEET)


if __name__ == "__main__":
    main()
