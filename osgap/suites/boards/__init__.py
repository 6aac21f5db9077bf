# SPDX-License-Identifier: BSD-3-Clause
"""RISC-V boards, by the methods of lmbench, UnixBench, ramlat and tinymembench."""
