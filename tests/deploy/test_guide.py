"""The administrators' guide for systemd, typed line by line on a Debian 12 that boots with its own servers."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.settings import ROOT
from tests.waiting import wait_until

BOOT = Path(__file__).with_name("booted.sh")
SITE_ENV = """\
DJANGO_SETTINGS_MODULE=arena.settings.production
SECRET_KEY=only-for-tests-only-for-tests-only-for-tests-only-
ALLOWED_HOSTS=arena.example
DATABASE_URL=postgresql://banzuke:db-word@127.0.0.1/banzuke
REDIS_URL=redis://site:site-word@127.0.0.1:6379/0
DATA=/var/lib/banzuke
"""


def guide_blocks() -> list[str]:
    """Return the two blocks of commands of the guide's section on systemd."""
    guide = (ROOT / "docs" / "administrators.md").read_text()
    section = guide.partition("## With systemd\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if "apt-get install git" in block or "install.sh" in block]


class Machine:
    """A machine that has booted."""

    def __init__(self, pid: int) -> None:
        self._enter = ["nsenter", "--target", str(pid), "--all", "--root", "--wd", "/usr/bin/env", "-i"]
        self._enter += ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8", "sh", "-euc"]

    def run(self, command: str, given: str = "", code: int | None = 0) -> str:
        """Run a command as root and return all that it says."""
        done = subprocess.run([*self._enter, command], input=given, capture_output=True, text=True, timeout=120)
        assert code is None or done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr


@contextmanager
def booted(folder: Path, installed: str) -> Iterator[Machine]:
    """Boot a machine on which a command has been run before; it is gone behind the block."""
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
    debian = platform.freedesktop_os_release().get("VERSION_CODENAME") == "bookworm"
    return os.geteuid() == 0 and debian and all(map(shutil.which, ("unshare", "nsenter", "ip")))


def typed(line: str) -> str:
    """Return a line of the guide as somebody types it, but for what would fetch code and packages from elsewhere."""
    line = line.replace("git clone ...", f"git clone --quiet --no-local {ROOT}")
    line = line.replace("BROKER_PASSWORD=...", "BROKER_PASSWORD=site-word")
    line = line.replace("PLAYER_PASSWORD=...", "PLAYER_PASSWORD=player-word")
    return line.replace(
        "python3 -m venv .venv && .venv/bin/pip install --require-hashes -r requirements.txt",
        "python3 -m venv --without-pip .venv && echo /opt/packages > .venv/lib/python3.11/site-packages/ours.pth",
    )


@pytest.mark.arena
@pytest.mark.timeout(600)
def test_the_guide_leads_to_an_arena_that_is_well(tmp_path: Path) -> None:
    """The broker did not start, since Redis 7.0 knows not all that its list of users named; no manager was enabled."""
    if not is_possible():
        pytest.skip("needs root on Debian 12: it boots this system once more")
    first, last = ([line for line in block.replace("\\\n", "").splitlines() if line] for block in guide_blocks())
    packages = next(line for line in first if line.startswith("apt-get install"))
    fetched = packages.replace("install", "install --yes --no-install-recommends")
    with booted(tmp_path / "m", f"{fetched} || {{ apt-get update && {fetched}; }}") as machine:
        rest = [typed(line) for line in first if line != packages]
        machine.run("\n".join(["set -x", *rest]), given="db-word\ndb-word\n")
        folder, units = last
        machine.run(folder)
        machine.run("cat > /etc/banzuke/site.env", given=SITE_ENV)
        machine.run(f"cd /opt/banzuke && {units}")
        health = "curl --silent http://127.0.0.1:8000/healthz"

        def is_well() -> bool:
            return machine.run(health, code=None) == "ok"

        wait_until(is_well, lambda: machine.run(f"{health}; journalctl --no-pager -n 60", code=None))
        for part in ("web", "manage", "beat"):
            assert machine.run(f"systemctl is-enabled banzuke-{part}; systemctl is-active banzuke-{part}") == (
                "enabled\nactive\n"
            )
        assert "redis_version:7.0" in machine.run("redis-cli -u redis://site:site-word@127.0.0.1 INFO server")

        invite = "cd /opt/banzuke && deploy/systemd/manage.sh hosts invite north"
        token = re.findall(r"'(http://127\.0\.0\.1:8000#.*)'", machine.run(invite))[0]
        join = f"cd /opt/banzuke && .venv/bin/python -m workers.join '{token}' --file /etc/banzuke/worker.env"
        machine.run("systemctl stop redis-server")
        assert "Connection refused. The token is still good" in machine.run(join, code=1)
        machine.run("systemctl start redis-server")
        assert "plays as “north” now" in machine.run(join)
        url = machine.run(". /etc/banzuke/worker.env && echo $REDIS_URL").strip()
        assert machine.run(f"redis-cli -u '{url}' PING").startswith("PONG\n")
