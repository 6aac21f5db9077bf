#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The guest's programs into parts/, as workloads/SConscript builds them: one object a source.
set -eu

. workloads/recipe.conf
flags="-O2 $STANDARD -Iworkloads/lib"
bare="$flags $FREESTANDING"

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
	compile "$file"
done
for folder in workloads/*/; do
	suite=$(basename "$folder")
	case " $NO_SUITES " in *" $suite "*) continue ;; esac
	for file in "$folder"*.c; do
		compile "$file" "-DSUITE=\"$suite\""
	done
done
# shellcheck disable=SC2086 # words on purpose
$CC $LINK -o parts/init $objects -lm

for file in disk-images/programs/*.c; do
	[ -e "$file" ] || continue
	objects=
	compile "$file"
	# shellcheck disable=SC2086 # words on purpose
	$CC $LINK -o "parts/$(basename "$file" .c)" $objects
done

# shellcheck disable=SC2086 # words on purpose
$CC $bare $CRT $CRT_LINK -o parts/andrew-crt.o \
	workloads/andrew-crt/*.c
# shellcheck disable=SC2086 # words on purpose
$CC $bare $CP_LINK -o parts/andrew-cp workloads/andrew-cp/*.c
# shellcheck disable=SC2086 # words on purpose
$CC $bare $REFLECT_TARGET $REFLECT $LINK $REFLECT_LINK -o parts/reflect \
	disk-images/reflect/*.c disk-images/reflect/*.S
