#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gem5 boots the kernel as an ELF file. $1: images/, $2: the kernel's build folder.
set -eu

cp "$2/vmlinux" "$1/vmlinux"
