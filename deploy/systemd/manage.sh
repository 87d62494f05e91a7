#!/bin/sh
# deploy/systemd/manage.sh COMMAND...: manage.py as the site runs: its user, its environment, its folder.
set -eu
cd "$(dirname "$0")/../.."
how=--pipe
[ ! -t 0 ] || [ ! -t 1 ] || how=--pty # questions, such as those of createsuperuser
exec systemd-run --quiet --wait --collect $how --uid=banzuke --working-directory="$(pwd)" \
    --property=EnvironmentFile=/etc/banzuke/site.env "$(pwd)/.venv/bin/python" manage.py "$@"
