"""Heartbeats while a job is done."""

from __future__ import annotations

import threading

import pytest
from kombu.exceptions import OperationalError

from wire.jobs import MATCH_HEARTBEAT_TASK, Heartbeat
from wire.transport import application
from workers import heartbeat, sending
from workers.heartbeat import sending_heartbeats
from workers.sending import send_best_effort

BEAT = Heartbeat(1, "a" * 32, "w")


def test_a_broker_that_is_away_is_no_reason_to_stop() -> None:
    send_best_effort(application("away", "redis://127.0.0.1:1/0"), MATCH_HEARTBEAT_TASK, BEAT)


def test_it_beats_until_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[Heartbeat] = []
    three = threading.Event()

    def send(app: object, task: str, message: Heartbeat, *, give_up_soon: bool) -> None:
        beats.append(message)
        if len(beats) == 2:
            raise OperationalError  # it goes on after a failure
        if len(beats) >= 3:
            three.set()

    monkeypatch.setattr(heartbeat, "FIRST_HEARTBEAT_SECONDS", 0.01)
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.01)
    monkeypatch.setattr(sending, "send", send)
    with sending_heartbeats(application("test", "memory://"), MATCH_HEARTBEAT_TASK, lambda: BEAT):
        assert three.wait(10)
    assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]
