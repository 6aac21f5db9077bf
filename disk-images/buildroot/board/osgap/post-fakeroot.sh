#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs in fakeroot on a copy of target/: makes it what contents.list says, and nothing else.
set -eu

target=$1
checkout=$(realpath "$(dirname "$0")/../../../..")
parts=$target/osgap-parts
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
grep -v '^#' "$checkout/disk-images/rootfs/contents.list" | grep . >"$rows"

# What the list has no row for, nor for anything below it.
find "$target" -mindepth 1 -depth -not -path "$parts*" | while read -r path; do
	name=${path#"$target"}
	if ! awk -v name="$name" '$1 == name || index($1, name "/") == 1 { found = 1 }
		END { exit !found }' "$rows"; then
		rm -rf "$path"
	fi
done

while read -r path kind mode what; do
	mkdir -p "$target$(dirname "$path")"
	case "$kind" in
	dir)
		mkdir -p "$target$path"
		;;
	link)
		rm -rf "$target$path"
		ln -s "$what" "$target$path"
		;;
	char)
		rm -rf "$target$path"
		mknod "$target$path" c "${what%,*}" "${what#*,}"
		chmod "$mode" "$target$path"
		;;
	file)
		if [ -e "$parts/$what" ]; then
			cp "$parts/$what" "$target$path"
		fi
		chmod "$mode" "$target$path"
		;;
	tree)
		rm -rf "$target$path"
		cp -R "$checkout/$what" "$target$path"
		find "$target$path" -type f -exec chmod "$mode" {} +
		;;
	esac
done <"$rows"

rm -rf "$parts"
find "$target" -mindepth 1 -type d -exec chmod 0755 {} +
awk '$2 == "dir" { print $3, $1 }' "$rows" | while read -r mode path; do
	chmod "$mode" "$target$path"
done
