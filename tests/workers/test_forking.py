"""A process of the pool may be made at any moment, also while a thread of the worker's main process sends."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from kombu.utils.objects import cached_property

from workers import heartbeat
from workers.heartbeat import send_lightly
from workers.jobs import MATCH_HEARTBEAT_TASK, Heartbeat

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
    thread = threading.Thread(target=send_lightly, args=(app, MATCH_HEARTBEAT_TASK, BEAT))
    thread.start()
    assert app.sending.wait(PATIENCE_SECONDS)
    child = os.fork()
    if not child:
        signal.alarm(PATIENCE_SECONDS)
        send_lightly(app, MATCH_HEARTBEAT_TASK, BEAT)
        os._exit(os.EX_OK)
    app.forked.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == os.EX_OK
