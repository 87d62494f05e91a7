"""The pool may fork a process at any moment, also while a thread of the worker's main process sends."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from typing import Any

import pytest
from kombu.utils.objects import cached_property

from wire.jobs import MATCH_HEARTBEAT_TASK, Heartbeat
from workers import sending, toolchain_report
from workers.sending import send_best_effort
from workers.toolchain_report import languages_announce

PATIENCE_SECONDS = 10
BEAT = Heartbeat(1, "a" * 32, "w")


class SlowApp:
    """Sends through a cached property, as kombu does, which holds a lock; the first send is slow."""

    def __init__(self) -> None:
        self.sending, self.forked = threading.Event(), threading.Event()

    @cached_property
    def channel(self) -> str:
        self.sending.set()
        self.forked.wait(0.5)  # times out, since the fork waits for this thread
        return "made"


def test_a_process_forked_while_a_thread_sends_can_send(monkeypatch: pytest.MonkeyPatch) -> None:
    app = SlowApp()
    monkeypatch.setattr(sending, "send", lambda app, *_, **__: app.channel)
    thread = threading.Thread(target=send_best_effort, args=(app, MATCH_HEARTBEAT_TASK, BEAT))
    thread.start()
    assert app.sending.wait(PATIENCE_SECONDS)
    child = os.fork()
    if not child:
        signal.alarm(PATIENCE_SECONDS)
        send_best_effort(app, MATCH_HEARTBEAT_TASK, BEAT)
        os._exit(os.EX_OK)
    app.forked.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == os.EX_OK


class SlowStart(subprocess.Popen[str]):
    """Starts slowly, while both ends of its pipes are open in this process."""

    starting, forked = threading.Event(), threading.Event()

    def _execute_child(self, *args: Any) -> None:
        self.starting.set()
        self.forked.wait(0.5)  # times out, since the fork waits for this thread
        super()._execute_child(*args)


def test_a_process_forked_while_languages_are_tested_does_not_keep_their_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the worker would see the end of the pipe, and report languages, only when the forked process ends."""
    monkeypatch.setattr(toolchain_report, "_COMMAND", ("true",))
    monkeypatch.setattr(subprocess, "Popen", SlowStart)
    thread = threading.Thread(target=languages_announce, args=("tester", []), daemon=True)
    thread.start()
    assert SlowStart.starting.wait(PATIENCE_SECONDS)
    child = os.fork()
    if not child:
        signal.alarm(2 * PATIENCE_SECONDS)
        signal.pause()
    try:
        SlowStart.forked.set()
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
