# SPDX-License-Identifier: BSD-3-Clause
"""One page of a run that a person opens: interactive, self-contained HTML (osgap.page.document)."""
