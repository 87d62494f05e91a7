# Read by run.sh and test.sh, in the repository's folder: installs what is missing, and nothing else.

missing=""

say() { printf '%s\n' "$*" >&2; }

# need PACKAGE TEST...: note the Debian package as missing unless the test succeeds.
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

# Test whether a shared library is installed, given its soname; ldconfig is not in every user's PATH.
has_library() { /sbin/ldconfig -p | grep -q "$1"; }

need_to_run() {
    need python3 test -x /usr/bin/python3 # the interpreter of uploaded bots
    need python3-numpy /usr/bin/python3 -c 'import numpy' # is promised to bots, and house bots need it
    need python3-venv python3 -c 'import ensurepip, venv'
    need tzdata test -e /usr/share/zoneinfo/UTC
    need bubblewrap command -v bwrap
    need libseccomp2 has_library 'libseccomp\.so\.2'
}

# Install the packages noted as missing, or tell how.
install_missing() {
    [ -n "$missing" ] || return 0
    command="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        say "Some system packages are missing. Install them, then start again: sudo $command"
        exit 1
    fi
    say "Installing system packages:$missing"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # Package lists are fetched only if the installation with the present lists fails.
    if ! $command >"$log" 2>&1 && ! { apt-get update && $command; } >"$log" 2>&1; then
        tail -n 15 "$log" >&2
        say "The system packages could not be installed; the lines above say why. The command was: $command"
        exit 1
    fi
    rm -f "$log"
    missing=""
}

# make_venv FILE...: a .venv that holds exactly pinned requirements. Stamps make the second start quick.
make_venv() {
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        say "Banzuke needs Python 3.11 or newer; $(command -v python3) is $(python3 --version)."
        exit 1
    fi
    if ! .venv/bin/python -c '' 2>/dev/null; then
        say "Making .venv"
        python3 -m venv --clear .venv
    fi
    for requirements in "$@"; do
        stamp=".venv/.installed-$requirements"
        wanted=$(sha256sum "$requirements")
        [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && continue
        say "Installing $requirements"
        .venv/bin/python -m pip install -q --disable-pip-version-check --no-compile --require-hashes \
            -r "$requirements" || {
            say "The Python packages of $requirements could not be installed; the lines above say why."
            exit 1
        }
        # compileall uses all cores, pip only one. Errors are ignored: no Python 3 can compile some of the files.
        # Python 3.12 and newer also warn about others' texts.
        .venv/bin/python -W ignore -m compileall -qq -j 0 .venv/lib || :
        printf '%s\n' "$wanted" >"$stamp"
    done
}
