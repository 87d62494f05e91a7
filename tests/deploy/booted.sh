#!/bin/sh
# tests/deploy/booted.sh FOLDER PACKAGES: boots this machine's Debian once more, with systemd, in namespaces of its own:
# an overlay, so that nothing of this machine changes, and no network but its loopback. Runs until it is killed.
# $FOLDER.ready/pid has systemd's process number, as this machine counts, once it has been started.
# It reads from its input what is run before, while there is a network. PACKAGES is a folder of Python packages, which
# is at /opt/packages there. The repository is where it is here.
set -eu
folder=$1 packages=$2 here=$(cd "$(dirname "$0")/../.." && pwd)
root=$folder/root
mount --make-rprivate /
mount -t tmpfs -o size=2g tmpfs "$folder"
mkdir "$folder/upper" "$folder/work" "$root"
mount -t overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" overlay "$root"
rm -f "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/opt/packages"
mount --bind "$packages" "$root/opt/packages"
DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c "$(cat)" >&2
for name in tmp run dev var/tmp; do mount -t tmpfs tmpfs "$root/$name"; done
mkdir -p "$root/$here" "$root/dev/shm" "$root/dev/pts"
mount --bind "$here" "$root/$here"
for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
mount -t tmpfs tmpfs "$root/dev/shm"
ln -s /proc/self/fd "$root/dev/fd"
# Nothing else of this machine starts there.
for unit in docker.service docker.socket containerd.service prometheus.service apt-daily.timer apt-daily-upgrade.timer \
    man-db.timer systemd-timesyncd.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
# A control group to be its root; those of this machine may be of version 1 or 2.
if [ -d /sys/fs/cgroup/systemd ]; then
    groups=/sys/fs/cgroup/systemd kind="-t cgroup -o none,name=systemd" place=/sys/fs/cgroup/systemd
else
    groups=/sys/fs/cgroup kind="-t cgroup2" place=/sys/fs/cgroup
fi
mkdir "$groups/booted-$$"
echo $$ >"$groups/booted-$$/cgroup.procs"
export root kind place
unshare --pid --fork --kill-child --uts --ipc --net --cgroup --mount sh -eu -c '
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
    mkdir -p "$root$place"
    mount $kind cgroup "$root$place"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ip link set lo up
    # No chroot: units with PrivateUsers, such as that of redis-server, could make no user namespace in one.
    cd "$root"
    pivot_root . .
    umount --lazy .
    exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --unit=multi-user.target
' </dev/null &
outer=$!
until inner=$(cat "/proc/$outer/task/$outer/children" 2>/dev/null) && [ -n "$inner" ] &&
    grep -qs systemd "/proc/${inner% }/comm"; do sleep 0.1; done
mkdir -p "$folder.ready"
echo "${inner% }" >"$folder.ready/pid"
wait "$outer" || true
echo $$ >"$groups/cgroup.procs"
find "$groups/booted-$$" -depth -type d -exec rmdir {} +
