#!/bin/sh
# The first process of the kernel that tests/sandbox/unified/kernel.py starts: makes the machine ready, runs what stands in
# $FOLDER/command, and switches it off. It sees this machine's files, but for those under /tmp and /run of which it sees
# $PROJECT and $FOLDER, and can write to none but $FOLDER.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
for folder in /tmp /run; do mount -t tmpfs tmpfs "$folder"; done
mkdir -p /dev/shm /dev/pts "$PROJECT" "$FOLDER"
mount -t tmpfs tmpfs /dev/shm
mount -t devpts devpts /dev/pts
ln -s /proc/self/fd /dev/fd
ip link set lo up
# A folder is all that older kernels' hostfs takes for an option; newer ones take it by the old system call alone.
export LIBMOUNT_FORCE_MOUNT2=always
mount -t hostfs -r -o "$PROJECT" none "$PROJECT"
mount -t hostfs -o "$FOLDER" none "$FOLDER"
sh "$FOLDER/command" </dev/null >"$FOLDER/output" 2>&1
echo $? >"$FOLDER/status"
sync
echo o >/proc/sysrq-trigger
sleep 10
