"""The supervisor with small child processes: however it ends, no process is left."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from deploy.supervisor import RESTARTS_MAX

pytestmark = pytest.mark.waits

PROGRAM = """
import sys, json
from deploy.processes import Child
from deploy.supervisor import Supervisor
children = [Child(name, tuple(argv), {"PATH": "/usr/bin:/bin"}) for name, argv in json.loads(sys.argv[1])]
print("ended first:", Supervisor(children, lambda: print("all started", flush=True)).run() or "nobody", flush=True)
"""


class Supervised:
    """A supervisor in a separate process."""

    def __init__(self, *children: tuple[str, list[str]]) -> None:
        argv = [sys.executable, "-c", PROGRAM, json.dumps(children)]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines: list[str] = []
        self.family: list[psutil.Process] = []

    def read_until(self, words: str) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if words in line:
                break
        else:
            pytest.fail(f"never printed {words!r}: {self.lines}")
        self.family = psutil.Process(self.process.pid).children(recursive=True) or self.family

    def started(self, name: str) -> psutil.Process:
        """Return the process that a child had when it was last started. Just then its command line is still empty."""
        pids = [found[1] for line in self.lines if (found := re.search(rf"{name} started \(pid=(\d+)", line))]
        return psutil.Process(int(pids[-1]))

    def nobody_is_left(self) -> bool:
        gone, alive = psutil.wait_procs(self.family, timeout=15)
        return bool(gone) and not alive


@pytest.fixture
def two() -> Iterator[Supervised]:
    supervised = Supervised(("web", ["sleep", "1000"]), ("play", ["sleep", "1001"]))
    for _child in range(2):
        supervised.read_until("started (pid=")
    yield supervised
    supervised.process.kill()
    supervised.process.wait()


def test_a_signal_at_the_first_moment_is_not_lost() -> None:
    supervised = Supervised(*((f"child{number}", ["sleep", "1000"]) for number in range(8)))
    supervised.read_until("started (pid=")
    supervised.process.send_signal(signal.SIGTERM)
    supervised.read_until("ended first: nobody")
    assert supervised.process.wait(timeout=20) == 0
    assert supervised.nobody_is_left()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_in_their_order(two: Supervised, number: signal.Signals) -> None:
    two.process.send_signal(number)
    two.read_until("ended first: nobody")
    assert [line.split()[6] for line in two.lines if "sending SIGTERM" in line] == ["web", "play"]
    assert two.process.wait(timeout=20) == 0
    assert two.nobody_is_left()


def test_a_child_that_dies_is_started_again(two: Supervised) -> None:
    """The other children run on, and the new child ends when it is asked to."""
    killed = two.started("play")
    killed.kill()
    two.read_until("play started (pid=")
    assert [line for line in two.lines if "ended by signal 9 (Killed), and is started again." in line]
    again = two.started("play")
    assert again != killed
    assert again.status() != psutil.STATUS_ZOMBIE
    two.process.send_signal(signal.SIGTERM)
    two.read_until("ended first: nobody")
    assert not [line for line in two.lines if "SIGKILL" in line]
    assert two.process.wait(timeout=20) == 0
    assert two.nobody_is_left()


def test_a_child_that_keeps_dying_ends_all_and_is_named() -> None:
    supervised = Supervised(("web", ["sleep", "1000"]), ("play", ["sh", "-c", "sleep 0.1; exit 3"]))
    supervised.read_until("all started")
    supervised.read_until("ended first: play")
    assert len([line for line in supervised.lines if "play started" in line]) == 1 + RESTARTS_MAX
    assert len([line for line in supervised.lines if "ended with exit code 3, and is" in line]) == RESTARTS_MAX
    assert supervised.nobody_is_left()


def test_a_killed_supervisor_leaves_no_process_behind(two: Supervised) -> None:
    two.process.kill()
    assert two.nobody_is_left()


def test_a_closed_log_ends_all_children() -> None:
    supervised = Supervised(("talker", ["sh", "-c", "while echo line; do sleep 0.1; done"]))
    supervised.read_until("line")
    assert supervised.process.stdout
    supervised.process.stdout.close()
    assert supervised.process.wait(timeout=20) == 0
    assert supervised.nobody_is_left()


def test_a_child_gets_its_own_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_SITE", "secret")
    supervised = Supervised(("play", ["env"]))
    supervised.read_until("ended first: play")
    assert not [line for line in supervised.lines if "SECRET_OF_THE_SITE" in line]
    assert [line for line in supervised.lines if "PATH=" in line]
