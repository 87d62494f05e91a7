"""Malformed messages of a worker that was taken over end no process, and the site does nothing for them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
import redis
import structlog
from celery.contrib.testing.worker import start_worker
from kombu.serialization import loads

from arena import celery as managing
from core.message import said
from tests.waiting import wait_until
from wire import message_filter
from wire.jobs import (
    MATCH_HEARTBEAT_TASK,
    REPORT_QUEUE,
    SWEEP_TASKS,
    WORKER_BEAT_TASK,
    BuildProgress,
    BuildReport,
    FaultReport,
    Heartbeat,
    SeatReport,
)
from wire.message_filter import CONTENT_TYPE, ETA_SECONDS_MAX, UNREADABLE, Dropped, envelope_read
from wire.transport import application, receives, send
from wire.worker_reports import WorkingLanguage

SIGN = Heartbeat(7, "0" * 32, "worker")
Envelope = dict[str, Any]


def body_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def envelope(text: str = '{"worker": "w"}', **headers: Any) -> Envelope:
    """Return a message as Celery writes it."""
    return {
        "body": body_of(text),
        "content-type": CONTENT_TYPE,
        "content-encoding": "utf-8",
        "headers": {"task": WORKER_BEAT_TASK, "id": "c0ffee", "retries": 0, "eta": None, "expires": None, **headers},
        "properties": {"body_encoding": "base64", "delivery_tag": "its own", "delivery_info": {}, "priority": 0},
    }


def read(raw: Any) -> Envelope:
    return envelope_read(raw, REPORT_QUEUE, {WORKER_BEAT_TASK})


POISON: dict[str, Any] = {
    "nothing": None,
    "a list": [],
    "an empty object": {},
    "headers that are a list": envelope() | {"headers": ["task"]},
    "no properties": {**envelope(), "properties": {}},
    "a task that is a list": envelope(task=["a"]),
    "a task of the managers": envelope(task="matches.pair"),
    "a task of Celery's own": envelope(task="celery.chord_unlock"),
    "a line of its own in the log": envelope(task="x\n[error] forged"),
    "JSON with further tasks": envelope() | {"content-type": "application/json"},
    "a pickle": envelope() | {"content-type": "application/x-python-serialize"},
    "another encoding of the text": envelope() | {"content-encoding": "utf-7"},
    "another encoding of the body": envelope() | {"properties": {"body_encoding": "rot13"}},
    "a body that is no base64": envelope() | {"body": "!"},
    "a time that is none": envelope(eta="tomorrow"),
    "tries before the first": envelope(retries=-9),
}


@pytest.mark.parametrize("name", POISON)
def test_a_malformed_envelope_is_refused(name: str) -> None:
    read(envelope())
    with pytest.raises(UNREADABLE):
        read(POISON[name])


def test_callbacks_and_other_fields_that_celery_obeys_are_left_out() -> None:
    """The attack: the site sends the callbacks of a message, with its rights and to any queue."""
    after = {"task": "shutdown", "options": {"exchange": "workers.pidbox", "exchange_type": "fanout"}}
    embedded = json.dumps([[{}], {"named": 1}, {"callbacks": [after], "chain": [after], "chord": after}])
    raw = envelope(embedded, timelimit=[1, 1], group="g", shadow="another", reply_to="somebody", stamps={"a": 1})
    passed = read(raw)
    body = base64.b64decode(passed["body"])
    assert loads(body, CONTENT_TYPE, "utf-8") == ((embedded.encode(),), {}, {})
    assert set(passed["headers"]) == {"task", "id", "retries", "eta", "expires"}
    assert passed["properties"]["delivery_tag"] != "its own", "two with one tag would be acknowledged as one"
    assert passed["properties"]["delivery_info"] == {"exchange": "", "routing_key": REPORT_QUEUE}


@pytest.mark.parametrize("eta", ["9999-12-31T23:59:59", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"])
def test_nothing_waits_for_long_in_the_memory_of_a_manager(eta: str) -> None:
    latest = datetime.now(UTC) + timedelta(seconds=2 * ETA_SECONDS_MAX)
    assert datetime.fromisoformat(read(envelope(eta=eta))["headers"]["eta"]) < latest


def test_what_the_timetable_puts_among_the_reports_is_let_in() -> None:
    entries = managing.app.conf.beat_schedule.values()
    among_reports = {entry["task"] for entry in entries if entry["options"]["queue"] == REPORT_QUEUE}
    assert among_reports == set(SWEEP_TASKS)
    for task in SWEEP_TASKS:
        envelope_read(envelope("\n", task=task), REPORT_QUEUE, message_filter._tasks_of(REPORT_QUEUE))


def test_a_million_lines_of_nonsense_are_a_few_in_the_log() -> None:
    dropped = Dropped()
    with structlog.testing.capture_logs() as lines:
        for _ in range(1_000):
            dropped.record("report", ValueError("x" * 1_000_000))
    assert [(line["event"], line["messages"]) for line in lines] == [("message_malformed", 1)]
    assert len(lines[0]["error"]) == message_filter.REASON_CHARS_MAX


BODIES = ["{", "[" * 100_000, "7", '{"worker": "\\ud800"}', '{"score": NaN}', "{}\n{}\n{}"]
"""Malformed bodies in valid envelopes."""
RAW: list[bytes] = [b"no JSON", b"\xff\xfe", b"[" * 100_000, b"null", json.dumps(envelope() | {"headers": []}).encode()]


def test_a_malformed_message_ends_no_worker_and_the_next_one_is_handled(broker_url: str) -> None:
    """Each of them ends Celery: one message stopped a whole arena."""
    app = application("test", broker_url)
    app.finalize()
    app.tasks.pop(MATCH_HEARTBEAT_TASK, None)  # every application of this process has the site's task
    heard: list[Heartbeat] = []
    take: Callable[[Heartbeat], None] = heard.append
    receives(app, MATCH_HEARTBEAT_TASK, Heartbeat, shared=False)(take)
    with redis.Redis.from_url(broker_url) as client:
        bodies = [json.dumps(envelope(body, task=MATCH_HEARTBEAT_TASK)).encode() for body in BODIES]
        client.lpush(REPORT_QUEUE, *RAW, *bodies)
        send(app, MATCH_HEARTBEAT_TASK, SIGN)
        with start_worker(app, pool="solo", queues=[REPORT_QUEUE], perform_ping_check=False, loglevel="CRITICAL"):
            wait_until(lambda: heard == [SIGN], lambda: heard)
        assert not client.exists(REPORT_QUEUE)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (FaultReport, {"verdict": "\u202ehsarc"}),
        (FaultReport, {"verdict": "\x1b[31mtime"}),
        (FaultReport, {"turn": 10**100}),
        (FaultReport, {"exit_code": 10**100}),
        (SeatReport, {"score": 1e308}),
        (BuildProgress, {"step": "\u202eelipmoc"}),
        (BuildReport, {"language": "\x1b[31mpython"}),
        (WorkingLanguage, {"suffixes": [".py"] * 2_000}),
        (WorkingLanguage, {"entries": ["main.py"] * 2_000}),
        *((Heartbeat, {"match_id": number}) for number in (2**63, 2**70, -1)),  # more than a database takes
        # Administrators read the names of workers in terminals and on pages.
        *((Heartbeat, {"worker": name}) for name in ("play\x1b]0;title\x07", "play@a\n[error] forged")),
        *((Heartbeat, {"worker": name}) for name in ("play@\u202ea", "play@\u200ba", "a\x9b2J")),
    ],
    ids=lambda told: "-".join(told) if isinstance(told, dict) else told.__name__,
)
def test_a_report_holds_no_words_and_numbers_that_spoil_everybodys_pages(
    kind: type[msgspec.Struct], told: dict[str, Any]
) -> None:
    """Verdicts and languages are shown on the front page and on boards, names of files on the page of uploads."""
    honest = {
        FaultReport: FaultReport("time", said("It was too late."), 3),
        SeatReport: SeatReport(1, 2.5, 3.0, 1.0),
        BuildProgress: BuildProgress(1, "a" * 32, "compile", "play@a"),
        BuildReport: BuildReport(1, "a" * 32, "play@a"),
        WorkingLanguage: WorkingLanguage("python", "Python", "3.11.2", ["main.py"], [".py"]),
        Heartbeat: msgspec.structs.replace(SIGN, worker="play1@\u6771\u4eac"),
    }[kind]
    assert msgspec.convert(msgspec.to_builtins(honest), kind) == honest
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(msgspec.to_builtins(honest) | told, kind)
