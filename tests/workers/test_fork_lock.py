"""A process of the pool may be made at any moment, also while a thread of the worker's main process sends."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from typing import Any

import pytest
from kombu.utils.objects import cached_property

from wire.jobs import MATCH_HEARTBEAT_TASK, Heartbeat
from workers import heartbeat, toolchain_report
from workers.heartbeat import send_best_effort
from workers.toolchain_report import languages_announce

PATIENCE_SECONDS = 10
BEAT = Heartbeat(1, "a" * 32, "w")


class SlowApp:
    """Sends through a part of a connection, as kombu makes them; the first takes its time."""

    def __init__(self) -> None:
        self.sending, self.forked = threading.Event(), threading.Event()

    @cached_property
    def channel(self) -> str:
        self.sending.set()
        self.forked.wait(0.5)  # which runs out, since a fork waits for us
        return "made"


def test_who_is_forked_while_a_thread_sends_can_send(monkeypatch: pytest.MonkeyPatch) -> None:
    app = SlowApp()
    monkeypatch.setattr(heartbeat, "send", lambda app, *_, **__: app.channel)
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
    """Takes its time while its pipes are open on both sides here."""

    starting, forked = threading.Event(), threading.Event()

    def _execute_child(self, *args: Any) -> None:
        self.starting.set()
        self.forked.wait(0.5)  # which runs out, since a fork waits for us
        super()._execute_child(*args)


def test_who_is_forked_while_languages_begin_to_be_tried_does_not_keep_their_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or the worker would hear the end only when that process of its pool ends, and until then tell of no language."""
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
