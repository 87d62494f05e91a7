"""The freezer stops all processes of a bot, and never another program's process that got the number of a bot's."""

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
from sandbox.bubblewrap import join_command
from sandbox.freezer import Freezer, finish_pending, has_pending
from sandbox.procfs import thread_states

LAST_PID = Path("/proc/sys/kernel/ns_last_pid")
"""Writing a number to this file makes the kernel give the next process the number after it."""

Run = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Yield a stack that ends the processes of a test."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def group(stack: ExitStack) -> cgroups.KernelGroup:
    """Return a new control group of this machine."""
    if os.geteuid() or cgroups.problem():
        pytest.skip("needs root and control groups that can be written")
    made = cgroups.make(Limits(), 0)
    stack.callback(cgroups.remove, made)
    return made


@pytest.fixture
def member(stack: ExitStack, group: cgroups.KernelGroup) -> Run:
    """Return a function that starts a process in the group."""

    def start() -> subprocess.Popen[bytes]:
        return _sleeper(stack, join_command(group))

    return start


def test_processes_are_stopped_and_woken_repeatedly(group: cgroups.KernelGroup, member: Run) -> None:
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


def test_after_finish_pending_all_threads_are_stopped(group: cgroups.KernelGroup, member: Run) -> None:
    processes = [member(), member()]
    freezer = Freezer(group, frozenset())
    for _ in range(20):
        freezer.freeze()
        finish_pending()
        assert not has_pending()
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


def test_another_program_that_reuses_a_process_number_is_not_stopped(
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


def test_a_process_that_ends_during_the_freeze_is_ignored(
    group: cgroups.KernelGroup, member: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a bot that is about to lose starts children that end at once, so that the sandbox fails."""

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
    """Start a process with a given number; retry, since another process of this machine may get it first."""
    for _ in range(100):
        LAST_PID.write_text(str(number - 1))
        process = _sleeper(stack, [])
        if process.pid == number:
            return process
    pytest.fail("Another process of this machine holds the number.")


def _sleeper(stack: ExitStack, prefix: list[str]) -> subprocess.Popen[bytes]:
    """Start a process that echoes what it reads, with a command prefix, and wait until it does."""
    process = subprocess.Popen([*prefix, "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    stack.callback(process.wait)
    stack.callback(process.kill)
    assert _answers(process)
    return process


def _answers(process: subprocess.Popen[bytes]) -> bool:
    """Write to a process and return whether it echoes; a stopped one would let the test wait for ever."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"?")
    return process.stdout.read(1) == b"?"


def _await_stop(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has been stopped again."""
    assert os.waitid(os.P_PID, process.pid, os.WSTOPPED) is not None
