"""Runs the commands of the page "From nothing to an arena on two hosts" on two more of this Debian, booted."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.settings import ROOT
from tests.waiting import wait_until

BOOT = Path(__file__).with_name("booted.sh")
PAGE = (ROOT / "docs" / "run" / "README.md").read_text()
AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
SITE_PACKAGES = f".venv/lib/python{sysconfig.get_python_version()}/site-packages"
VENV = f"python3 -m venv --without-pip .venv && echo /opt/packages > {SITE_PACKAGES}/ours.pth"
INSTALL = "python3 -m venv .venv && .venv/bin/pip install --require-hashes -r requirements.txt"
HEALTH = f"curl --silent --cacert {AUTHORITY} https://arena.example/healthz"


class Machine:
    """A booted machine in a container."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._enter = ["nsenter", "--target", str(pid), "--all", "--root", "--wd", "/usr/bin/env", "-i"]
        self._enter += ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8", "sh", "-euc"]

    def run(self, command: str, given: str = "", code: int | None = 0) -> str:
        """Run a command as root and return its output."""
        done = subprocess.run([*self._enter, command], input=given, capture_output=True, text=True, timeout=120)
        assert code is None or done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr


@contextmanager
def booted(folder: Path, installed: str) -> Iterator[Machine]:
    """Boot a machine after running a command on its disk; the machine is removed at the end of the block."""
    folder.mkdir()
    ready = folder.with_name(f"{folder.name}.ready") / "pid"
    argv = ["unshare", "--mount", BOOT, folder, sysconfig.get_paths()["purelib"]]
    log = folder.with_suffix(".log")
    with log.open("wb") as output:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=output, stderr=output)
    try:
        assert process.stdin
        process.stdin.write(installed.encode())
        process.stdin.close()
        wait_until(lambda: ready.exists() or process.poll() is not None, lambda: log.read_text(), 120)
        assert process.poll() is None, log.read_text()
        machine = Machine(int(ready.read_text()))
        wait_until(lambda: "running" in machine.run("systemctl is-system-running", code=None)
                   or "degraded" in machine.run("systemctl is-system-running", code=None),
                   lambda: machine.run("systemctl list-jobs", code=None))  # fmt: skip
        yield machine
    finally:
        if ready.exists():
            os.kill(int(ready.read_text()), 9)
        else:
            process.kill()
        process.wait()


def is_possible() -> bool:
    is_debian = platform.freedesktop_os_release()["ID"] == "debian"
    return os.geteuid() == 0 and is_debian and all(map(shutil.which, ("unshare", "nsenter", "ip")))


def blocks() -> list[str]:
    """Return the page's blocks of commands, without downloads of code and packages."""
    found = re.findall(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    texts = [re.sub(r"^apt-get (?:update|install .*)\n", "", block, flags=re.MULTILINE) for block in found]
    return [
        text.replace("git clone ...", f"git clone --quiet --no-local {ROOT}").replace(INSTALL, VENV) for text in texts
    ]


def connect(site: Machine, north: Machine) -> None:
    """Connect two machines by the private network that the page assumes."""
    ends = {f"site{site.pid}": (site, "10.0.0.1"), f"north{site.pid}": (north, "10.0.0.2")}
    first, second = ends
    subprocess.run(["ip", "link", "add", first, "type", "veth", "peer", "name", second], check=True)
    for name, (machine, ip) in ends.items():
        subprocess.run(["ip", "link", "set", name, "netns", str(machine.pid)], check=True)
        machine.run(
            f"ip addr add {ip}/24 dev {name} && ip link set {name} up && echo 10.0.0.1 arena.example >> /etc/hosts"
        )


def wait_for(machine: Machine, command: str, right: Callable[[str], bool], unit: str) -> None:
    """Repeat a command until its output is right."""
    wait_until(
        lambda: right(machine.run(command, code=None)),
        lambda: machine.run(f"{command}; journalctl --no-pager -n 60 -u {unit}", code=None),
        120,
    )


@pytest.mark.test_all
@pytest.mark.arena
@pytest.mark.timeout(600)
def test_the_page_leads_from_nothing_to_an_arena_on_two_hosts(tmp_path: Path) -> None:
    """Each command is run as written; certificates are signed by an authority of the test."""
    if not is_possible():
        pytest.skip("needs root on Debian: it boots this system twice more")
    packages = re.findall(r"^(apt-get install git .*caddy)$", PAGE, re.MULTILINE)[0]
    fetched = packages.replace("install", "install --yes --no-install-recommends")
    code, restarts, settings, looks, invite, join, workers = blocks()
    with (
        booted(tmp_path / "site", f"{fetched} || {{ apt-get update && {fetched}; }}") as site,
        booted(tmp_path / "north", "true") as north,
    ):
        connect(site, north)
        north.run("hostname north")
        settings = settings.replace("'reverse_proxy", "'tls internal' 'reverse_proxy")
        site.run(f"set -x\n{code}{restarts}{settings}")
        wait_for(site, HEALTH, lambda said: said == "ok", "banzuke-web")
        for part in ("web", "manage@1", "beat"):
            assert site.run(f"systemctl is-enabled banzuke-{part}; systemctl is-active banzuke-{part}") == (
                "enabled\nactive\n"
            )
        for kill in (
            "kill -9 $(head -n 1 /var/lib/postgresql/*/main/postmaster.pid)",
            "systemctl kill -s KILL caddy",
        ):
            site.run(kill)
            wait_for(site, HEALTH, lambda said: said == "ok", "postgresql@*")
        assert "Administrator: admin, password: " in site.run(looks.splitlines()[1])
        broker = site.run("sed -n s/^REDIS_URL=//p /etc/banzuke/site.env").strip()
        installed = re.findall(r"v=([0-9.]+)", site.run("redis-server --version"))[0]
        assert f"redis_version:{installed}" in site.run(f"redis-cli -u {broker} INFO server")

        token = re.findall(r"deploy/join.sh '(https://arena.example#.*)'", site.run(invite))[0]
        north.run("mkdir -p /etc/banzuke && cat > /etc/banzuke/ca.pem", given=site.run(f"cat {AUTHORITY}"))
        *before, joins = join.replace("https://arena.example#...", token).splitlines()
        north.run(
            "\n".join(["set -x", *before, VENV, "sha256sum requirements.txt > .venv/.installed-requirements.txt"])
        )
        joins = f"cd /opt/banzuke && REQUESTS_CA_BUNDLE=/etc/banzuke/ca.pem {joins}"
        site.run("systemctl stop redis-server")
        assert "Connection refused. The token is still good" in north.run(joins, code=1)
        site.run("systemctl start redis-server")
        assert "plays as “north” now" in north.run(joins)
        url = north.run(". /etc/banzuke/worker.env && echo $REDIS_URL").strip()
        assert site.run(f"redis-cli -u '{url}' PING").startswith("PONG\n")

        finished = "SELECT count(*) FROM matches_match WHERE state = 'finished'"
        count = f'runuser -u postgres -- psql -At -c "{finished}" banzuke'
        wait_for(site, count, lambda said: said.strip().isdigit() and int(said) > 0, "banzuke-manage@1")
        shown = site.run(f"cd /opt/banzuke\n{workers}")
        assert "north/play1@north" in shown
        assert "worker_scale" in shown
