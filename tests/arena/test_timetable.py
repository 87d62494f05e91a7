"""The timetable on machines whose clocks are set back, or not the same."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from celery import signals
from celery.beat import ScheduleEntry
from kombu.utils.imports import symbol_by_name
from redis.exceptions import ReadOnlyError
from structlog.testing import capture_logs

from arena import timetable
from arena.celery import app as arena
from arena.timetable import Timetable, TimetableRequest
from wire.jobs import MATCH_HEARTBEAT_TASK
from wire.transport import application

HOUR = timedelta(hours=1)


class Day:
    """A clock that tests set, and timetables that use it and send no messages."""

    def __init__(self, file: Path) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.app = application("site", "memory://")
        self.app.conf.beat_schedule = {
            name: {"task": name, "schedule": seconds} for name, seconds in [("pair", 2), ("sweep", 3)]
        }
        self.app.now = lambda: self.now
        self.sent: Counter[str] = Counter()
        self.file = file
        self.timetable = self.started()

    def started(self) -> Timetable:
        timetable = Timetable(self.app, schedule_filename=str(self.file))
        timetable.apply_entry = self._note
        timetable.lead = SimpleNamespace(has=lambda: True, end=lambda: None)
        return timetable

    def _note(self, entry: ScheduleEntry, producer: object = None) -> None:
        self.sent[entry.name] += 1

    def goes_on(self, seconds: int) -> Counter[str]:
        """Let time pass, and return how often each message was sent."""
        self.sent.clear()
        ends = self.now + timedelta(seconds=seconds)
        while self.now < ends:
            self.now += timedelta(seconds=min(max(self.timetable.tick(), 0.001), 0.5))
        return self.sent


@pytest.fixture
def day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Day:
    monkeypatch.setattr(Timetable, "producer", None)
    return Day(tmp_path / "schedule")


def test_the_arena_uses_this_timetable() -> None:
    assert arena.conf.beat_scheduler == f"{Timetable.__module__}:{Timetable.__name__}"


@pytest.mark.parametrize("started_again", [False, True])
def test_a_clock_that_is_set_back_stops_nothing(day: Day, started_again: bool) -> None:
    """Celery's own would send nothing for an hour, even after a restart."""
    before = dict(day.goes_on(12))
    day.now -= HOUR
    if started_again:
        day.timetable.close()
        day.timetable = day.started()
    after = day.goes_on(12)
    assert all(abs(after[name] - before[name]) <= 1 for name in ("pair", "sweep")), after


def test_a_clock_that_is_set_ahead_sends_nothing_twice(day: Day) -> None:
    before = dict(day.goes_on(12))
    day.now += HOUR
    after = day.goes_on(12)
    assert all(abs(after[name] - before[name]) <= 1 for name in ("pair", "sweep")), after


def test_a_refused_message_is_logged_in_one_line(
    day: Day, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Celery's own logs two tracebacks each time, six gigabytes a day."""

    def refuse(*_: object, **__: object) -> None:
        raise ReadOnlyError("You can't write against a read only replica.")

    monkeypatch.setattr(day.app, "send_task", refuse)
    with capture_logs() as lines:
        Timetable.apply_entry(day.timetable, day.timetable.schedule["pair"])
    assert [(line["event"], line["task"]) for line in lines] == [("not_sent", "pair")]
    assert "read only" in lines[0]["error"]
    assert not caplog.records


def met(task: str) -> TimetableRequest:
    """A message that expired three seconds ago by the clock of the manager that receives it."""
    headers = arena.amqp.as_task_v2(uuid4().hex, task, expires=-3).headers
    message = SimpleNamespace(headers=headers, delivery_info={}, properties={})
    arena.loader.import_default_modules()
    request = symbol_by_name(arena.tasks[task].Request)
    return request(message, app=arena, headers=headers, body=((), {}, {}), decoded=True)


def test_a_manager_whose_clock_is_ahead_handles_the_timetable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it drops each message unread, and nothing is paired or swept."""
    monkeypatch.setattr(timetable, "_done_at", {})
    assert not met("matches.sweep").revoked()
    signals.task_postrun.send(sender=None, task=arena.tasks["matches.sweep"])
    assert met("matches.sweep").revoked(), "it piles up behind a manager that was busy"
    assert not met("matches.pair").revoked()
    assert met(MATCH_HEARTBEAT_TASK).revoked(), "an old sign of life says nothing"
    monkeypatch.setattr(timetable, "RECENT_SECONDS", 0)
    assert not met("matches.sweep").revoked()
