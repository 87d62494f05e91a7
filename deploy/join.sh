#!/bin/sh
# deploy/join.sh TOKEN [OPTIONS of python -m workers.join]: make this machine play for an arena.
# TOKEN is what `manage.py hosts invite NAME` has printed. Installs what is missing, exchanges the token for a broker
# user, and starts a worker: under systemd as root, else in this terminal. There, without a token, it starts it again.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
[ $# -ge 1 ] || [ -f worker.env ] || {
    say "Give the token: deploy/join.sh 'https://arena.example#...' (manage.py hosts invite NAME prints it)."
    exit 1
}
need_to_run
install_missing
make_venv requirements.txt

if [ $# -ge 1 ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; then
    mkdir -p -m 0755 /etc/banzuke
    .venv/bin/python -m workers.join "$@" --file /etc/banzuke/worker.env
    deploy/systemd/install.sh worker@1
    exit
fi

[ $# = 0 ] || .venv/bin/python -m workers.join "$@" --file worker.env
say "A worker starts here; Ctrl-C ends it, and deploy/join.sh without a token starts it again."
set -a
. ./worker.env
set +a
exec .venv/bin/python -m celery -q -A workers.app worker --loglevel INFO --without-gossip --without-mingle \
    --without-heartbeat -n play@%h -Q play,try,build
