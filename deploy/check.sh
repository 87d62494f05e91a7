#!/bin/sh
# make check: the static checks and the tests of changed files, for every small change; make test runs everything.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
make_venv requirements.txt requirements-dev.txt
exec .venv/bin/python -m deploy.checking
