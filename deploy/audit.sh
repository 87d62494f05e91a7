#!/bin/sh
# make audit: has anything that is pinned a known vulnerability? Asks the public database osv.dev, or that of OSV_URL.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
make_venv requirements.txt requirements-dev.txt
# A package that the database gives no answer for counts as a failure.
exec .venv/bin/pip-audit --strict --disable-pip --progress-spinner off --vulnerability-service osv \
    ${OSV_URL:+--osv-url "$OSV_URL"} -r requirements.txt -r requirements-dev.txt
