#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The guest's programs into parts/, as workloads/SConscript builds them: one object a source.
set -eu

flags="-O2 -std=gnu11 -Wall -Wextra -Iworkloads/lib"
bare="$flags -ffreestanding -fno-stack-protector"
linked="-static -s -Wl,--build-id=none"

# compile SOURCE [OPTION...]: adds its object to $objects
compile() {
	source=$1
	shift
	object=$(echo "$source" | tr / _).o
	# shellcheck disable=SC2086 # words on purpose
	$CC $flags "$@" -c -o "$object" "$source"
	objects="$objects $object"
}

mkdir -p parts
objects=
for file in disk-images/rootfs/*.c; do
	compile "$file"
done
for file in workloads/lib/*.c; do
	case "$file" in */native_main.c) continue ;; esac
	compile "$file"
done
for folder in workloads/*/; do
	suite=$(basename "$folder")
	case "$suite" in lib | andrew | andrew-crt | andrew-cp) continue ;; esac
	for file in "$folder"*.c; do
		compile "$file" "-DSUITE=\"$suite\""
	done
done
# shellcheck disable=SC2086 # words on purpose
$CC $linked -o parts/init $objects -lm

for file in disk-images/programs/*.c; do
	[ -e "$file" ] || continue
	objects=
	compile "$file"
	# shellcheck disable=SC2086 # words on purpose
	$CC $linked -o "parts/$(basename "$file" .c)" $objects
done

# shellcheck disable=SC2086 # words on purpose
$CC $bare -fno-pic -mno-relax -r -nostdlib -Wl,--build-id=none -o parts/andrew-crt.o \
	workloads/andrew-crt/*.c
# shellcheck disable=SC2086 # words on purpose
$CC $bare -nostdlib $linked -o parts/andrew-cp workloads/andrew-cp/*.c
# shellcheck disable=SC2086 # words on purpose
$CC $bare -march=rv64imac -mabi=lp64 -mno-relax -mcmodel=medany -fno-pic \
	-fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables \
	-nostdlib -no-pie $linked -Wl,--no-relax,-Ttext-segment=0x3f000000 -o parts/reflect \
	disk-images/reflect/*.c disk-images/reflect/*.S
