# SPDX-License-Identifier: BSD-3-Clause
# Facts of this machine, for measure.sh, which reads this file: its CPUs, caches, device tree and limits,
# and what surrounds it. Those of /proc and /sys are read below $root, and of CPU $OSGAP_CPU; $uncached is the
# working set that no cache holds.

# A file's first 2,000 bytes, on one line.
fact() {
    [ -r "$root$1" ] && [ ! -d "$root$1" ] || return 0
    printf 'fact %s %s\n' "$1" "$(head -c 2000 "$root$1" 2>/dev/null | tr '\n\t\000' ';  ')"
}

# FILE... -> a fact for each that is there
present() {
    for file in "$@"; do
        [ ! -e "$root$file" ] || echo "fact $file present"
    done
}

# 0-3,8 -> 0 1 2 3 8
expanded() {
    echo "$1" | tr ',' '\n' | awk -F- 'NF { for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }'
}

# FILE -> its number, 0 without it
number() {
    found=0
    [ ! -r "$1" ] || read -r found < "$1" || true
    echo "${found:-0}"
}

allowed_cpus() { awk '/^Cpus_allowed_list:/ { print $2 }' "$root/proc/self/status"; }

# Those that this process may use and that are not off, each with its capacity, its type and its
# highest clock.
usable_cpus() {
    fast=" $(expanded "$(cat "$root/sys/devices/cpu_core/cpus" 2>/dev/null)" | tr '\n' ' ')"
    for cpu in $(expanded "$(allowed_cpus)"); do
        one=$root/sys/devices/system/cpu/cpu$cpu
        [ ! -r "$one/online" ] || [ "$(number "$one/online")" != 0 ] || continue
        type=0
        case $fast in *" $cpu "*) type=1 ;; esac
        echo "$cpu $(number "$one/cpu_capacity") $type $(number "$one/cpufreq/cpuinfo_max_freq")"
    done
}

# Of the fastest kind of core the last one: interrupts are served by the first rather.
fastest_cpu() {
    usable_cpus | sort -k2,2n -k3,3n -k4,4n -k1,1n | tail -n 1 | cut -d ' ' -f 1
}

# Bytes of a working set that no cache of the measured CPU holds: four times its last one. 64 MiB where
# the machine reports none behind the first ones (boards' device trees often leave it out): four times
# 16 MiB. An eighth of the free memory and 256 MiB are the limits.
uncached_bytes() {
    for index in "$root/sys/devices/system/cpu/cpu$OSGAP_CPU"/cache/index*; do
        [ ! -r "$index/size" ] || echo "$(number "$index/level") $(cat "$index/size")"
    done | awk -v free="$(awk '/^MemAvailable:/ { print $2 }' "$root/proc/meminfo" 2>/dev/null)" '
        $1 >= 2 && $2 ~ /^[0-9]+[KMG]$/ {
            unit = substr($2, length($2))
            size = substr($2, 1, length($2) - 1) * (unit == "K" ? 1 : unit == "M" ? 1024 : 1048576)
            if (size > last) last = size }
        END {
            kib = last ? 4 * last : 65536
            if (kib > 262144) kib = 262144
            if (free != "" && kib > free / 8) kib = free / 8
            kib = kib < 128 ? 128 : int(kib / 16) * 16      # what the orders may have
            printf "%d\n", kib * 1024 }'
}

# Boards of ARM have a serial number in /proc/cpuinfo.
without_serial() { sed '/^[Ss]erial[[:space:]]*:/d'; }

# The block of /proc/cpuinfo of the measured CPU, else the first.
own_block() {
    awk -v RS= -v own="$OSGAP_CPU" '
        NR == 1 { found = $0 }
        $0 ~ "(^|\n)(processor|cpu number)[ \t]*:[ \t]*" own "(\n|$)" { found = $0; exit }
        END { print found }' "$root/proc/cpuinfo" | without_serial
}

# CPUs and their name, for each name in /proc/cpuinfo: ARM's numbers, the model or the design
core_names() {
    awk -F '[ \t]*:[ \t]*' '
        function add() {
            if (cpu != "" && name != "") of[name] = of[name] (of[name] == "" ? "" : ",") cpu
            cpu = name = ""
        }
        /^processor[ \t]*:/ { add(); cpu = $2 }
        /^CPU implementer/ { name = $2 }
        /^CPU part/ { name = name " " $2 }
        /^(model name|uarch|cpu)[ \t]*:/ { if (name !~ /^0x/) name = $2 }
        END { add(); for (name in of) printf "%s %s;", of[name], name }' "$root/proc/cpuinfo"
}

# The limits of the cgroup and of those around it, both versions, whatever is mounted where.
cgroup_limits() {
    awk -v root="$root" '
        NR == FNR { split($0, part, ":"); path[part[2]] = substr($0, length(part[1] part[2]) + 3); next }
        / - cgroup2 / { climb($4, $5, path[""], "cpu.max") }
        / - cgroup / { for (names in path) if ("," names "," ~ /,cpu,/ && "," $NF "," ~ /,cpu,/) {
            climb($4, $5, path[names], "cpu.cfs_quota_us")
            climb($4, $5, path[names], "cpu.cfs_period_us") } }
        function climb(top, mount, own, file) {
            # A container sees the path of its cgroup from outside, or from its own root.
            if (top != "/" && index(own "/", top "/") == 1) own = substr(own, length(top) + 1)
            else if (top != "/" || own ~ /^\/\.\./) own = ""
            sub(/\/$/, "", own)
            for (;;) {
                print mount own "/" file
                if (own !~ /\//) break
                sub(/\/[^\/]*$/, "", own)
            } }' "$root/proc/self/cgroup" "$root/proc/self/mountinfo" 2>/dev/null
}

# FILE -> the number in a property of the device tree: its first eight bytes at most, the highest first
cells() {
    od -An -v -tu1 -N 8 "$1" 2>/dev/null | awk '
        { for (i = 1; i <= NF; i++) value = value * 256 + $i }
        END { if (NR) printf "%.0f\n", value }'
}

# TREE -> the node of the measured CPU: linked from /sys, else that of its hart
cpu_node() {
    node=$root/sys/devices/system/cpu/cpu$OSGAP_CPU/of_node
    [ ! -d "$node" ] || { echo "$node"; return; }
    hart=$(own_block | awk -F '[ \t]*:[ \t]*' '$1 == "hart" { print $2; exit }')
    for node in "$1"/cpus/cpu@*; do
        [ -z "$hart" ] || [ "$(cells "$node/reg")" != "$hart" ] || { echo "$node"; return; }
    done
}

# TREE HANDLE -> the node of the cache that has this handle
cache_node() {
    find "$1/" \( -name cache-level -o -name cache-size \) 2>/dev/null | head -n 64 |
        while read -r file; do
            [ "$(cells "${file%/*}/phandle")" != "$2" ] || { echo "${file%/*}"; break; }
        done
}

# NODE NAME -> facts of what it says of caches, TLBs and page tables
node_facts() {
    for file in "$1"/[id]-cache-size "$1"/[id]-cache-sets "$1"/[id]-cache-block-size \
        "$1"/[id]-tlb-size "$1"/[id]-tlb-sets "$1"/tlb-size "$1"/tlb-sets "$1"/cache-level \
        "$1"/cache-size "$1"/cache-sets "$1"/cache-block-size; do
        [ ! -r "$file" ] || echo "fact device-tree/$2/${file##*/} $(cells "$file")"
    done
    for file in "$1"/compatible "$1"/mmu-type "$1"/riscv,isa "$1"/riscv,isa-base; do
        [ ! -r "$file" ] ||
            echo "fact device-tree/$2/${file##*/} $(head -c 500 "$file" | tr '\000\n' '  ')"
    done
    for file in "$1"/tlb-split "$1"/cache-unified; do
        [ ! -e "$file" ] || echo "fact device-tree/$2/${file##*/} present"
    done
}

# The measured CPU in the device tree, and the caches behind its first ones, cache-1 being the next.
device_tree() {
    tree=$root/proc/device-tree number=1
    [ -d "$tree" ] || tree=$root/sys/firmware/devicetree/base
    node=$(cpu_node "$tree")
    [ -n "$node" ] || return 0
    node_facts "$node" cpu
    while [ $number -le 3 ]; do
        handle=$(cells "$node/next-level-cache")
        node=$(cache_node "$tree" "${handle:-none}")
        [ -n "$node" ] || break
        node_facts "$node" cache-$number
        number=$((number + 1))
    done
}

facts() {
    echo "fact uname $(uname -srm)"
    echo "fact cpu $OSGAP_CPU"
    echo "fact allowed $(allowed_cpus)"
    echo "fact cpuinfo $(own_block | head -c 4000 | tr '\n\t' '; ')"
    echo "fact cpuinfo-end $(tail -n 5 "$root/proc/cpuinfo" | without_serial | head -c 1000 |
        tr '\n\t' '; ')"
    echo "fact names $(core_names | head -c 4000)"
    echo "fact cores $(grep -c '^processor' "$root/proc/cpuinfo")"
    echo "fact load $(cat "$root/proc/loadavg")"
    echo "fact compiler ${OSGAP_TCC:-none}"
    echo "fact uncached $uncached"
    awk '/^MemTotal:/ { print "fact memory", $2 }' "$root/proc/meminfo"
    all=/sys/devices/system/cpu
    own=$all/cpu$OSGAP_CPU
    for file in "$root$own"/cache/index*/level "$root$own"/cache/index*/type \
        "$root$own"/cache/index*/size "$root$own"/cache/index*/coherency_line_size \
        "$root$own"/cache/index*/ways_of_associativity "$root$own"/cache/index*/shared_cpu_list \
        "$root$all"/vulnerabilities/* "$root$all"/cpu[0-9]*/cpu_capacity \
        "$root$all"/cpu[0-9]*/cpufreq/cpuinfo_max_freq; do
        fact "${file#"$root"}"
    done
    for file in "$own"/cpufreq/scaling_governor "$own"/topology/thread_siblings_list $all/online \
        /sys/devices/cpu_core/cpus /sys/devices/cpu_atom/cpus /sys/devices/cpu_lowpower/cpus \
        $all/smt/active $all/cpufreq/boost $all/intel_pstate/no_turbo \
        /sys/devices/system/clocksource/clocksource0/current_clocksource; do
        fact "$file"
    done
    cgroup_limits | while read -r file; do fact "$file"; done
    device_tree
    surroundings
}

# What systemd-detect-virt and virt-what look at.
surroundings() {
    dmi=/sys/class/dmi/id
    for file in $dmi/sys_vendor $dmi/product_name $dmi/product_version $dmi/board_vendor \
        $dmi/bios_vendor /sys/hypervisor/type /sys/hypervisor/properties/features \
        /proc/xen/capabilities /proc/1/cgroup \
        /proc/device-tree/compatible /proc/device-tree/model /proc/device-tree/hypervisor/compatible \
        /run/systemd/container /run/host/container-manager; do
        fact "$file"
    done
    present /proc/xen /proc/vz /proc/bc /.dockerenv /run/.containerenv \
        /var/run/secrets/kubernetes.io '/proc/device-tree/hmc-managed?' \
        /proc/device-tree/ibm,partition-name
    for file in "$root"/proc/device-tree/*fw-cfg*; do
        [ ! -e "$file" ] || echo 'fact /proc/device-tree/fw-cfg present'
    done
    sed -n 's/^VM00 Control Program/fact \/proc\/sysinfo &/p' "$root/proc/sysinfo" 2>/dev/null
    sed -n 's/^[^#]*#/fact \/proc\/version #/p' "$root/proc/version" 2>/dev/null
    # Of the first process nothing but this variable.
    { tr '\000' '\n' < "$root/proc/1/environ"; } 2>/dev/null |
        sed -n 's/^container=/fact \/proc\/1\/environ container=/p'
    raw=$root/sys/firmware/dmi/entries/0-0/raw
    set -- $(od -An -tu1 -j1 -N1 "$raw" 2>/dev/null) $(od -An -tu1 -j19 -N1 "$raw" 2>/dev/null)
    [ $# -ne 2 ] || [ "$1" -lt 20 ] || echo "fact smbios-virtual $(($2 / 16 % 2))"
    oem=$(head -c 16 "$root/sys/firmware/acpi/tables/FACP" 2>/dev/null | tail -c 6 | tr -cd 'A-Z')
    [ -z "$oem" ] || echo "fact acpi-oem $oem"
    ! dmesg 2>/dev/null | grep -qi 'gvisor' || echo 'fact gvisor present'
}
