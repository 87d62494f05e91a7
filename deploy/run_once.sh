#!/bin/sh
# deploy/run_once.sh: does `make run` work here? Starts it, asks its first pages, takes a bot through it, and ends it.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
export PORT="${PORT:-8000}"
folder=$(mktemp -d)
log=$folder/log
export DATA="$folder/data"
deploy/run.sh >"$log" 2>&1 &
arena=$!
failed() {
    kill "$arena" 2>/dev/null || :
    wait "$arena" || :
    tail -n 60 "$log" >&2
    say "$1 The lines above are the last of its log, $log"
    exit 1
}
answers() {
    .venv/bin/python -c 'import sys, urllib.request as web; web.urlopen(sys.argv[1])' "http://localhost:$PORT$1"
}
say "== make run"
tries=0
until answers /healthz 2>/dev/null; do # it answers 503 until every part works
    kill -0 "$arena" 2>/dev/null || failed "The arena did not start."
    [ $((tries += 1)) -lt 900 ] || failed "The arena is not healthy after a quarter of an hour."
    sleep 1
done
answers / || failed "The first page does not answer."
.venv/bin/python manage.py demo --url "http://localhost:$PORT" || failed "The demonstration failed."
kill "$arena"
wait "$arena" || failed "The arena ended with an error."
tail -n 1 "$log" >&2
rm -rf "$folder"
