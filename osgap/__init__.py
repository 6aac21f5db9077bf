# SPDX-License-Identifier: BSD-3-Clause
"""osgap: does an operating system get faster as fast as its hardware?"""
