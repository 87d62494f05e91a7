#!/bin/sh
# make test, and make test-all as `test.sh --all`: install what tests need, then run checks against real servers.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
# Without root the rest still runs: what needs a missing part skips by name.
install_if_root() { [ "$(id -u)" != 0 ] || install_missing; }
need_to_run
install_if_root
need git command -v git
need mount command -v umount
need gcc command -v gcc
need libc6-dev test -e /usr/include/stdio.h
need g++ command -v g++
need make command -v make
need mono-mcs test -x /usr/bin/mcs
need mono-runtime test -x /usr/bin/mono
need libmono-system-numerics-vectors4.0-cil test -e /usr/lib/mono/4.5/System.Numerics.Vectors.dll
need libmono-system-runtime-serialization4.0-cil test -e /usr/lib/mono/4.5/System.Runtime.Serialization.dll
need default-jdk-headless test -x /usr/bin/javac
need kotlin test -x /usr/bin/kotlinc
need nodejs test -x /usr/bin/node
need node-typescript command -v tsc
need rustc-web test -x /usr/bin/rustc
need golang-go test -x /usr/bin/go
need php-cli test -x /usr/bin/php
need php-mbstring php -r 'mb_strlen("x");'
need ruby test -x /usr/bin/ruby
need postgresql test -n "$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null)"
need chromium-headless-shell command -v chromium-headless-shell
need fonts-noto-cjk test -d /usr/share/fonts/opentype/noto
need docker.io command -v dockerd
need iptables command -v iptables
need redis-server test -x /usr/bin/redis-server
need python3-venv python3 -c 'import ensurepip'
need mmdebstrap command -v mmdebstrap
need systemd command -v systemd-analyze
need dbus command -v dbus-daemon # by which the booted machines of a test are told to run commands
need user-mode-linux command -v linux.uml
need iproute2 command -v ip
need nftables command -v nft
need curl command -v curl
need prometheus command -v promtool
install_rest() {
    install_if_root
    need docker-cli command -v docker # from Debian 13 on a package of its own, unknown before
    install_if_root
}
install_rest & # beside the Python packages: both take a minute
packages=$!
make_venv requirements.txt requirements-dev.txt
eslint=.venv/.installed-package-lock.json
wanted=$(sha256sum package-lock.json)
if [ ! -d node_modules ] || [ "$(cat $eslint 2>/dev/null)" != "$wanted" ]; then
    say "Installing package-lock.json"
    # If npm reaches no server, the check of scripts says later that it is skipped.
    ! .venv/bin/npm ci --loglevel=error >&2 || printf '%s\n' "$wanted" >$eslint
fi
wait "$packages"
exec .venv/bin/python -m deploy.testing "$@"
