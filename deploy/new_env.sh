#!/bin/sh
# deploy/new_env.sh HOST: print an environment with new secrets for deploy/compose.yaml, for an arena at https://HOST.
set -eu
[ $# -eq 1 ] || {
    echo "Give the name under which the arena is to be reached: deploy/new_env.sh arena.example > arena.env" >&2
    exit 1
}
secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
cat <<END
# Keep this file to yourself (chmod 600) and keep a copy: without it the database and the broker cannot be opened.
ARENA_HOST=$1
SECRET_KEY=$(secret)
DATABASE_PASSWORD=$(secret)
BROKER_PASSWORD=$(secret)
PLAYER_PASSWORD=$(secret)
METRICS_TOKEN=$(secret)
# For hosts that join from elsewhere: how they reach the site and, on a private network, the broker.
# BANZUKE_URL=https://$1
# BROKER_PUBLIC_URL=redis://10.0.0.1:6379/0
END
