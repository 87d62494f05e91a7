"""The life of a try, message by message, and what its author is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.storage import storages
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from accounts.services.closing import account_close
from common.errors import IllegalTransition, InputError
from common.queries.cached import cached_clear
from contests.models import Contest, Member
from core.message import Message, said
from jobs.files.storage import ARTIFACTS, REPLAYS
from jobs.leases import ATTEMPTS_MAX
from jobs.models import Worker
from jobs.services import life
from jobs.services.dispatching import queue_dispatch
from ladder.models import BotVersion
from tests.contests.makers import make_contest
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_user
from tests.ladder.sweeps import Sweep, sweeper
from tests.matches.makers import finish_random_match, make_version
from tests.workshop.makers import FILES, WORKER, make_try, reached, report_of
from wire.jobs import TRY_TASK, FaultReport, SeatReport, TryJob
from workshop.models import Draft, Try
from workshop.selectors.tries import try_told
from workshop.services.drafts import draft_save
from workshop.services.keeping import KEPT_DAYS, tries_forget
from workshop.services.tries import TRIES, TryOpen, try_transition

pytestmark = pytest.mark.django_db(transaction=True)
State = Try.State


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[TryJob]:
    """The jobs that have been sent to workers."""
    jobs: list[TryJob] = []

    def send(_app: object, task: str, more: Sequence[TryJob], *, own: bool) -> None:
        assert task == TRY_TASK
        assert own is Try.objects.get(pk=more[0].try_id).contest.keeps_to_own_hosts
        jobs.extend(more)

    monkeypatch.setattr(life, "jobs_send", send)
    return jobs


def dispatched(sent: list[TryJob]) -> TryJob:
    """Hand out what waits, with one worker there, and return the last job."""
    if not Worker.objects.exists():
        now = timezone.now()
        row = {"host": "h", "version": "1", "backend": "bubblewrap", "cores": 1, "processes": 1}
        Worker.objects.create(name=WORKER, started_at=now, last_seen_at=now, **row)
    queue_dispatch()
    return sent[-1]


def url_of(name: str) -> str:
    """Return a url of the workshop of Kakomimasu."""
    return reverse(f"workshop:{name}", args=[Contest.objects.get(pk="kakomimasu")])


def ended(tried: Try, **fields: Any) -> Try:
    """Report the end of a try, and return it."""
    TRIES.record(report=report_of(tried, **fields))
    tried.refresh_from_db()
    return tried


def test_the_job_says_what_to_play(alice: User, sent: list[TryJob]) -> None:
    house = make_version("House")
    tried = make_try(alice, opponent=house.pk, seat=1, seed=7)
    job = dispatched(sent)
    assert (job.try_id, job.attempt, job.lease_token) == (tried.pk, 1, tried.lease_token)
    assert (job.name, job.game, job.language, job.seat, job.players) == ("alice", "kakomimasu", "python", 1, 2)
    assert (job.opponent.name, job.seed, job.played) == ("House", 7, [])
    assert storages[ARTIFACTS].exists(job.bundle_digest)


def test_a_played_try_tells_its_author_all(alice: User, sent: list[TryJob]) -> None:
    tried = make_try(alice)
    dispatched(sent)
    for step in ("fetch", "check"):
        reached(tried, step)
    tried.refresh_from_db()
    assert (tried.state, tried.step, tried.worker) == (State.RUNNING, "check", WORKER)
    told = try_told(tried=ended(tried))
    assert (told["state"], told["ranks"], told["seats"], told["why"]) == ("finished", [1, 2], ["alice"] * 2, "")
    assert tried.lease_token == ""


@pytest.mark.parametrize(
    ("visibility", "agrees", "kept"), [("private", False, True), ("private", True, False), ("unlisted", False, False)]
)
def test_a_host_of_others_sees_no_program_of_a_private_contest(
    alice: User, sent: list[TryJob], visibility: str, agrees: bool, kept: bool
) -> None:
    """Unless the organiser agrees. Without a host of the site's own it waits, and holds up nobody else's."""
    cached_clear()
    contest = make_contest(visibility=visibility, other_hosts=agrees)
    Member.objects.create(contest=contest, user=alice)
    make_worker(WORKER, broker_user="guest-far", processes=1)
    own = make_try(alice, contest=contest.pk)
    other = make_try(make_user("bob"))
    assert [job.try_id for job in sent] == ([other.pk] if kept else [own.pk, other.pk])
    make_worker("worker-2", processes=1)
    queue_dispatch()
    assert {job.try_id for job in sent} == {own.pk, other.pk}


def test_tries_count_in_the_quota_of_bytes(alice: User, sent: list[TryJob], settings: Settings) -> None:
    """The attack: somebody fills the disk with the replays and logs of tries."""
    first = make_try(alice)
    program = first.stored_bytes
    first = ended(first)
    files = sum(storages[REPLAYS].size(digest) for digest in (first.replay_digest, first.log_digest))
    assert first.stored_bytes == program + files + len("all well")
    settings.USER_BYTES_MAX = first.stored_bytes + program
    second = make_try(alice)
    ended(second)
    with pytest.raises(InputError, match="tries of the last days"):
        make_try(alice)
    make_try(make_user("bob"))
    Try.objects.filter(owner=alice).update(created_at=timezone.now() - timedelta(days=KEPT_DAYS + 1))
    assert tries_forget() == 2
    make_try(alice)


def test_a_fault_and_a_failed_build_mark_their_lines(alice: User, sent: list[TryJob]) -> None:
    traceback = 'Traceback:\n  File "/app/main.py", line 7, in <module>\n    1 / 0\nZeroDivisionError: division by zero'
    fault = FaultReport("crashed", said("It has ended."), 3, stderr=traceback)
    tried = make_try(alice)
    seats = [SeatReport(2, 0, 1, 1, fault), SeatReport(1, 1, 1, 1)]
    told = try_told(tried=ended(tried, seats=seats))
    mark = {"path": "/app/main.py", "line": 7, "column": 0, "text": "ZeroDivisionError: division by zero"}
    assert told["marks"] == [{**mark, "is_error": True}]
    assert (told["verdict"], told["turn"], told["why"]) == ("crashed", 3, "It has ended.")

    warned = "main.ts is taken.\nmain.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
    (mark,) = try_told(tried=ended(make_try(alice), log=warned))["marks"]
    assert (mark["path"], mark["line"], mark["is_error"]) == ("main.ts", 1, False), "it plays all the same"

    why, log = Message("build-invalid", {"language": "C++"}), "main.cpp:3:5: error: expected ';'"
    rejected = {"failed_step": "compile", "verdict": "compile error", "why": why, "log": log}
    tried = ended(make_try(alice), seats=[], turns=0, replay_digest=None, log_digest=None, **rejected)
    told = try_told(tried=tried)
    assert (told["state"], told["step"], told["verdict"]) == ("rejected", "compile", "compile error")
    assert [(mark["path"], mark["line"], mark["column"]) for mark in told["marks"]] == [("main.cpp", 3, 5)]
    assert told["why"]


def test_what_another_bot_wrote_is_not_stored_for_the_author(alice: User, sent: list[TryJob]) -> None:
    fault = FaultReport("crashed", said("It has ended."), 3, last_output="a secret", stderr="a secret")
    tried = ended(make_try(alice, seat=1), seats=[SeatReport(2, 0, 1, 1, fault), SeatReport(1, 1, 1, 1)])
    assert [seat["fault"] for seat in tried.seats] == [None, None]
    assert (try_told(tried=tried)["ranks"], try_told(tried=tried)["why"]) == ([2, 1], "")


def test_one_at_a_time(alice: User, sent: list[TryJob]) -> None:
    tried = make_try(alice)
    with pytest.raises(TryOpen):
        make_try(alice)
    make_try(make_user("bob"))
    ended(tried)
    make_try(alice)


def test_the_place_in_line_is_told(sent: list[TryJob]) -> None:
    waiting = [make_try(make_user(f"user{number}")) for number in range(3)]
    assert [try_told(tried=tried)["place"] for tried in waiting] == [0, 1, 2]


def test_the_time_until_it_begins_is_told_by_measured_speed(alice: User, sent: list[TryJob]) -> None:
    make_worker()
    measured = ended(make_try(alice))
    Try.objects.filter(pk=measured.pk).update(ended_at=measured.notified_at + timedelta(seconds=30))
    waiting = [make_try(make_user(f"user{number}")) for number in range(6)]
    told = [try_told(tried=tried)["seconds"] for tried in waiting]
    assert told == [0, 0, 15, 30, 45, 60], "two processes, 30 s each"
    make_version("Waits", state=BotVersion.State.UPLOADED)
    assert try_told(tried=waiting[-1])["seconds"] == 135, "builds take every other turn"
    Worker.objects.update(processes=0)
    assert try_told(tried=waiting[-1])["seconds"] is None, "no worker takes work"
    assert try_told(tried=measured)["seconds"] is None


def test_a_report_that_cannot_be_true_or_is_late_changes_nothing(alice: User, sent: list[TryJob]) -> None:
    tried = make_try(alice)
    dispatched(sent)
    first = report_of(tried)
    untrue = [{"seats": first.seats[:1]}, {"replay_digest": "0" * 64}, {"log_digest": None}]
    for number, fields in enumerate(untrue, start=1):
        assert ended(tried, **fields).state == (State.WAITING if number < ATTEMPTS_MAX else State.FAILED)
    TRIES.record(report=first)
    tried.refresh_from_db()
    assert (tried.state, tried.replay_digest, tried.attempt) == (State.FAILED, "", ATTEMPTS_MAX)
    assert try_told(tried=tried)["why"]


def test_a_silent_worker_and_a_lost_message_cost_one_attempt(
    alice: User, sent: list[TryJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep: Sweep = sweeper(monkeypatch, TRIES.sweep)
    tried = make_try(alice)
    dispatched(sent)
    reached(tried, "check")
    Try.objects.update(lease_ends_at=timezone.now() - timedelta(seconds=1))
    sweep()
    tried.refresh_from_db()
    assert (tried.state, tried.attempt) == (State.WAITING, 2)
    dispatched(sent)
    Try.objects.update(notified_at=timezone.now() - timedelta(seconds=60))
    sweep()
    sweep()
    assert [job.attempt for job in sent] == [1, 2, 2]


def test_an_attempt_of_a_worker_that_lacks_a_language_does_not_count(
    alice: User, sent: list[TryJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "language_elsewhere", lambda name, worker: True)
    tried = make_try(alice)
    for _ in range(ATTEMPTS_MAX + 1):
        tried = ended(tried, lacks="cpp", platform_fault=said("It has no compiler."))
        assert (tried.state, tried.attempt) == (State.WAITING, 1)
    assert ended(tried).state == State.FINISHED


def test_no_state_is_left_for_a_wrong_one(alice: User) -> None:
    tried = make_try(alice)
    try_transition(tried=tried, to=State.REJECTED)
    with pytest.raises(IllegalTransition):
        try_transition(tried=tried, to=State.RUNNING)
    with pytest.raises(IntegrityError):
        Try.objects.update(state="lost")


def test_it_plays_on_from_a_match_that_the_author_sees(alice: User, sent: list[TryJob]) -> None:
    match = finish_random_match("kakomimasu")
    client = Client()
    client.force_login(alice)
    body = {"language": "python", "files": FILES, "seat": 1.0, "played": {"match": match.pk, "turn": 4.0}}
    url = reverse("workshop:try_begin", args=[match.contest])
    answer = client.post(url, body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    job = dispatched(sent)
    assert (job.seed, len(job.played), sorted(job.played[0])) == (match.seed, 3, [0, 1, 2, 3])
    tried = ended(Try.objects.get())
    Try.objects.update(turns=match.result.turns, replay_digest=match.result.replay_digest)
    again = client.post(url, {**body, "played": {"try": tried.pk, "turn": 2}}, content_type="application/json")
    assert again.status_code == 201, again.content
    assert len(dispatched(sent).played) == 1
    for origin in ({"match": 10**9, "turn": 1}, {"match": match.pk, "turn": 10_000}, {"try": 10**30, "turn": 1}):
        refused = client.post(url, {**body, "played": origin}, content_type="application/json")
        assert refused.status_code == 400


def test_nobody_else_sees_a_try(alice: User, sent: list[TryJob]) -> None:
    tried = ended(make_try(alice))
    names = ("try", "try_live", "try_replay", "try_turns")
    urls = [reverse(f"workshop:{name}", args=[tried.pk]) for name in names]
    alices, bobs = Client(), Client()
    alices.force_login(alice)
    bobs.force_login(make_user("bob"))
    assert [alices.get(url).status_code for url in urls] == [200] * 4
    assert [bobs.get(url).status_code for url in urls] == [404] * 4
    turns = alices.get(urls[3]).json()
    assert [turn["stderr"] for turn in turns] == ["of 0"], "not what the opponent wrote"


BAD: dict[str, Any] = {
    "no file": {"files": {}},
    "too many files": {"files": {f"{number}.py": "" for number in range(40)}},
    "a large file": {"files": {"main.py": "x" * 600_000}},
    "a path that leads out": {"files": {"../main.py": "x"}},
    "NUL": {"files": {"main.py": "\0"}},
    "half a character": {"files": {"main.py": "\ud800"}},
    "no such seat": {"seat": 2},
    "no such opponent": {"opponent": 10**6},
    "no language of the arena": {"language": "klingon"},
    "a long language": {"language": "x" * 10_000},
    "a seed that no column holds": {"seed": 10**18},
    "a seed below 0": {"seed": -1},
    "another field": {"color": "red"},
    "files of another kind": {"files": ["main.py"]},
}


@pytest.mark.parametrize("changes", BAD.values(), ids=list(BAD))
def test_bad_requests_are_refused_with_a_sentence(alices: Client, changes: dict[str, Any]) -> None:
    body = {"language": "python", "files": FILES, "seat": 0, **changes}
    answer = alices.post(url_of("try_begin"), body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")
    assert not Try.objects.exists()


def test_who_may_not_upload_may_not_try(alice: User) -> None:
    paused = make_contest("cup", state=Contest.State.PAUSED)
    with pytest.raises(InputError):
        make_try(alice, contest=paused.pk)
    alice.uploads_stopped = "spam"
    alice.save()
    with pytest.raises(InputError, match="spam"):
        make_try(alice)


def test_nothing_is_kept_for_an_account_that_was_closed_meanwhile(alice: User, sent: list[TryJob]) -> None:
    tried = make_try(alice)
    account_close(user=alice, actor=alice)
    with pytest.raises(InputError, match="closed"):
        make_try(alice)
    draft_save(owner=alice, contest=tried.contest, language="python", files=FILES)
    assert not Try.objects.exists()
    assert not Draft.objects.exists()
    assert not storages[ARTIFACTS].exists(tried.bundle_digest)
    sent.clear()
    TRIES.notify([tried.pk])
    assert not sent


def test_old_tries_go_with_their_files(alice: User, sent: list[TryJob], monkeypatch: pytest.MonkeyPatch) -> None:
    old, other = ended(make_try(alice)), ended(make_try(make_user("bob")))
    Try.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=KEPT_DAYS, seconds=1))
    assert tries_forget() == 1
    assert storages[REPLAYS].exists(other.replay_digest), "another try has the same replay"
    Try.objects.update(created_at=timezone.now() - timedelta(days=KEPT_DAYS, seconds=1))
    with monkeypatch.context() as away:
        away.setattr(type(storages[REPLAYS]), "delete", Mock(side_effect=OSError("The bucket is away.")))
        with pytest.raises(OSError, match="away"):
            tries_forget()
    assert tries_forget() == 1
    assert not storages[REPLAYS].exists(other.replay_digest)
    assert not storages[ARTIFACTS].exists(other.bundle_digest)
    assert tries_forget() == 0


def test_drafts_are_kept_and_files_are_submitted(alices: Client) -> None:
    urls = {name: url_of(name) for name in ("draft", "submit")}
    for revision, text in enumerate(("one", "two")):
        body = {"language": "python", "files": {"main.py": text}}
        saved = alices.post(urls["draft"], {**body, "revision": revision}, content_type="application/json")
        assert saved.json() == {"revision": revision + 1}
    assert [draft.files for draft in Draft.objects.all()] == [{"main.py": "two"}]
    answer = alices.post(urls["submit"], {**body, "name": "Hana"}, content_type="application/json")
    assert answer.status_code == 201
    version = BotVersion.objects.get()
    assert (version.bot.name, version.language, version.number) == ("Hana", "python", 1)
    assert answer.json()["url"] == reverse("ladder:version", args=[version.pk])
    again = alices.post(urls["submit"], {**body, "name": "Hana"}, content_type="application/json")
    assert again.status_code == 400, "the same program"
    for url in urls.values():
        told = alices.post(url, {**body, "name": "Hana", "language": "x" * 30}, content_type="application/json")
        assert told.status_code == 400
