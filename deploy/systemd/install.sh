#!/bin/sh
# deploy/systemd/install.sh PART...: install and start units, such as `web manage@1 beat`, `worker@1` or `tables`.
# With `web` it first brings the data up to date: the unit banzuke-prepare, which runs once and is not enabled.
# The units name /opt/banzuke; for a copy of the repository elsewhere its path is written into them.
set -eu
[ $# -gt 0 ] || {
    echo "Give the parts to install, any of: web manage@1 beat worker@1 tables" >&2
    exit 1
}
cd "$(dirname "$0")/../.."
here=$(pwd)
prepare=""
case " $* " in *" web "*) prepare=prepare ;; esac
for part in "$@" $prepare; do
    template=${part%%@*}
    [ "$template" = "$part" ] || template="$template@"
    unit="deploy/systemd/banzuke-$template.service"
    [ -f "$unit" ] || {
        echo "There is no unit $unit; give any of: web manage@1 beat worker@1 tables" >&2
        exit 1
    }
    sed "s#/opt/banzuke#$here#g" "$unit" >"/etc/systemd/system/banzuke-$template.service"
done
if grep -qs '^User=banzuke$' /etc/systemd/system/banzuke-*.service; then
    id banzuke >/dev/null 2>&1 || useradd --system --home-dir /var/lib/banzuke --shell /usr/sbin/nologin banzuke
    install -d -o banzuke -m 0755 static-root
fi
# Earlier releases had one manager, in a unit of this name.
case " $* " in *" manage@"*)
    if [ -f /etc/systemd/system/banzuke-manage.service ]; then
        systemctl disable --now banzuke-manage.service
        rm /etc/systemd/system/banzuke-manage.service
    fi
    ;;
esac
systemctl daemon-reload
# All units are enabled before the first starts, and all start even if one of them fails; the exit status tells that.
for part in "$@"; do
    set -- "$@" "banzuke-$part.service"
    shift
done
systemctl enable "$@"
status=0
[ -z "$prepare" ] || systemctl start banzuke-prepare.service || status=$?
systemctl start "$@" || status=$?
exit "$status"
