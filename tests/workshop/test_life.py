"""A try on its way through the queue: its states, its job, what workers report of it, and when it begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.utils import timezone
from structlog.testing import capture_logs

from accounts.models import User
from common.errors import IllegalTransition, InputError
from common.queries.cached import cached_clear
from contests.models import Member
from contests.selectors.contests import bot_limits
from core.message import Message, said, stored
from exhibitions.selectors.played import answers_taken
from jobs.fairness import TRY
from jobs.files.storage import ARTIFACTS
from jobs.leases import ATTEMPTS_MAX, ATTEMPTS_MEMORY_MAX
from jobs.models import Worker
from ladder.models import BotVersion
from matches.encounters import SEEDS
from tests.contests.makers import make_contest
from tests.fleet.makers import make_worker
from tests.ladder import makers
from tests.matches.makers import finish_random_match, make_version
from tests.words import english
from tests.workshop.makers import WORKER, make_try, reached, report_of
from wire.jobs import MEMORY, FaultReport, SeatReport, TryJob, TryProgress
from workshop.models import Try
from workshop.selectors.origins import Origin
from workshop.selectors.tries import try_told
from workshop.services.tries import TRIES, TryOpen, try_transition

pytestmark = pytest.mark.django_db
State = Try.State
ALLOWED = {
    (State.WAITING, State.RUNNING),
    (State.RUNNING, State.WAITING),
    *((before, after) for before in Try.OPEN for after in (State.FINISHED, State.REJECTED, State.FAILED)),
}
REJECTED: dict[str, Any] = {
    "failed_step": "compile",
    "verdict": "compile error",
    "why": Message("build-invalid", {"language": "C++"}),
    "seats": [],
    "turns": 0,
    "replay_digest": None,
    "log_digest": None,
}


def job_of(tried: Try) -> TryJob:
    """Return the message that a worker would get for a try."""
    with transaction.atomic():
        rows = list(TRIES.lock(TRIES.queued.filter(pk=tried.pk)))
    job = TRIES.messages(rows)[tried.pk]
    assert isinstance(job, TryJob)
    return job


def recorded(tried: Try, **fields: Any) -> Try:
    """Report how the current attempt of a try has ended, and return the try."""
    TRIES.record(report=report_of(tried, **fields))
    tried.refresh_from_db()
    return tried


def in_flight() -> Iterable[tuple[int, bool]]:
    return sorted((job.pk, is_sent) for job, is_sent in TRIES.in_flight())


# --- States ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", State)
@pytest.mark.parametrize("after", State)
def test_a_try_goes_only_where_it_may(alice: User, before: State, after: State) -> None:
    tried = make_try(alice)
    tried.state, tried.lease_ends_at = before, timezone.now()
    if (before, after) not in ALLOWED:
        with pytest.raises(IllegalTransition, match=f"cannot go from {before} to {after}"):
            try_transition(tried=tried, to=after)
        assert tried.state == before
        return
    try_transition(tried=tried, to=after)
    is_open = after in Try.OPEN
    assert (tried.state, tried.ended_at is None, tried.lease_token != "") == (after, is_open, is_open)


def test_the_database_knows_no_second_open_try_of_an_owner(alice: User) -> None:
    first = make_try(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Try.objects.create(owner=alice, contest=first.contest, seat=0, players=2, seed=1, options={}, rules_version="1")
    recorded(first)
    assert make_try(alice).pk > first.pk


def test_the_database_knows_no_played_try_without_a_replay(alice: User) -> None:
    make_try(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Try.objects.update(state=State.FINISHED)


# --- Beginning ------------------------------------------------------------------------------------------------------


def test_a_try_begins_with_a_lease_and_its_files_are_stored(alice: User) -> None:
    tried = make_try(alice, seed=7)
    assert (tried.state, tried.attempt, tried.lease_ends_at, tried.notified_at) == (State.WAITING, 1, None, None)
    assert storages[ARTIFACTS].size(tried.bundle_digest) == tried.stored_bytes
    assert (tried.players, tried.seed, tried.played, tried.opponent) == (2, 7, [], None)
    assert in_flight() == [(tried.pk, False)]


@pytest.mark.parametrize("seed", [0, SEEDS - 1])
def test_the_first_and_the_last_seed_are_taken(alice: User, seed: int) -> None:
    assert make_try(alice, seed=seed).seed == seed


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"seed": SEEDS}, "Please choose a seed from 0 to"),
        ({"seed": -1}, "Please choose a seed from 0 to"),
        ({"seat": -1}, "This match has 2 seats, numbered from 0"),
        ({"seat": 2}, "This match has 2 seats, numbered from 0"),
        ({"opponent": 0}, "This bot does not play just now"),
        ({"language": "klingon"}, "This contest takes bots in"),
        ({"files": {"a/../b.py": ""}}, "leads out of the archive"),
        ({"contest": "unknown"}, "There is no such contest here"),
        ({"contest": "\0"}, "There is no such contest here"),
    ],
)
def test_what_cannot_be_tried_leaves_no_row(alice: User, fields: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        make_try(alice, **fields)
    assert not Try.objects.exists()


@pytest.mark.parametrize("state", [state for state in BotVersion.State if state != BotVersion.State.ACTIVE])
def test_only_a_bot_that_plays_is_an_opponent(alice: User, state: str) -> None:
    rival = make_version("Rival", state=state)
    with pytest.raises(InputError, match="it has no active version"):
        make_try(alice, opponent=rival.pk)


def test_a_bot_of_another_contest_is_no_opponent(alice: User) -> None:
    spring = make_contest(visibility="public")
    elsewhere = makers.make_version(
        makers.Bot.objects.create(owner=alice, contest=spring, game=spring.game, name="Elsewhere")
    )
    with pytest.raises(InputError, match="it has no active version"):
        make_try(alice, opponent=elsewhere.pk)
    assert make_try(alice, contest=spring.pk, opponent=elsewhere.pk).opponent == elsewhere


def test_an_open_try_is_named_before_the_quota(alice: User) -> None:
    make_try(alice)
    alice.uploads_stopped = "spam"
    alice.save()
    with pytest.raises(InputError, match="Their reason: spam"):
        make_try(alice)
    alice.uploads_stopped = ""
    alice.save()
    with pytest.raises(TryOpen, match="Your last try has not ended"):
        make_try(alice)


# --- The job --------------------------------------------------------------------------------------------------------


def test_the_job_has_the_rules_and_limits_of_its_contest(alice: User) -> None:
    spring = make_contest(languages=["python", "cpp"], limits={"memory_mib": 300}, options={"board": "A-1"})
    Member.objects.create(contest=spring, user=alice)
    tried = make_try(alice, contest=spring.pk, language="", seat=1)
    job = job_of(tried)
    assert (job.languages, job.limits, job.language) == (["python", "cpp"], bot_limits(contest=spring), None)
    assert (job.options["board"], job.limits.memory_mib, job.seat, job.opponent) == ("A-1", 300, 1, None)
    assert (job.bundle_digest, job.name, job.game) == (tried.bundle_digest, "alice", "kakomimasu")
    assert (job.attempt, job.lease_token) == (1, tried.lease_token)


def test_the_job_of_a_try_that_plays_on_has_the_answers_before(alice: User) -> None:
    match = finish_random_match("kakomimasu")
    result = match.result
    origin = Origin(
        result.replay_digest, match.rules_version, match.options, match.seed, match.seats.count(), result.turns, 4
    )
    job = job_of(make_try(alice, seat=1, origin=origin, seed=99))
    assert job.played == answers_taken(
        game="kakomimasu",
        rules_version=match.rules_version,
        digest=result.replay_digest,
        turns=result.turns,
        turn=4,
    )
    assert (job.seed, job.players, job.options) == (match.seed, match.seats.count(), match.options), "not its own"
    assert all(isinstance(seat, int) for turn in job.played for seat in turn)


@pytest.mark.parametrize(
    ("turn", "rules", "why"),
    [(0, "", "Please choose one of them"), (10_000, "", "Please choose one of them"), (1, "old", "rules of the game")],
)
def test_a_turn_that_cannot_be_played_on_is_refused(alice: User, turn: int, rules: str, why: str) -> None:
    match = finish_random_match("kakomimasu")
    result = match.result
    origin = Origin(
        result.replay_digest, rules or match.rules_version, match.options, match.seed, 2, result.turns, turn
    )
    with pytest.raises(InputError, match=why):
        make_try(alice, origin=origin)


def test_jobs_of_private_contests_and_owners_are_told_apart(alice: User) -> None:
    spring = make_contest()
    Member.objects.create(contest=spring, user=alice)
    cached_clear()
    hidden, public = make_try(alice, contest=spring.pk), make_try(makers.make_user("bob"))
    jobs = {job.pk: job for job, _is_sent in TRIES.in_flight()}
    assert (jobs[hidden.pk].is_own, jobs[public.pk].is_own) == (True, False)
    assert jobs[hidden.pk].holders == {f"builds of {alice.pk}"}
    assert {job.queue_class for job in jobs.values()} == {TRY}
    assert all(job.is_program and not job.is_build for job in jobs.values())
    assert list(TRIES.queued.filter(TRIES.own)) == [hidden]


# --- What workers report --------------------------------------------------------------------------------------------


def test_a_step_renews_the_lease_and_an_old_token_changes_nothing(alice: User) -> None:
    tried = make_try(alice)
    reached(tried, "fetch")
    tried.refresh_from_db()
    first = tried.lease_ends_at
    assert (tried.state, tried.step, tried.worker) == (State.RUNNING, "fetch", WORKER)
    assert first is not None
    reached(tried, "check", "worker-2")
    tried.refresh_from_db()
    assert (tried.step, tried.worker, tried.lease_ends_at >= first) == ("check", "worker-2", True)
    TRIES.heartbeat(report=TryProgress(tried.pk, "0" * 32, "compile", WORKER))
    TRIES.heartbeat(report=TryProgress(tried.pk + 1, tried.lease_token, "compile", WORKER))
    tried.refresh_from_db()
    assert tried.step == "check"


UNTRUE: dict[str, tuple[dict[str, Any], str]] = {
    "too few seats": ({"seats": [SeatReport(1, 1.0, 1.0, 1.0)]}, "report-seats"),
    "an unknown verdict": (
        {"seats": [SeatReport(2, 0, 1, 1, FaultReport("bored", said("x"), 1)), SeatReport(1, 1, 1, 1)]},
        "report-verdict",
    ),
    "no replay": ({"replay_digest": None}, "report-no-replay"),
    "a replay that is not stored": ({"replay_digest": "0" * 64}, "report-no-replay"),
    "a log that is not stored": ({"log_digest": "0" * 64}, "report-no-replay"),
}


@pytest.mark.parametrize("case", UNTRUE)
def test_a_report_that_cannot_be_true_costs_an_attempt(alice: User, case: str) -> None:
    fields, kind = UNTRUE[case]
    tried = make_try(alice)
    report = report_of(tried, **fields)
    found = TRIES.problem(tried, report)
    assert found is not None
    assert found.kind == kind
    token = tried.lease_token
    TRIES.record(report=report)
    tried.refresh_from_db()
    assert (tried.state, tried.attempt, tried.step) == (State.WAITING, 2, "")
    assert tried.lease_token not in ("", token)


def test_a_report_of_a_failed_build_needs_no_match(alice: User) -> None:
    tried = make_try(alice, language="")
    assert TRIES.problem(tried, report_of(tried, **REJECTED)) is None
    tried = recorded(tried, **REJECTED, language="cpp", log="main.cpp:1:1: error: no")
    assert (tried.state, tried.step, tried.verdict, tried.language) == (
        State.REJECTED,
        "compile",
        "compile error",
        "cpp",
    )
    assert (tried.replay_digest, tried.log_digest, tried.seats, tried.turns) == ("", "", [], 0)
    assert english(tried.reason) in str(try_told(tried=tried)["why"])


def test_the_end_is_recorded_once(alice: User) -> None:
    tried = make_try(alice)
    first = report_of(tried)
    assert TRIES.record(report=first) is not None
    assert TRIES.record(report=msgspec.structs.replace(first, turns=1)) is None
    tried.refresh_from_db()
    assert (tried.state, tried.turns, tried.ended_at is not None) == (State.FINISHED, first.turns, True)
    assert in_flight() == []


def test_the_language_that_the_builder_found_is_kept(alice: User) -> None:
    assert recorded(make_try(alice, language=""), language="python").language == "python"
    assert recorded(make_try(alice, language="python"), language="").language == "python"


def test_a_log_with_half_a_character_is_counted_and_kept(alice: User) -> None:
    tried = make_try(alice)
    before = tried.stored_bytes
    tried = recorded(tried, **REJECTED, log="日本")
    assert tried.stored_bytes == before + len("日本".encode())


def test_the_platform_fails_three_times_and_says_so(alice: User) -> None:
    tried = make_try(alice)
    fault = said("The engine is away.")
    for attempt in range(1, ATTEMPTS_MAX):
        assert recorded(tried, platform_fault=fault).attempt == attempt + 1
        assert tried.state == State.WAITING
        assert tried.held_until is None, "its author waits for it"
    with capture_logs() as logs:
        tried = recorded(tried, platform_fault=fault)
    assert (tried.state, tried.attempt, tried.lease_token) == (State.FAILED, ATTEMPTS_MAX, "")
    assert tried.reason == stored(Message("version-platform-failed", {"times": ATTEMPTS_MAX, "why": stored(fault)}))
    assert "The engine is away." in try_told(tried=tried)["why"]
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == ["try_attempt_failed"]


def test_memory_is_waited_for_longer(alice: User) -> None:
    tried = make_try(alice)
    for _ in range(ATTEMPTS_MEMORY_MAX - 1):
        tried = recorded(tried, lacks=MEMORY, platform_fault=said("No memory."))
        assert tried.state == State.WAITING
    assert recorded(tried, lacks=MEMORY, platform_fault=said("No memory.")).state == State.FAILED


def test_a_worker_in_quarantine_uses_up_no_attempt(alice: User) -> None:
    make_worker(WORKER, state=Worker.State.QUARANTINED)
    tried = make_try(alice)
    for _ in range(ATTEMPTS_MAX + 1):
        tried = recorded(tried)
        assert (tried.state, tried.attempt, tried.replay_digest) == (State.WAITING, 1, "")
    reached(tried, "fetch")
    tried.refresh_from_db()
    assert (tried.state, tried.worker) == (State.WAITING, "")


def test_what_a_distrusted_worker_has_is_taken_back(alice: User) -> None:
    first, second = make_try(alice), make_try(makers.make_user("bob"))
    reached(first, "check")
    reached(second, "check", "worker-2")
    assert TRIES.take_back_all(worker=WORKER) == 1
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.attempt, second.state) == (State.WAITING, 1, State.RUNNING)


def test_seats_are_named_by_author_and_opponent(alice: User) -> None:
    rival = make_version("Rival")
    assert try_told(tried=make_try(alice, seat=1, opponent=rival.pk))["seats"] == ["Rival", "alice"]
    Try.objects.update(opponent=None)
    assert try_told(tried=Try.objects.get())["seats"] == ["alice", "alice"], "the bot was deleted since"
