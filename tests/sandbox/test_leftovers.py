"""The next start removes everything that a worker killed during a match leaves behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import sandbox
from sandbox import cgroups, leftovers
from sandbox.api import Sandbox
from sandbox.bubblewrap import UIDS
from tests.sandbox.hostile import hostile_matches, killed_matches, machine_state, next_starts
from tests.sandbox.programs import owners_may_die, python

pytestmark = [pytest.mark.waits, pytest.mark.both_backends]

WORKER = """
import sys
from pathlib import Path
import sandbox
from sandbox.api import Limits, Program, TurnLimits
program = Program(Path(sys.argv[1]), ("/usr/bin/python3", "-u", "main.py"))
process = sandbox.backend("bubblewrap").start(program, Limits())
process.ask(["go"], TurnLimits(cpu_ms=2_000))
print(*process._group.pids(), flush=True)
sys.stdin.read()
"""
BOT = "import os\nprint(input())\nos.fork()\nwhile True: pass\n"


@pytest.fixture
def owners_die() -> Iterator[None]:
    """Hold the lock of ``owners_may_die``, so that no other test finds what the owners killed here leave."""
    with owners_may_die():
        yield


def living(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Wait for the end of processes, at most 10 s; return those that still run."""
    _, alive = psutil.wait_procs(processes, timeout=10)
    return [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.usefixtures("owners_die")
def test_bots_end_when_their_worker_is_killed(bubblewrap: str, tmp_path: Path) -> None:
    """A worker that is not root has no control groups by which the next start could find the processes."""
    argv = [sys.executable, "-c", WORKER, str(python(tmp_path, BOT).root)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        bots = [psutil.Process(int(pid)) for pid in worker.stdout.readline().split()]
        worker.kill()
    assert bots
    assert living(bots) == []
    sandbox.backend("bubblewrap")


def test_programs_of_living_workers_are_not_swept(backend: Sandbox, tmp_path: Path) -> None:
    with backend.start(python(tmp_path, BOT), sandbox.api.Limits()) as process:
        sandbox.backend(backend.name)
        assert process.ask(["still here"], sandbox.api.TurnLimits(cpu_ms=2_000)).lines == ("still here",)


def test_half_made_namespaces_of_a_killed_bwrap_are_ended(bubblewrap: str) -> None:
    if os.geteuid():
        pytest.skip("needs root: only root gives bots uids of their own")
    half_made = ["unshare", "--user", "--pid", "--fork", "sh", "-c", "echo ready; exec sleep 1000"]
    uid = UIDS[7]
    with subprocess.Popen(half_made, stdout=subprocess.PIPE, user=uid, group=uid, extra_groups=[]) as maker:
        assert maker.stdout is not None
        assert maker.stdout.readline() == b"ready\n"
        (waiting,) = psutil.Process(maker.pid).children()
        maker.kill()
    sandbox.backend("bubblewrap")
    assert living([waiting]) == []


def test_a_process_name_that_is_not_utf8_keeps_no_worker_from_starting(bubblewrap: str) -> None:
    source = "import ctypes; ctypes.CDLL(None).prctl(15, b'\\xff\\x0c:', 0, 0, 0); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdout is not None
        bot.stdout.readline()
        sandbox.backend("bubblewrap")
        assert not leftovers.owner_lives(f"{bot.pid}.1.{leftovers.namespace()}.7")


def test_a_busy_control_group_keeps_no_worker_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group is busy while the kernel reaps its last process, as when a worker starts just after a kill."""
    group = tmp_path / "pids" / cgroups.PARENT / f"4194305.1.{leftovers.namespace()}.1"  # no process has this number
    (group / "reaped").mkdir(parents=True)
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    monkeypatch.setattr("sandbox.cgroups.time.sleep", lambda seconds: (group / "reaped").rmdir())
    cgroups.sweep()
    assert not group.exists()


def test_an_owner_name_belongs_to_one_process() -> None:
    pid, start, namespace = leftovers.owner().split(".")
    assert leftovers.owner_lives(f"{pid}.{start}.{namespace}.7")
    assert not leftovers.owner_lives(f"{pid}.{int(start) + 1}.{namespace}.7")
    assert not leftovers.owner_lives(f"4194305.1.{namespace}.7")


@pytest.mark.usefixtures("owners_die")
def test_a_worker_in_another_namespace_leaves_programs_alone(bubblewrap: str, tmp_path: Path) -> None:
    """A worker in a container may see the machine's control groups but not its processes: these count as alive."""
    if os.geteuid():
        pytest.skip("needs root: a namespace of processes, and control groups")
    apart = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c"]
    with sandbox.backend("bubblewrap").start(python(tmp_path, BOT), sandbox.api.Limits()) as process:
        subprocess.run([*apart, "import sandbox; sandbox.backend('bubblewrap')"], check=True, timeout=60)
        assert process.ask(["still here"], sandbox.api.TurnLimits(cpu_ms=2_000)).lines == ("still here",)


def test_a_bot_cannot_find_out_how_many_bots_ran_before(backend: Sandbox, tmp_path: Path) -> None:
    tells = "input()\nprint(next(line.split()[3] for line in open('/proc/self/mountinfo') if ' /bot ' in line))"
    program, sources = python(tmp_path, tells), set()
    for _ in range(2):
        with backend.start(program, sandbox.api.Limits()) as process:
            sources.add(process.ask(["go"], sandbox.api.TurnLimits(cpu_ms=2_000)).lines[0])
    by_chance = re.compile(rf"({leftovers.PREFIX}[0-9.]+)\.\w+")
    assert len({by_chance.sub(r"\1", source) for source in sources}) == 1


def test_a_zombie_counts_as_ended() -> None:
    with subprocess.Popen(["true"]) as process:
        name = f"{process.pid}.{leftovers.start_time(process.pid)}.{leftovers.namespace()}.7"
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not leftovers.owner_lives(name)


def test_hostile_matches_leave_nothing_behind(backend: Sandbox, tmp_path: Path) -> None:
    hostile_matches(backend, tmp_path, matches=1)  # opens what stays open for later matches
    backend.close()
    before = machine_state(backend.name, [], "")
    hostile_matches(backend, tmp_path, matches=8)
    backend.close()
    assert machine_state(backend.name, [], "") - before == set()


@pytest.mark.usefixtures("owners_die")
def test_hostile_matches_of_killed_players_leave_nothing_behind(backend: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    mark = f"mark-{leftovers.fresh_name()}"
    hostile_matches(backend, tmp_path, matches=1)
    backend.close()
    before = machine_state(backend.name, [], mark)
    owners = killed_matches(backend.name, tmp_path, matches=6, killed_every=3, mark=mark)
    next_starts(backend.name)
    assert machine_state(backend.name, owners, mark) - before == set()
