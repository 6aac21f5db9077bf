#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the benchmarks on this machine and prints what was measured, with facts of the machine, for
# `osgap native`, here or elsewhere (--import). POSIX sh, awk and the usual utilities are enough.
# usage: measure.sh [--scratch DIR] [--seconds N] [--run NAME,...] [--cpu N] > FILE
#        measure.sh --facts
set -u
here=$(cd "$(dirname "$0")" && pwd)
bench=${OSGAP_BENCH:-$here/osgap-bench}
beside=$(dirname "$bench")
scratch=${TMPDIR:-/tmp}
seconds=120             # for all that follows
only=
root=${OSGAP_ROOT:-}    # of /proc and /sys, for tests
run=ousterhout,mcvoy,byte,boards,checks
while [ $# -gt 0 ]; do
    case $1 in
        --scratch) scratch=$2 ;;
        --seconds) seconds=$2 ;;
        --run) run=$2 ;;
        --cpu) OSGAP_CPU=$2 ;;
        --facts) only=facts; shift; continue ;;
        *) sed -n 's/^# usage/usage/p; s/^#  *measure/       measure/p' "$0" >&2; exit 2 ;;
    esac
    shift 2 || { echo "measure.sh: $1: a value is missing" >&2; exit 2; }
done

most_rounds=30
least_rounds=2
whole_every=3           # rounds: those between have only what needs no files and little memory
little=1048576          # bytes
batch_ns=10000000       # of a batch that waits for no disk
file_ns=30000000        # of a batch on files
long_ns=50000000        # an operation that takes longer has one batch a round, others two

# Words to people go to standard error.
say() { printf '%s\n' "$*" >&2; }
fail() { say "measure.sh: $*"; exit 2; }
too_short() {
    fail "--seconds $seconds: found time for $1 of $least_rounds rounds; allowed: more seconds, or" \
        "fewer benchmarks (--run)"
}
elapsed() { echo $(($(date +%s) - began)); }

began=$(date +%s)
. "$here/facts.sh"

# How often the kernel held this cgroup, or one around it, for its quota.
throttled() {
    cgroup_limits | sed -n 's/cpu\.max$/cpu.stat/p; s/cpu\.cfs_quota_us$/cpu.stat/p' |
        while read -r stat; do
            awk '/^nr_throttled / { print $2 }' "$root$stat" 2>/dev/null
        done | awk '{ total += $1 } END { print total + 0 }'
}

# DIR FILE FIELD -> the line of the mount that holds it: whose point, in that field, is longest
holding() {
    awk -v path="$(cd "$1" && pwd -P)/" -v at="$3" '
        { point = ($at == "/") ? "/" : $at "/" }
        index(path, point) == 1 && length(point) >= long { long = length(point); found = $0 }
        END { print found }' "$2"
}

# Its type, source and options.
mount_of() {
    holding "$1" /proc/mounts 2 | awk '{ print $3, $1, $4 }'
}

# The number of the block device that holds a directory has its queue in /sys.
device_of() {
    number=$(holding "$1" /proc/self/mountinfo 5 | awk '{ print $3 }')
    for queue in "/sys/dev/block/$number/queue" "/sys/dev/block/$number/../queue"; do
        [ ! -r "$queue/rotational" ] ||
            echo "rotational=$(cat "$queue/rotational") cache=$(cat "$queue/write_cache" 2>/dev/null)"
    done
}

# Facts of the files of the benchmarks, and of the program.
facts_of_work() {
    echo "fact program $(sha256sum "$bench" 2>/dev/null | cut -c1-16)"
    echo "fact mount $(mount_of "$work")"
    echo "fact device $(device_of "$work")"
    hypervisor=$("$bench" --hypervisor 2>/dev/null) && echo "fact hypervisor $hypervisor"
    misaligned=$("$bench" --misaligned 2>/dev/null) && echo "fact misaligned $misaligned"
}

# A directory for the files, once there is room for them.
set_up() {
    work=$(mktemp -d "$scratch/osgap-native.XXXXXX" 2>/dev/null) ||
        fail "$scratch: nothing can be written there"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP

    # Memory for two working sets and a file that is as large, room on the disk for two files.
    need=$((uncached / 1024 * 2 + 65536))
    room=$(df -P -k "$work" | awk 'NR == 2 { print $4 }')
    [ "$room" -ge "$need" ] || fail "$scratch: has $room KiB of room; $need are needed"
    free=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
    [ "${free:-0}" -ge $((need * 2)) ] || fail "$free KiB of memory are free; $((need * 2)) are needed"

    export OSGAP_SCRATCH="$work"
    export OSGAP_ANDREW="${OSGAP_ANDREW:-$here/andrew}" OSGAP_BYTE="${OSGAP_BYTE:-$here/byte}"
    export OSGAP_EXECL="$beside/execl" OSGAP_HELLO="$beside/hello" OSGAP_CRT="$beside/andrew-crt.o"
}

# FS,... NAMES SETS -> what the benchmarks say
ordered() {
    orders=$(printf 'osgap 2\nmarks none\nuncached %s\nfs %s\nrun %s\n%s' "$uncached" "$1" "$2" "$3")
    bytes=$(printf '%s\n' "$orders" | wc -c | tr -d ' ')
    { printf '%s\n' "$orders"; echo "go $bytes"; } | "$bench"
}

# CONSOLE LITTLE FS... -> SUITE/NAME,... of what ended well on one of these file systems; where
# LITTLE is not 0, only what uses fewer bytes
well() {
    console=$1 below=$2
    shift 2
    "$bench" --list | awk -v wanted=" $* " -v little="$below" '
        NR == FNR { split($0, part, "/"); suite[part[2]] = part[1]; next }
        /^@osgap bench / {
            split($3, name, "="); split($4, fs, "="); split($6, bytes, "=")
            use = index(wanted, " " fs[2] " ") &&
                (!little || (bytes[2] < little && name[2] !~ /_memory$/)) }
        /^@osgap sample / && use && !(name[2] in seen) {
            seen[name[2]] = 1; list = list "," suite[name[2]] "/" name[2] }
        END { print substr(list, 2) }' - "$console"
}

# CONSOLE PART FS... -> orders for batches of so large a part of their time, by the fastest seen
counts() {
    console=$1 part=$2
    shift 2
    awk -v batch="$batch_ns" -v file="$file_ns" -v part="$part" -v wanted=" $* " \
        -v long="$long_ns" '
        function value(field) { sub(/^[^=]*=/, "", field); return field }
        /^@osgap bench / { name = value($3); fs = value($4); count = value($7) }
        /^@osgap bench / { fixed = name ~ /^andrew_/; use = index(wanted, " " fs " ") && !fixed }
        /^@osgap sample / && use {
            ns = value($7) / count
            if (!(name in best)) order[++n] = name
            if (!(name in best) || ns < best[name]) best[name] = ns
            where[name] = fs }
        END { for (i = 1; i <= n; i++) {
            name = order[i]
            # The first has a mapping for each pass; of the second each takes a port for a minute.
            most = name == "mmap_reread" ? 4 : name == "tcp_connect" ? 100 : 900000000
            want = (where[name] == "none" ? batch : file) * part / (best[name] > 1 ? best[name] : 1)
            want = want < 1 ? 1 : want > most ? most : want
            batches = best[name] < long ? 2 : 1
            printf "set %s.count=%d\nset %s.batches=%d\n", name, want, name, batches } }' "$console"
}

OSGAP_TCC=${OSGAP_TCC:-$(command -v tcc || true)}
OSGAP_CPU=${OSGAP_CPU:-$(fastest_cpu)}
usable_cpus | grep -q "^$OSGAP_CPU " ||
    fail "--cpu: found $OSGAP_CPU; allowed: one of $(allowed_cpus) that is not off"
export OSGAP_CPU OSGAP_TCC
uncached=$(uncached_bytes)
[ "$only" != facts ] || { facts; exit; }
set_up
clock=$("$bench" --clock) || fail "$bench: does not run on this machine ($(uname -m))"
throttled_before=$(throttled)
echo 'osgap-native 1'
facts
facts_of_work
echo "clock $clock"
echo "instructions $("$bench" --instructions integer_mix 2>/dev/null || echo none)"
first=sprite second=
if "$bench" --synchronous; then
    export OSGAP_SYNCHRONOUS=1
    first=unix second=sprite
fi

# Twice to find out how many operations make a batch; then in rounds, each of its own processes.
say 'finding out how many operations make a batch'
ordered "$first${second:+,$second}" "$run" '' > "$work/all"
[ "$(elapsed)" -lt "$seconds" ] || too_short 0
sed -n 's/^@osgap fail /left-out /p; s/^@osgap error /refused /p' "$work/all"
some_s=0
for fs in $first $second; do
    on="$fs"
    [ "$fs" != "$first" ] || on="none $fs"
    # shellcheck disable=SC2086 # words on purpose
    names=$(well "$work/all" 0 $on)
    [ -n "$names" ] || continue
    before=$(elapsed)
    # shellcheck disable=SC2086
    ordered "$fs" "$names" "$(counts "$work/all" 0.2 $on)" > "$work/$fs.some"
    some_s=$((some_s + $(elapsed) - before))
    # shellcheck disable=SC2086
    well "$work/$fs.some" 0 $on > "$work/$fs.names"
done
# Whole batches take up to five times as long: shorter ones where two rounds would not fit else.
part=$(awk -v left="$((seconds - $(elapsed)))" -v some="$some_s" 'BEGIN {
    part = some > 0 ? left / (10 * some) : 1; print (part > 1 ? 1 : part < 0.05 ? 0.05 : part) }')
for fs in $first $second; do
    on="$fs"
    [ "$fs" != "$first" ] || on="none $fs"
    # shellcheck disable=SC2086
    [ ! -s "$work/$fs.names" ] || counts "$work/$fs.some" "$part" $on > "$work/$fs.counts"
done
well "$work/$first.some" "$little" none > "$work/quick.names" 2>/dev/null
round=0 whole_s=0 quick_s=0
while [ $round -lt $most_rounds ]; do
    next=$quick_s
    [ $((round % whole_every)) -ne 0 ] || next=$whole_s
    [ $(($(elapsed) + next)) -le "$seconds" ] || break
    say "round $((round + 1)), $(elapsed) s"
    before=$(elapsed)
    if [ $((round % whole_every)) -ne 0 ] && [ -n "$(cat "$work/quick.names")" ]; then
        echo "round $round $first"
        ordered "$first" "$(cat "$work/quick.names")" "$(cat "$work/$first.counts")"
        quick_s=$(($(elapsed) - before + 1))
    else
        for fs in $first $second; do
            [ -s "$work/$fs.names" ] || continue
            echo "round $round $fs"
            ordered "$fs" "$(cat "$work/$fs.names")" "$(cat "$work/$fs.counts")"
        done
        whole_s=$(($(elapsed) - before))
    fi
    round=$((round + 1))
done
[ $round -ge $least_rounds ] || [ ! -s "$work/$first.names" ] ||
    too_short $round
echo "fact throttled $(($(throttled) - throttled_before))"
echo "load $(cat /proc/loadavg)"
echo "done $round $(elapsed)"
