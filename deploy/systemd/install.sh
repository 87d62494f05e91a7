#!/bin/sh
# deploy/systemd/install.sh PART...: install and start units, such as `web manage beat`, `worker@1` or `tables`.
# The units name /opt/banzuke; for a copy of the repository elsewhere its path is written into them.
set -eu
[ $# -gt 0 ] || {
    echo "Give the parts to install, any of: web manage beat worker@1 tables" >&2
    exit 1
}
cd "$(dirname "$0")/../.."
here=$(pwd)
for part in "$@"; do
    template=${part%%@*}
    [ "$template" = "$part" ] || template="$template@"
    unit="deploy/systemd/banzuke-$template.service"
    [ -f "$unit" ] || {
        echo "There is no unit $unit; give any of: web manage beat worker@1 tables" >&2
        exit 1
    }
    sed "s#/opt/banzuke#$here#g" "$unit" >"/etc/systemd/system/banzuke-$template.service"
done
if grep -qs '^User=banzuke$' /etc/systemd/system/banzuke-*.service; then
    id banzuke >/dev/null 2>&1 || useradd --system --home-dir /var/lib/banzuke --shell /usr/sbin/nologin banzuke
    install -d -o banzuke -m 0755 static-root
fi
systemctl daemon-reload
# All units are enabled before the first starts, and all start even if one of them fails; the exit status tells that.
for part in "$@"; do
    set -- "$@" "banzuke-$part.service"
    shift
done
systemctl enable "$@"
systemctl start "$@"
