"""Who is stopped, and who never is: a stranger with a number that was a bot's."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sandbox import cgroups
from sandbox.api import Limits
from sandbox.bubblewrap import _joining
from sandbox.freezer import Freezer, restless, settle
from sandbox.procfs import thread_states

LAST_PID = Path("/proc/sys/kernel/ns_last_pid")
"""The kernel gives the next process the next number: written, it says which."""

Run = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Ends what a test has begun."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def group(stack: ExitStack) -> cgroups.KernelGroup:
    """A control group of this machine."""
    if os.geteuid() or cgroups.problem():
        pytest.skip("needs root and control groups that can be written")
    made = cgroups.make(Limits(), 0)
    stack.callback(cgroups.remove, made)
    return made


@pytest.fixture
def member(stack: ExitStack, group: cgroups.KernelGroup) -> Run:
    """Starts a process in the group."""

    def start() -> subprocess.Popen[bytes]:
        return _sleeper(stack, _joining(group))

    return start


def test_all_are_stopped_again_and_again_and_woken(group: cgroups.KernelGroup, member: Run) -> None:
    processes = [member(), member()]
    freezer = Freezer(group, frozenset())
    for _ in range(3):
        freezer.freeze()
        for process in processes:
            _await_stop(process)
        freezer.thaw()
        for process in processes:
            assert _answers(process)
    freezer.close()


def test_who_came_while_the_others_ran_is_stopped_too(group: cgroups.KernelGroup, member: Run) -> None:
    one = member()
    freezer = Freezer(group, frozenset())
    freezer.freeze()
    _await_stop(one)
    freezer.thaw()
    another = member()
    freezer.freeze()
    _await_stop(one)
    _await_stop(another)
    freezer.close()


def test_once_settled_all_stand(group: cgroups.KernelGroup, member: Run) -> None:
    processes = [member(), member()]
    freezer = Freezer(group, frozenset())
    for _ in range(20):
        freezer.freeze()
        settle()
        assert not restless()
        assert [thread_states(process.pid) for process in processes] == [["T"], ["T"]]
        freezer.thaw()
    freezer.close()


def test_helpers_run_on(group: cgroups.KernelGroup, member: Run) -> None:
    helper, program = member(), member()
    freezer = Freezer(group, frozenset({helper.pid}))
    for _ in range(2):
        freezer.freeze()
        _await_stop(program)
        assert _answers(helper)
        freezer.thaw()
    freezer.close()


def test_a_stranger_with_the_number_of_one_that_ended_is_not_stopped(
    stack: ExitStack, group: cgroups.KernelGroup, member: Run
) -> None:
    if not LAST_PID.exists():
        pytest.skip(f"needs {LAST_PID}: a kernel that can restore processes")
    stays, ends = member(), member()
    freezer = Freezer(group, frozenset())
    freezer.freeze()
    _await_stop(stays)
    freezer.thaw()
    ends.kill()
    ends.wait()
    stranger = _with_number(stack, ends.pid)
    freezer.freeze()
    _await_stop(stays)
    assert _answers(stranger)
    freezer.close()


def test_who_ends_while_it_is_taken_hold_of_is_nobody(
    group: cgroups.KernelGroup, member: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would otherwise be a failure of ours: who is about to lose starts children that end at once."""

    def ended(*_: object) -> None:
        raise ProcessLookupError

    member()
    freezer = Freezer(group, frozenset())
    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(signal, "pidfd_send_signal", ended)
    freezer.freeze()
    assert os.listdir("/proc/self/fd") == before
    freezer.close()


def _with_number(stack: ExitStack, number: int) -> subprocess.Popen[bytes]:
    """Start a process with a number of choice; others of this machine may be quicker, so it is tried again."""
    for _ in range(100):
        LAST_PID.write_text(str(number - 1))
        process = _sleeper(stack, [])
        if process.pid == number:
            return process
    pytest.fail("Another process of this machine holds the number.")


def _sleeper(stack: ExitStack, joining: list[str]) -> subprocess.Popen[bytes]:
    """Start a process that tells when it is what it shall be, and waits for ever."""
    process = subprocess.Popen([*joining, "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    stack.callback(process.wait)
    stack.callback(process.kill)
    assert _answers(process)
    return process


def _answers(process: subprocess.Popen[bytes]) -> bool:
    """Ask a process; one that is stopped never answers."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"?")
    return process.stdout.read(1) == b"?"


def _await_stop(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has been stopped once more."""
    assert os.waitid(os.P_PID, process.pid, os.WSTOPPED) is not None
