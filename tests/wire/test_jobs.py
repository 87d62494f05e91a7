"""The types of jobs and reports: what each may hold, and what a database, a log or a page could not take."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tests.wire.samples import make, types
from wire import jobs
from wire.heartbeats import OVER_PREFIX, heartbeat_prefix, over_key
from wire.jobs import (
    JOB_QUEUES,
    JOB_TASKS,
    QUEUES,
    REPORT_QUEUE,
    BotLimits,
    BuildReport,
    FaultReport,
    MatchReport,
    PlayJob,
    TryReport,
)
from wire.live import live_key, live_prefix
from wire.own_queues import GUEST_PREFIX, OWN_QUEUES, is_guest
from wire.signing import HOST_PREFIX, broker_user, host_of
from wire.tables import Answer, Out, Question, Told, answers_key, answers_prefix, seat_key, seat_prefix
from wire.worker_reports import NAMES_MAX, LanguagesReport, WorkerBeat

TOKEN = "a" * 32


def changed(name: str, **fields: Any) -> bytes:
    """Return the longest sample of a type of message as JSON, with some fields changed."""
    return json.dumps(json.loads(make()[name]["longest"]) | fields).encode()


def test_each_job_has_a_queue_of_its_own_and_reports_share_one() -> None:
    names = {task: QUEUES[task] for task in JOB_TASKS}
    assert names == {jobs.PLAY_TASK: "play", jobs.TABLE_TASK: "table", jobs.BUILD_TASK: "build", jobs.TRY_TASK: "try"}
    assert sorted(JOB_QUEUES) == sorted(names.values())
    reports = QUEUES.keys() - set(JOB_TASKS)
    assert {QUEUES[task] for task in reports} == {REPORT_QUEUE}
    assert all(task in QUEUES for name, task in vars(jobs).items() if name.endswith(("_RESULT_TASK", "_PROGRESS_TASK")))


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("MatchReport", {"worker": "w" * 101}),
        ("MatchReport", {"worker": "evil\x1b[2J"}),
        ("MatchReport", {"worker": "play\u202e@a"}),
        ("MatchReport", {"worker": "play\u200b@a"}),
        ("MatchReport", {"lease_token": "A" * 32}),
        ("MatchReport", {"lease_token": "a" * 31}),
        ("MatchReport", {"turns": -1}),
        ("MatchReport", {"turns": 2**31}),
        ("MatchReport", {"match_id": 2**63}),
        ("MatchReport", {"seconds": 86_401.0}),
        ("MatchReport", {"seats": [{"rank": 1, "score": 1, "cpu_ms_total": 0, "cpu_ms_worst": 0}] * 9}),
        ("MatchReport", {"seats": [{"rank": 9, "score": 1, "cpu_ms_total": 0, "cpu_ms_worst": 0}]}),
        ("MatchReport", {"seats": [{"rank": 1, "score": 1e13, "cpu_ms_total": 0, "cpu_ms_worst": 0}]}),
        ("MatchReport", {"platform_fault": {"kind": "no kind", "args": {}}}),
        ("BuildReport", {"entry": "main\x00.py"}),
        ("BuildReport", {"log": "x" * 80_001}),
        ("BuildReport", {"why": {"kind": "tar-link", "args": {"name": "\x00"}}}),
        ("BuildReport", {"artifact_digest": "g" * 64}),
        ("TryReport", {"verdict": "a verdict that is too long"}),
        ("FaultReport", {"exit_code": 2**33}),
        ("FaultReport", {"stderr": "\x00"}),
        ("WorkerBeat", {"processes": 1_025}),
        ("WorkerBeat", {"languages": ["python"] * 51}),
        ("WorkerBeat", {"self_test": "x" * 1_001}),
        ("LanguagesReport", {"worker": "\x9b31m"}),
        ("PlayJob", {"limits": {"memory_mib": 4_097}}),
        ("PlayJob", {"limits": {"time_percent": 10}}),
        ("PlayJob", {"more": 1}),
        ("TryJob", {"players": 9}),
        ("TryJob", {"seat": 8}),
        (
            "TableJob",
            {"real_time": {"start_seconds": 0, "operation_seconds": 0, "transition_seconds": 0, "idle_line": ""}},
        ),
    ],
)
def test_what_no_honest_sender_writes_is_no_message(name: str, fields: dict[str, Any]) -> None:
    """The attack: a worker that was taken over spoils logs and pages, or sends what no column of the database holds."""
    assert msgspec.json.decode(changed(name), type=types()[name])
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(changed(name, **fields), type=types()[name])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_no_number_is_infinite(number: str) -> None:
    text = changed("FaultReport", cpu_ms="CPU").replace(b'"CPU"', number.encode())
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(text, type=FaultReport)


def test_unicode_that_people_read_is_a_name() -> None:
    for worker in ("play@東京", "Ünïcode-9", "a b"):
        assert msgspec.json.decode(changed("MatchReport", worker=worker), type=MatchReport).worker == worker


def test_reports_need_few_fields() -> None:
    build = BuildReport(version_id=1, lease_token=TOKEN, worker="w")
    assert (build.failed_step, build.artifact_digest, build.platform_fault, build.lacks) == (None, None, None, "")
    tried = TryReport(try_id=1, lease_token=TOKEN, worker="w")
    assert (tried.turns, tried.seats, tried.log) == (0, [], "")
    assert msgspec.json.decode(msgspec.json.encode(tried), type=TryReport) == tried


def test_a_job_of_this_release_says_only_what_differs() -> None:
    job = msgspec.json.decode(make()["PlayJob"]["shortest"], type=PlayJob)
    assert job.limits == BotLimits()
    assert b"limits" not in msgspec.json.encode(job)
    wide = msgspec.structs.replace(job, limits=BotLimits(memory_mib=512))
    assert json.loads(msgspec.json.encode(wide))["limits"]["memory_mib"] == 512


@pytest.mark.parametrize(("text", "seconds"), [(None, 10.0), ("", 10.0), ("1", 1.0), ("2.5", 2.5), ("120", 120.0)])
def test_the_lease_may_be_chosen(monkeypatch: pytest.MonkeyPatch, text: str | None, seconds: float) -> None:
    monkeypatch.delenv("LEASE_SECONDS", raising=False)
    if text is not None:
        monkeypatch.setenv("LEASE_SECONDS", text)
    assert jobs._lease_seconds() == seconds


@pytest.mark.parametrize("text", ["0.5", "121", "-1", "ten", "nan"])
def test_a_lease_in_which_workers_could_not_work_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("LEASE_SECONDS", text)
    with pytest.raises(SystemExit, match=r"^LEASE_SECONDS is no number from 1 to 120; leave it out for 10"):
        jobs._lease_seconds()


def test_a_worker_renews_its_lease_well_before_it_ends() -> None:
    assert jobs.FIRST_HEARTBEAT_SECONDS < jobs.HEARTBEAT_SECONDS <= jobs.LEASE_SECONDS / 4
    assert 2 * jobs.BEAT_SECONDS <= jobs.LEASE_SECONDS


# --- Names of keys and queues ---------------------------------------------------------------------------------------


def test_each_host_has_keys_of_its_own() -> None:
    """The attack: a host writes into the match, or takes the answers, of another host's table."""
    made = {
        host: [
            live_key(TOKEN, host=host),
            seat_key(TOKEN, 1, host=host),
            answers_key(TOKEN, 1, host=host),
            f"{heartbeat_prefix(host)}x",
        ]
        for host in ("", "tokyo", "tokyo.2")
    }
    for host, keys in made.items():
        prefixes = live_prefix(host), seat_prefix(host), answers_prefix(host), heartbeat_prefix(host)
        assert all(key.startswith(prefix) for key, prefix in zip(keys, prefixes, strict=True))
        assert all(TOKEN not in key for key in keys)
    assert len({key for keys in made.values() for key in keys}) == 12
    assert seat_key(TOKEN, 1, host="") != seat_key(TOKEN, 2, host="") != answers_key(TOKEN, 2, host="")
    assert over_key(TOKEN).startswith(OVER_PREFIX)
    assert TOKEN not in over_key(TOKEN)


@pytest.mark.parametrize(
    ("user", "host", "guest"),
    [
        (f"{HOST_PREFIX}tokyo", "tokyo", False),
        (f"{GUEST_PREFIX}tokyo", "tokyo", True),
        ("player", "", False),
        ("", "", False),
        (f"{HOST_PREFIX}{GUEST_PREFIX}x", f"{GUEST_PREFIX}x", False),
    ],
)
def test_the_name_of_a_broker_user_tells_its_host(user: str, host: str, guest: bool) -> None:
    assert (host_of(user), is_guest(user)) == (host, guest)


def test_queues_for_own_hosts_are_none_of_the_others() -> None:
    assert len(OWN_QUEUES) == len(JOB_QUEUES)
    assert not {*OWN_QUEUES} & {*JOB_QUEUES, REPORT_QUEUE}


@pytest.mark.parametrize(
    ("url", "user"),
    [("redis://a%40b:secret@host/0", "a@b"), ("redis://host:6379/0", ""), ("redis://:secret@host/0", "")],
)
def test_the_user_of_a_broker_stands_in_its_url(url: str, user: str) -> None:
    assert broker_user(url) == user


# --- Tables ---------------------------------------------------------------------------------------------------------


def test_a_seat_is_told_questions_and_its_end() -> None:
    asked = Question(1, 3, ["go"], 1, [["a", "b"]], 30.0)
    for told in (asked, Out(4, "left", {"kind": "gave-up", "args": {}})):
        assert msgspec.json.decode(msgspec.json.encode(told), type=Told) == told
    assert (asked.tries, asked.refused, asked.cpu_ms) == (1, None, 0)


def test_an_answer_has_bounds() -> None:
    assert Answer(2, ["x"]) == msgspec.json.decode(b'{"number": 2, "lines": ["x"]}', type=Answer)
    assert Answer(0, leaves=True).lines == []
    for wrong in ({"number": -1}, {"number": 1, "lines": [""] * 101}, {"number": 1, "lines": "x"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(json.dumps(wrong).encode(), type=Answer)


def test_a_worker_names_no_more_files_than_pages_list() -> None:
    language = json.loads(make()["WorkingLanguage"]["longest"])
    report = {"worker": "w", "languages": [language | {"entries": ["main.py"] * (NAMES_MAX + 1)}]}
    with pytest.raises(msgspec.ValidationError, match=f"length <= {NAMES_MAX}"):
        msgspec.json.decode(json.dumps(report).encode(), type=LanguagesReport)
    beat = msgspec.json.decode(make()["WorkerBeat"]["shortest"], type=WorkerBeat)
    assert (beat.self_test, beat.canary_ms, beat.tables) == ("", None, 0)
