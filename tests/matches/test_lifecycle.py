"""The life of a match, message by message: in whatever order messages arrive, it ends once."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from common.errors import IllegalTransition
from core.message import Message, said
from games.registry import game_named
from jobs import sending
from jobs.leases import ATTEMPTS_MAX, JOB_LIFE_SECONDS_MAX
from matches.models import Attempt, Match, Result, Seat
from matches.services import lifecycle, match_jobs
from matches.services.lifecycle import match_transition, match_void
from matches.services.match_jobs import MATCHES
from matches.services.reruns import match_rerun
from tests.ladder.sweeps import Sweep, database_away, sweeper
from tests.managing import site_sends_to
from tests.matches.makers import make_match, make_running, make_version, with_replay
from tests.words import english
from wire.jobs import FaultReport, Heartbeat, MatchReport, PlayJob, SeatReport, WireMessage
from wire.transport import JOB_EXPIRES_SECONDS

pytestmark = [pytest.mark.database, pytest.mark.django_db]

State, Ending = Match.State, Attempt.Ending


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[PlayJob]:
    """The jobs that have been sent to the broker."""
    jobs: list[PlayJob] = []

    def send(app: object, task: str, message: WireMessage, **_: object) -> None:
        assert task == "workers.play_match"
        jobs.append(msgspec.convert(msgspec.to_builtins(message), PlayJob))

    monkeypatch.setattr(sending, "send", send)
    return jobs


@pytest.fixture
def match(sent: list[PlayJob], commit: DjangoCaptureOnCommitCallbacks) -> Match:
    """A match that has been handed out for the first time."""
    match = make_match(make_version("ant", language="python", entry="main.py"), make_version("bee"))
    with commit(execute=True):
        MATCHES.requeue(match)
    match.refresh_from_db()
    return match


@pytest.fixture
def commit(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> DjangoCaptureOnCommitCallbacks:
    return django_capture_on_commit_callbacks


@pytest.fixture
def sweep(monkeypatch: pytest.MonkeyPatch) -> Sweep:
    """The sweeper, given the length of the queue that it would have asked the broker for."""
    return sweeper(monkeypatch, MATCHES.sweep)


def result_of(match: Match, **changes: object) -> MatchReport:
    """The report of a worker that has played the current attempt: seat 0 has won."""
    seats = [SeatReport(1, 10.0, 100.0, 9.0), SeatReport(2, 5.0, 90.0, 8.0)]
    report = MatchReport(match.pk, match.attempt, match.lease_token, "worker-1", 30, seats, None)
    return with_replay(match, msgspec.structs.replace(report, **changes))


def silence(match: Match) -> None:
    """Make the lease of a match run out."""
    Match.objects.filter(pk=match.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))


def endings(match: Match) -> list[str]:
    return list(match.attempts.values_list("ending", flat=True))


def test_a_match_is_handed_out_when_the_transaction_is_committed(match: Match, sent: list[PlayJob]) -> None:
    job = sent[0]
    assert (job.match_id, job.attempt, job.lease_token) == (match.pk, 1, match.lease_token)
    assert [(seat.name, seat.version) for seat in job.seats] == [("ant", "1"), ("bee", "1")]
    assert (job.seats[0].language, job.seats[0].entry) == ("python", "main.py")
    assert match.attempts.get().lease_token == match.lease_token
    assert match.state == State.QUEUED


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_of_a_transaction_that_failed(sent: list[PlayJob]) -> None:
    match = make_match(make_version("ant"), make_version("bee"))

    @transaction.atomic
    def fail() -> None:
        MATCHES.requeue(match)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert sent == []
    assert not match.attempts.exists()


@pytest.mark.django_db(transaction=True)
def test_enqueueing_succeeds_while_the_broker_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(sending, "send", away)
    match = make_match(make_version("ant"), make_version("bee"))
    MATCHES.requeue(match)
    match.refresh_from_db()
    assert (match.state, match.attempt) == (State.QUEUED, 1)


def test_a_worker_that_starts_gets_a_lease_and_renews_it(match: Match) -> None:
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    match.refresh_from_db()
    assert match.state == State.RUNNING
    assert match.started_at == match.attempts.get().started_at is not None
    assert match.attempts.get().worker == "worker-1"
    silence(match)
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    match.refresh_from_db()
    assert match.lease_ends_at > timezone.now()


def test_a_worker_that_never_ends_a_match_loses_it(match: Match, sweep: Sweep) -> None:
    """The attack: it sends heartbeats for ever, so that the match is never played."""
    over_at = timezone.now() - timedelta(seconds=JOB_LIFE_SECONDS_MAX)
    Match.objects.filter(pk=match.pk).update(notified_at=over_at + timedelta(seconds=60))
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    sweep()
    match.refresh_from_db()
    assert match.state == State.RUNNING
    Match.objects.filter(pk=match.pk).update(notified_at=over_at)
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    sweep()
    match.refresh_from_db()
    assert (match.state, endings(match)) == (State.QUEUED, [Ending.LOST, ""])


@pytest.mark.parametrize(
    ("seconds", "started"), [(20.0, 20.0), (3_000.0, 60.0)], ids=["as reported", "not before it was queued"]
)
@pytest.mark.parametrize("told_by", ["heartbeat", "result"])
def test_when_a_match_was_started(match: Match, told_by: str, seconds: float, started: float) -> None:
    match.attempts.update(queued_at=timezone.now() - timedelta(seconds=60))
    if told_by == "heartbeat":
        MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1", seconds))
        MATCHES.record(report=result_of(match))
    else:
        MATCHES.record(report=result_of(match, seconds=seconds))
    match.refresh_from_db()
    ago = timezone.now() - match.attempts.get().started_at
    assert ago.total_seconds() == pytest.approx(started, abs=5)
    assert match.started_at == match.attempts.get().started_at


@pytest.mark.parametrize("started", [True, False], ids=["after start", "before start"])
def test_a_result_is_committed(match: Match, started: bool) -> None:
    if started:
        MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    fault = FaultReport("crashed", Message("bot-exited", {"code": 1}), 3, exit_code=1, stderr="oh")
    seats = [SeatReport(1, 10.0, 100.0, 9.0), SeatReport(2, 5.0, 90.0, 8.0, fault)]
    report = result_of(match, seats=seats, log_digest="e" * 64)
    MATCHES.record(report=report)
    match.refresh_from_db()
    assert match.state == State.FINISHED
    assert match.lease_token == ""
    assert match.finished_at is not None
    assert (match.result.replay_digest, match.result.log_digest) == (report.replay_digest, "e" * 64)
    assert match.result.attempt.ending == Ending.RESULT
    winner, loser = match.seats.all()
    assert (winner.rank, winner.score, winner.cpu_ms_total, winner.cpu_ms_worst) == (1, 10.0, 100.0, 9.0)
    assert (winner.verdict, winner.evidence) == ("", {})
    assert (loser.rank, loser.verdict) == (2, "crashed")
    assert (loser.evidence["stderr"], loser.evidence["turn"], loser.evidence["exit_code"]) == ("oh", 3, 1)


def test_a_result_that_comes_twice_counts_once(match: Match) -> None:
    for _ in range(3):
        MATCHES.record(report=result_of(match))
    MATCHES.heartbeat(report=Heartbeat(match.pk, "", "worker-1"))  # no token is not the token of what has ended
    match.refresh_from_db()
    assert (match.state, match.lease_token, match.lease_ends_at) == (State.FINISHED, "", None)
    assert Result.objects.filter(match=match).count() == 1
    assert endings(match) == [Ending.RESULT]


def test_the_database_refuses_a_second_result(match: Match) -> None:
    MATCHES.record(report=result_of(match))
    other = Attempt.objects.create(match=match, number=2, lease_token="c" * 32)
    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(match=match, attempt=other, turns=1, replay_digest="d" * 64)


def test_a_late_result_is_kept_at_its_attempt_and_counts_nowhere(match: Match, sweep: Sweep) -> None:
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    late = result_of(match)
    silence(match)
    sweep()
    match.refresh_from_db()
    MATCHES.record(report=late)
    assert endings(match) == [Ending.LATE, ""]
    assert not Result.objects.exists()
    MATCHES.record(report=result_of(match, worker="worker-2"))
    MATCHES.record(report=late)
    assert endings(match) == [Ending.LATE, Ending.RESULT]
    assert match.attempts.get(number=2).worker == "worker-2"


def test_a_late_heartbeat_is_ignored(match: Match, sweep: Sweep) -> None:
    old = match.lease_token
    MATCHES.heartbeat(report=Heartbeat(match.pk, old, "worker-1"))
    silence(match)
    sweep()
    MATCHES.heartbeat(report=Heartbeat(match.pk, old, "worker-1"))
    MATCHES.heartbeat(report=Heartbeat(match.pk, old, "worker-1"))
    match.refresh_from_db()
    assert match.state == State.QUEUED


def test_a_platform_fault_requeues_the_match(
    match: Match, sent: list[PlayJob], commit: DjangoCaptureOnCommitCallbacks
) -> None:
    with commit(execute=True):
        MATCHES.record(report=result_of(match, platform_fault=said("The disk is full."), turns=0, seats=[]))
    match.refresh_from_db()
    assert (match.state, match.attempt) == (State.QUEUED, 2)
    assert english(match.attempts.get(number=1).reason) == "The disk is full."
    assert [job.attempt for job in sent] == [1, 2]
    assert sent[0].lease_token != sent[1].lease_token


def test_a_match_in_which_a_bot_waited_is_held_once_and_nobodys_fault(
    match: Match, monkeypatch: pytest.MonkeyPatch, commit: DjangoCaptureOnCommitCallbacks
) -> None:
    """No bot is missing, so the store is not searched. A worker that reports so for ever does not keep the match."""
    looked_for: list[list[int]] = []
    monkeypatch.setattr(match_jobs, "versions_lost_rebuild", lambda *, pks: looked_for.append(pks))
    for ending, held, looks in [(Ending.WITHDRAWN, True, 0), (Ending.PLATFORM_FAULT, False, 1)]:
        with commit(execute=True):
            MATCHES.record(report=result_of(match, platform_fault=said("A bot waited."), seats=[], turns=9))
        match.refresh_from_db()
        assert match.attempts.get(number=match.attempt - 1).ending == ending
        assert (match.held_until is not None, len(looked_for)) == (held, looks)


@pytest.mark.parametrize(
    ("ending", "reason"), [(Ending.PLATFORM_FAULT, "The disk is full."), (Ending.LOST, "no sign of life")]
)
def test_after_so_many_attempts_a_match_is_void(match: Match, sweep: Sweep, ending: str, reason: str) -> None:
    for _ in range(ATTEMPTS_MAX):
        match.refresh_from_db()
        MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
        if ending == Ending.LOST:
            silence(match)
            sweep()
        else:
            MATCHES.record(report=result_of(match, platform_fault=said(reason), turns=0, seats=[]))
    match.refresh_from_db()
    assert match.state == State.VOID
    assert reason in english(match.void_reason)
    assert endings(match) == [ending] * ATTEMPTS_MAX
    assert not Result.objects.exists()
    assert not Seat.objects.filter(rank__isnull=False).exists()


def test_no_lease_expires_while_heartbeats_could_not_arrive(match: Match, sweep: Sweep) -> None:
    """The broker or the site was away: each running match gets a whole new lease."""
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    silence(match)
    sweep(listened=False)
    match.refresh_from_db()
    assert match.state == State.RUNNING
    assert match.lease_ends_at is not None
    assert match.lease_ends_at > timezone.now()
    silence(match)
    sweep()
    assert endings(match) == [Ending.LOST, ""]


@pytest.mark.parametrize("fails_at", ["SELECT", "UPDATE"])
def test_a_sweep_that_did_not_reach_the_database_has_not_listened(fails_at: str, match: Match, broker_url: str) -> None:
    """The database was away for longer than a lease: no heartbeat could be recorded."""
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    silence(match)

    with site_sends_to(broker_url):
        with database_away(fails_at), pytest.raises(OperationalError):
            MATCHES.sweep()
        MATCHES.sweep()
        match.refresh_from_db()
        assert match.state == State.RUNNING
        silence(match)
        MATCHES.sweep()
    assert endings(match) == [Ending.LOST, ""]


def test_a_match_that_has_waited_for_an_upgrade_is_played_by_the_new_rules(
    match: Match, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = result_of(match)
    running = make_running()
    Match.objects.filter(pk=running.pk).update(lease_ends_at=timezone.now() + timedelta(minutes=1))
    monkeypatch.setattr(type(game_named(match.game)), "rules_version", "9")
    for _ in range(2):
        sweep()
    match.refresh_from_db()
    running.refresh_from_db()
    assert endings(match) == [Ending.WITHDRAWN, ""]
    assert (match.state, match.rules_version, match.attempt) == (State.QUEUED, "9", 2)
    assert (running.state, running.rules_version) == (State.RUNNING, "1")
    MATCHES.record(report=before)
    assert not Result.objects.filter(match=match).exists()
    MATCHES.record(report=result_of(match))
    match.refresh_from_db()
    assert (match.state, match.rules_version) == (State.FINISHED, "9")


def test_a_rerun_that_has_waited_for_an_upgrade_becomes_void(
    match: Match, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    MATCHES.record(report=result_of(match))
    match.refresh_from_db()
    rerun = match_rerun(match=match)
    monkeypatch.setattr(type(game_named(match.game)), "rules_version", "9")
    sweep()
    rerun.refresh_from_db()
    assert (rerun.state, english(rerun.void_reason)) == (State.VOID, "The rules of its game have changed.")
    assert endings(rerun) == [Ending.WITHDRAWN]


@pytest.mark.parametrize("state", [State.RUNNING, State.QUEUED], ids=["a heartbeat", "another sweeper"])
def test_what_overtakes_the_sweeper_saves_the_match(match: Match, state: Match.State) -> None:
    if state == State.RUNNING:
        MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    MATCHES.lost(match.pk)
    match.refresh_from_db()
    assert (match.state, match.attempt) == (state, 1)


@pytest.mark.parametrize(
    ("sent_seconds_ago", "waiting", "sent_again"),
    [(300, 0, True), (1, 0, False), (300, 1, False), (JOB_EXPIRES_SECONDS + 60, 1, True), (-3_600, 0, True)],
    ids=["message lost", "just sent", "message waits", "message expired", "clock set back"],
)
def test_a_lost_message_is_sent_again(
    match: Match,
    sweep: Sweep,
    sent: list[PlayJob],
    commit: DjangoCaptureOnCommitCallbacks,
    sent_seconds_ago: int,
    waiting: int,
    sent_again: bool,
) -> None:
    Match.objects.update(notified_at=timezone.now() - timedelta(seconds=sent_seconds_ago))
    with commit(execute=True):
        sweep(waiting)
    assert len(sent) == 1, "a worker may just have taken it"
    with commit(execute=True):
        sweep(waiting)
    tokens = [job.lease_token for job in sent]
    assert tokens == [match.lease_token] * (2 if sent_again else 1), "the same attempt: a doubled message counts once"


def test_a_report_that_cannot_be_true_is_a_platform_fault(match: Match) -> None:
    MATCHES.record(report=result_of(match, seats=[SeatReport(1, 1.0, 1.0, 1.0)]))
    match.refresh_from_db()
    assert (match.state, match.attempt) == (State.QUEUED, 2)
    first = match.attempts.get(number=1)
    assert first.ending == Ending.PLATFORM_FAULT
    assert english(first.reason) == "The worker reported another number of seats than the match has."


def test_a_report_of_something_unknown_is_dropped(match: Match) -> None:
    other = Attempt.objects.create(match=make_match(), number=1, lease_token="c" * 32)
    for changes in ({"match_id": 10**6}, {"lease_token": "9" * 32}, {"lease_token": other.lease_token}):
        MATCHES.record(report=result_of(match, **changes))
        match.refresh_from_db()
        assert (match.state, match.attempt, endings(match), endings(other.match)) == (State.QUEUED, 1, [""], [""])


@pytest.mark.parametrize(("is_played", "looks"), [(True, 0), (False, 1)], ids=["finished", "waiting"])
def test_an_administrator_voids_a_match(
    match: Match, monkeypatch: pytest.MonkeyPatch, is_played: bool, looks: int
) -> None:
    """The queue is not checked for a result: thousands may become void at once, and that frees no worker."""
    if is_played:
        MATCHES.record(report=result_of(match))
    looked: list[object] = []
    monkeypatch.setattr(lifecycle, "queue_announce", lambda: looked.append(match))
    match_void(match=match, reason=said("The board was wrong."))
    assert len(looked) == looks
    match.refresh_from_db()
    assert (match.state, english(match.void_reason)) == (State.VOID, "The board was wrong.")
    with pytest.raises(IllegalTransition):
        match_void(match=match, reason=said("again"))


@pytest.mark.parametrize("is_played", [True, False], ids=["being played", "waiting"])
def test_an_attempt_ends_with_its_match(match: Match, is_played: bool) -> None:
    """Else pages would show that a worker still plays a void match."""
    if is_played:
        MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "worker-1"))
    match_void(match=match, reason=said("The board was wrong."))
    MATCHES.record(report=result_of(match))
    attempt = match.attempts.get()
    assert (attempt.ending, attempt.reason, attempt.ended_at is None) == (Ending.WITHDRAWN, {}, False)


@pytest.mark.parametrize("state", [State.FINISHED, State.VOID])
def test_what_has_ended_is_not_played_again(match: Match, state: State) -> None:
    match_transition(match=match, state=state)
    with pytest.raises(IllegalTransition, match="cannot go from"):
        MATCHES.requeue(match)
