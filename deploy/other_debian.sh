#!/bin/sh
# deploy/other_debian.sh [SUITE [COMMAND...]]: run a command on another release of Debian, as root, in a clone of HEAD.
# SUITE is trixie (the default) or bookworm. Without a command it starts an arena once, and then runs `make test` as
# continuous integration does. The release is kept in a folder for the next time; to begin anew, remove that folder.
# Network, control groups and the way to package registries are those of this machine.
set -eu
cd "$(dirname "$0")/.."
. deploy/bootstrap.sh
suite=${1:-trixie}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- sh -c 'deploy/run_once.sh && CI=true make test'
root=/var/tmp/banzuke-debian/$suite
checkout=$root/srv/banzuke
[ "$(id -u)" = 0 ] || {
    say "Only root can mount another Debian."
    exit 1
}
need mmdebstrap command -v mmdebstrap
need git command -v git
need util-linux command -v pivot_root
install_missing

mkdir -p "${root%/*}"
exec 9>"$root.lock"
flock --nonblock 9 || { say "Waiting for another run in $root."; flock 9; }
if [ ! -d "$root" ]; then
    say "Making $root"
    # No service starts when its package is installed.
    rm -rf "$root.new"
    mmdebstrap --quiet --variant=apt --include=ca-certificates,git,make,mount \
        --customize-hook='printf "#!/bin/sh\nexit 101\n" >"$1/usr/sbin/policy-rc.d"' \
        --customize-hook='chmod 755 "$1/usr/sbin/policy-rc.d"' "$suite" "$root.new"
    # What the administrator of this machine has told apt, and the certificates that are trusted here.
    for file in /etc/apt/apt.conf.d/*; do
        dpkg -S "$file" >/dev/null 2>&1 || cp "$file" "$root.new/etc/apt/apt.conf.d/"
    done
    trusted=$root.new/usr/local/share/ca-certificates
    mkdir -p "$trusted"
    csplit --quiet --elide-empty-files --prefix="$trusted/host-" --suffix-format=%03d.crt \
        /etc/ssl/certs/ca-certificates.crt '/BEGIN CERTIFICATE/' '{*}'
    chroot "$root.new" update-ca-certificates >/dev/null 2>&1
    mv "$root.new" "$root"
fi

cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# A new clone. Its Python and npm packages are those of the last one, if their stamps are still right.
rm -rf "$checkout.new" "$root/tmp"
mkdir -m 1777 "$root/tmp"
git clone --quiet --no-local . "$checkout.new"
for folder in .venv node_modules; do
    [ ! -d "$checkout/$folder" ] || mv "$checkout/$folder" "$checkout.new/"
done
rm -rf "$checkout"
mv "$checkout.new" "$checkout"

# Of the environment, only the settings of package registries are kept, and what the arena's scripts are told.
for name in $(env | sed -n 's/^\([A-Za-z_]*\)=.*/\1/p'); do
    case $name in
        PIP_* | NPM_* | npm_* | *_PROXY | *_proxy | *_CA_BUNDLE | NODE_EXTRA_CA_CERTS) ;;
        HOME | CI | PORT | PYTEST_ADDOPTS) ;;
        *) unset "$name" ;;
    esac
done
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
# The files and folders that these settings name. An index in a folder "simple" has its files beside that; Debian's
# certificates have their place there, too.
named=$({
    env | grep -i '^\(pip\|npm\)_'
    cat /etc/pip.conf "$HOME/.config/pip/pip.conf" 2>/dev/null
} | tr ' =' '\n\n' | sed -n 's#/simple/\?$##; /^\/etc\/ssl\//d; s#^\(file://\)\?\(/.*\)#\2#p')
export root named
exec unshare --mount sh -euc '
    # Show a file or folder of this machine at the same place there, or at another one.
    show() {
        [ -e "$1" ] || return 0
        there=$root${2:-$1}
        mkdir -p "${there%/*}"
        if [ -d "$1" ]; then mkdir -p "$there"; else : >>"$there"; fi
        mount --bind "$1" "$there"
    }
    mount --make-rprivate /
    mount --bind "$root" "$root"
    for name in dev proc sys; do mount --rbind "/$name" "$root/$name"; done
    mount -t tmpfs tmpfs "$root/run"
    show /etc/pip.conf
    show /etc/npmrc
    show "$HOME/.config/pip" /root/.config/pip
    show "$HOME/.npmrc" /root/.npmrc
    for path in $named; do show "$path"; done
    # No chroot: in one, the kernel lets nobody make a user namespace, which bubblewrap and systemd need.
    cd "$root"
    pivot_root . .
    umount --lazy .
    cd /srv/banzuke
    export HOME=/root
    unset root named
    exec "$@"
' sh "$@"
