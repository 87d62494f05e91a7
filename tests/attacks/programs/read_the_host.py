# The question: paths of files on the host (a secret, another bot's source), then a secret of the worker's environment.
import glob, os
*paths, secret = input().split()
got = []
for path in [*paths, "/etc/shadow", "/root/.bashrc", "/dev/sda", "/dev/vda", "/dev/mem", "/dev/kmsg", "/proc/kcore", "/proc/kmsg",
             "/var/run/secrets", "/sys/class/dmi/id/product_uuid", "/proc/1/root/etc/shadow", "/.dockerenv_"]:
    try:
        open(path, "rb").read(1)
        got.append(path)
    except OSError:
        pass
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try:
        if secret.encode() in open(path, "rb").read():
            got.append(path)
    except OSError:
        pass
print(got or "nothing")
