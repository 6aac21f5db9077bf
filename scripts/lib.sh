# SPDX-License-Identifier: BSD-3-Clause
# What study and test share: system packages and the Python environment. Sourced by bash.

EXIT_PACKAGES=3
PACKAGES_LIST=${OSGAP_PACKAGES_LIST:-scripts/packages.list}
LOG=build/provision.log

# No Python that is started here takes code from the current directory, or from the user's list.
unset PYTHONPATH
export PYTHONSAFEPATH=1

# Each stage is a line on standard error, with the time: osgap/base/progress.py writes the same form.
# Nobody may be there to be told.
say() { printf '%(%H:%M:%S)T %s\n' -1 "$*" >&2 || true; }

fail() { # STATUS SENTENCE
    printf '%s: %s\n' "$(basename "$0")" "$2" >&2
    exit "$1"
}

installed() { # PACKAGE
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Prints "NAMES REASON" of each package in the given scopes that has no installed alternative.
missing_packages() { # SCOPE...
    local scope names reason name
    while read -r scope names reason; do
        [[ " $* " == *" $scope "* ]] || continue
        for name in ${names//|/ }; do
            installed "$name" && continue 2
        done
        printf '%s %s\n' "$names" "$reason"
    done < "$PACKAGES_LIST"
}

# The first alternative that apt knows; the last when it knows none.
choose() { # NAME|NAME...
    local name
    for name in ${1//|/ }; do
        apt-cache show "$name" >/dev/null 2>&1 && break
    done
    printf '%s\n' "$name"
}

list_packages() { # MISSING: what and why
    local names reason
    while read -r names reason; do
        printf '  %-26s %s\n' "${names//|/ or }" "$reason"
    done <<< "$1"
}

apt_command() { # MISSING
    local names reason
    printf 'apt-get install --no-install-recommends'
    while read -r names reason; do
        printf ' %s' "$(choose "$names")"
    done <<< "$1"
    printf '\n'
}

# How to become root: prints a command prefix (nothing for root); fails when there is no way.
root_prefix() {
    if [ "$(id -u)" = 0 ]; then
        return 0
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        echo 'sudo -n'
    elif command -v sudo >/dev/null && [ -t 0 ]; then
        echo sudo
    else
        return 1
    fi
}

ensure_packages() { # SCOPE...
    local missing prefix names reason wanted=()
    command -v dpkg-query >/dev/null || fail 2 'this is not Debian or Ubuntu: there is no dpkg-query'
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if ! prefix=$(root_prefix); then
        printf '%s\n' 'These system packages are missing, and there is no way to become root:' >&2
        list_packages "$missing" >&2
        printf 'Run this as root, then try again:\n  %s\n' "$(apt_command "$missing")" >&2
        exit "$EXIT_PACKAGES"
    fi
    say 'Installing system packages with apt-get:'
    list_packages "$missing" >&2
    local -a apt=(${prefix} env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    logged 'apt-get update failed' "${apt[@]}" update
    while read -r names reason; do
        wanted+=("$(choose "$names")")
    done <<< "$missing"
    logged 'apt-get install failed' "${apt[@]}" install -y --no-install-recommends "${wanted[@]}"
}

# Runs a command with its output in the log; a failure shows the end of it.
logged() { # SENTENCE COMMAND...
    local sentence=$1
    shift
    mkdir -p "$(dirname "$LOG")"
    "$@" > "$LOG" 2>&1 < /dev/null && return 0
    tail -n 5 "$LOG" >&2
    fail "$EXIT_PACKAGES" "$sentence; see $LOG"
}

# The newest Python is no matter, but the locked packages need 3.11.
find_python() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            2>/dev/null; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    fail 2 'no python3 of version 3.11 or later with venv was found'
}

# What .venv is made from: it is made again only when that changes.
venv_digest() {
    local python
    python=$(find_python) || exit 2
    { cat requirements.lock; "$python" -c 'import sys; print(sys.version)'; } | sha256sum
}

locked_pip() { # SENTENCE REQUIREMENTS
    logged "$1" .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$2"
}

# The lines of requirements.lock that are about one package.
lock_of() { # PACKAGE
    awk -v name="$1==" 'index($0, name) == 1 { own = 1; print; next } !/^ / { own = 0 } own' \
        requirements.lock
}

# Where nothing can be written pip and SCons would say so at length.
ensure_room() {
    if ! { mkdir -p build && head -c 1M /dev/zero > build/.room; } 2>/dev/null; then
        rm -f build/.room
        fail 2 "$PWD/build: nothing can be written there, or there is no room on its disk"
    fi
    rm -f build/.room
}

VENV_PIP=

# Begins .venv: with what builds the image at once, with all the rest in the background.
begin_venv() {
    local digest
    ensure_room
    digest=$(venv_digest) || exit 2
    [ "$(cat .venv/osgap-lock 2>/dev/null)" = "$digest" ] && return 0
    say 'Making .venv from requirements.lock (its packages install while the image is built)'
    rm -rf .venv
    logged 'the virtual environment could not be made' "$(find_python)" -m venv .venv
    mkdir -p build
    lock_of scons > build/scons.lock
    locked_pip 'SCons could not be installed' build/scons.lock
    fill_venv "$digest" &
    VENV_PIP=$!
    # A job in the background hears no Ctrl-C.
    trap 'kill "$VENV_PIP" 2>/dev/null || true' EXIT
}

# All of requirements.lock; a TERM ends pip too.
fill_venv() { # DIGEST
    local pip
    LOG=build/pip.log
    locked_pip 'the locked Python packages could not be installed' requirements.lock &
    pip=$!
    trap 'kill -- "$pip" $(cat "/proc/$pip/task/$pip/children" 2>/dev/null) 2>/dev/null; exit 143' TERM
    wait "$pip" || exit
    printf '%s\n' "$1" > .venv/osgap-lock
}

# What the installed command depends on.
command_digest() {
    printf 'compat '
    sha256sum < pyproject.toml
}

# The command `osgap`, of this checkout's own code; again when pyproject.toml has changed. With
# editable_mode=compat the checkout is on Python's path, so that `import osgap` in the folder above
# a clone called osgap finds the package in it and not the clone.
ensure_command() {
    local digest
    digest=$(command_digest)
    [ "$(cat .venv/osgap-command 2>/dev/null)" = "$digest" ] && return 0
    logged 'the command osgap could not be installed into .venv' .venv/bin/python -m pip install -q \
        --disable-pip-version-check --no-index --no-deps --no-build-isolation \
        --config-settings editable_mode=compat --editable .
    printf '%s\n' "$digest" > .venv/osgap-command
}

# Waits until .venv is whole.
end_venv() {
    local status=0
    if [ -n "$VENV_PIP" ]; then
        wait "$VENV_PIP" || status=$?
        VENV_PIP=
        trap - EXIT
        [ "$status" = 0 ] || exit "$status"
    fi
    ensure_command
}

ensure_venv() {
    begin_venv
    end_venv
}

# SCons's steps go to standard error; of the compiler's hundreds only a terminal sees each.
ensure_built() { # TARGET...
    if [ -t 2 ]; then
        .venv/bin/scons -Q --no-site-dir "$@" >&2
    else
        PYTHONUNBUFFERED=1 .venv/bin/scons -Q --no-site-dir "$@" | steps >&2
    fi
}

# The steps that take long, each with the time; `grep` would fail where there is none.
steps() {
    local line
    while IFS= read -r line; do
        case $line in
            '  CC '*|'  AS '*|'Retrieved '*|'scons: '*'is up to date.') ;;
            *) say "$line" ;;
        esac
    done
}
