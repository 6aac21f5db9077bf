# SPDX-License-Identifier: BSD-3-Clause
"""Fetches Debian's packages for the image; standard library only: it runs before .venv exists."""
