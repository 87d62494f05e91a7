#!/bin/sh
# make run: install what is missing, then start the arena.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
need_to_run
install_missing
make_venv requirements.txt
exec .venv/bin/python -m deploy.arena
