"""A quarantined worker: its reports do not count, its jobs go to others, and its matches are played again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry
from core.message import said
from fleet.services import quarantine
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.leases import ATTEMPTS_MAX
from jobs.models import Worker
from ladder.models import BotVersion
from ladder.selectors.quotas import quota_of
from ladder.services.builds import BUILDS, build_enqueue
from ladder.services.versions import version_retire
from matches.models import Attempt, Match, Result, Trial
from matches.services.match_jobs import MATCHES
from matches.services.ratings import match_log
from matches.services.trials import trial_start, trial_step
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_user
from tests.ladder.makers import make_version as make_upload
from tests.matches.makers import make_match, make_version, store_replay, with_replay
from tests.words import english
from wire.jobs import BuildProgress, BuildReport, Heartbeat, MatchReport, SeatReport

pytestmark = pytest.mark.django_db

State, Line, Ending = Match.State, Match.QueueClass, Attempt.Ending
EVIL, GOOD = "evil/play@evil", "good/play@good"


@pytest.fixture(autouse=True)
def workers() -> None:
    make_worker(EVIL, broker_user="host-evil")
    make_worker(GOOD, broker_user="host-good")


@pytest.fixture
def shut_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the broker users that are deleted, and with a + those that are created again."""
    users: list[str] = []
    monkeypatch.setattr(quarantine, "host_shut_out", lambda broker_user: users.append(broker_user))
    monkeypatch.setattr(quarantine, "host_let_in", lambda broker_user: users.append(f"+{broker_user}"))
    return users


def a_match() -> Match:
    number = Match.objects.count()
    match = make_match(make_version(f"ant {number}"), make_version(f"bee {number}"), options={"board": "A-1"})
    MATCHES.requeue(match)
    match.refresh_from_db()
    return match


def started(worker: str = EVIL) -> Match:
    match = a_match()
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, worker))
    match.refresh_from_db()
    return match


def result(match: Match, token: str, worker: str) -> MatchReport:
    seats = [SeatReport(rank=rank, score=1.0, cpu_ms_total=1.0, cpu_ms_worst=1.0) for rank in (1, 2)]
    report = MatchReport(match.pk, match.attempt, token, worker, turns=3, seats=seats, replay_digest=None)
    return with_replay(match, report)


def played(worker: str = EVIL, *, hours_ago: float = 0.0) -> Match:
    match = a_match()
    MATCHES.record(report=result(match, match.lease_token, worker))
    Result.objects.filter(match=match).update(recorded_at=timezone.now() - timedelta(hours=hours_ago))
    match.refresh_from_db()
    assert match.state == State.FINISHED
    return match


def test_what_it_plays_is_anothers_at_once_and_what_it_says_later_does_not_count() -> None:
    mine, others, waiting = started(), started(GOOD), a_match()
    token = mine.lease_token
    assert worker_quarantine(name=EVIL, actor=None, reason="lies").handed_on == 1
    MATCHES.heartbeat(report=Heartbeat(mine.pk, token, EVIL))
    for worker in (EVIL, GOOD):  # even under another worker's name, since the token is void
        MATCHES.record(report=result(mine, token, worker))
    for match in (mine, others, waiting):
        match.refresh_from_db()
    assert (mine.state, others.state, waiting.state) == (State.QUEUED, State.RUNNING, State.QUEUED)
    assert mine.lease_token != token
    attempts = list(mine.attempts.values_list("number", "ending", "worker"))
    assert attempts == [(1, Ending.WITHDRAWN, EVIL), (2, "", "")]
    assert not Result.objects.exists()


def test_what_it_has_lost_to_another_stays_there() -> None:
    match = started()
    Match.objects.filter(pk=match.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))
    MATCHES.lost(match.pk)
    match.refresh_from_db()
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, GOOD))
    assert worker_quarantine(name=EVIL, actor=None, reason="lies").handed_on == 0
    assert not MATCHES.take_back_all(worker=EVIL), "the match has just gone to another worker"
    match.refresh_from_db()
    assert (match.state, match.attempt) == (State.RUNNING, 2)


@pytest.mark.parametrize("tells_start", [True, False])
def test_a_job_that_it_takes_nevertheless_goes_to_others_and_uses_up_none_of_its_attempts(tells_start: bool) -> None:
    """The command to take no more jobs may not have arrived, or the worker ignores it."""
    worker_quarantine(name=EVIL, actor=None, reason="lies")
    match = a_match()
    for _ in range(ATTEMPTS_MAX + 1):
        if tells_start:
            MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, EVIL))
        else:
            MATCHES.record(report=result(match, match.lease_token, EVIL))
        match.refresh_from_db()
    assert (match.state, match.attempt) == (State.QUEUED, ATTEMPTS_MAX + 2)
    ours = said("The disk is full.")
    MATCHES.record(
        report=MatchReport(match.pk, match.attempt, match.lease_token, GOOD, 0, [], None, platform_fault=ours)
    )
    match.refresh_from_db()
    assert (match.state, Result.objects.exists()) == (State.QUEUED, False)
    MATCHES.record(report=result(match, match.lease_token, GOOD))
    assert Result.objects.get().attempt.worker == GOOD


def test_its_matches_are_voided_and_played_again() -> None:
    old, before, others = played(), played(hours_ago=2), played(GOOD)
    done = worker_quarantine(name=EVIL, actor=None, reason="wrong scores")
    assert done.voided == 1
    for match in (old, before, others):
        match.refresh_from_db()
    assert (old.state, before.state, others.state) == (State.VOID, State.FINISHED, State.FINISHED)
    assert "wrong scores" in english(old.void_reason)
    new = old.replaced_by
    assert (new.seed, new.options, new.game, new.encounter) == (old.seed, old.options, old.game, old.encounter)
    assert [seat.version_id for seat in new.seats.all()] == [seat.version_id for seat in old.seats.all()]
    assert new.state == State.QUEUED
    assert set(match_log(contest="kakomimasu").matches) == {before.pk, others.pk}
    for voided in (1, 0):  # the administrator chooses how far back
        since = timezone.now() - timedelta(days=2)
        assert worker_quarantine(name=EVIL, actor=None, reason="again", since=since).voided == voided
    assert Match.objects.filter(replaces=before).count() == 1


def test_no_other_match_takes_the_place_of_a_tournaments() -> None:
    """Its next step makes one, if the table is still open (``tests/tournaments``)."""
    match = played()
    Match.objects.filter(pk=match.pk).update(kind=Match.Kind.TOURNAMENT, queue_class=Line.TOURNAMENT)
    assert worker_quarantine(name=EVIL, actor=None, reason="wrong scores").voided == 0
    match.refresh_from_db()
    assert (match.state, Match.objects.exclude(pk=match.pk).exists()) == (State.VOID, False)


def a_rerun(original: Match) -> Match:
    """A re-run that the bad worker has played."""
    number = Match.objects.count()
    versions = make_version(f"x {number}"), make_version(f"y {number}")
    rerun = make_match(*versions, kind=Match.Kind.RERUN, original=original)
    MATCHES.requeue(rerun)
    rerun.refresh_from_db()
    MATCHES.record(report=result(rerun, rerun.lease_token, EVIL))
    return rerun


def test_re_runs_of_one_match_are_played_again_once(shut_out: list[str]) -> None:
    """Only one re-run may be in flight; the second must not stop the quarantine half-way."""
    original = played(GOOD)
    reruns = [a_rerun(original), a_rerun(original)]
    behind = played()
    worker_quarantine(name=EVIL, actor=None, reason="lies")
    assert {Match.objects.get(pk=match.pk).state for match in [*reruns, behind]} == {State.VOID}
    again = Match.objects.get(original=original, state=State.QUEUED)
    assert (again.kind, again.replaces in reruns) == (Match.Kind.RERUN, True)
    assert Match.objects.get(replaces=behind).state == State.QUEUED
    assert shut_out == ["host-evil"]


def a_trial() -> Trial:
    owner = make_user("carol")
    old = make_upload(make_bot("moat", owner), state=BotVersion.State.RETIRED, artifact_digest="1" * 64)
    return trial_start(owner=owner, candidate=make_upload(old.bot, artifact_digest="2" * 64), reference=old)


def test_a_private_test_goes_on_with_what_is_played_again() -> None:
    trial = a_trial()
    first, second = trial.pairs.get(number=0).first, trial.pairs.get(number=0).second
    for match in (first, second):
        MATCHES.record(report=result(match, match.lease_token, EVIL))
    trial_step(trial=trial)
    worker_quarantine(name=EVIL, actor=None, reason="lies")
    pair = trial.pairs.get(number=0)
    assert (pair.first, pair.second) == (first.replaced_by, second.replaced_by)
    queued = Match.objects.filter(state=State.QUEUED).count()
    trial_step(trial=trial)
    assert Match.objects.filter(state=State.QUEUED).count() == queued, "no pair is missing"
    assert Trial.objects.get().state == Trial.State.RUNNING


def a_build() -> BotVersion:
    version = make_upload(make_bot("upload"), state=BotVersion.State.UPLOADED, artifact_digest="")
    build_enqueue(version=version)
    version.refresh_from_db()
    return version


def test_what_it_builds_is_anothers_at_once() -> None:
    version = a_build()
    token = version.lease_token
    BUILDS.heartbeat(report=BuildProgress(version.pk, token, "compile", EVIL))
    assert worker_quarantine(name=EVIL, actor=None, reason="lies").handed_on == 1
    BUILDS.record(report=BuildReport(version.pk, token, EVIL, failed_step="compile", verdict="compile error"))
    version.refresh_from_db()
    assert (version.state, version.attempt, version.lease_token == token) == (BotVersion.State.UPLOADED, 1, False)


def test_no_build_of_it_counts_and_none_uses_up_an_attempt() -> None:
    worker_quarantine(name=EVIL, actor=None, reason="lies")
    version = a_build()
    tokens = [version.lease_token]
    for _ in range(ATTEMPTS_MAX):
        BUILDS.heartbeat(report=BuildProgress(version.pk, tokens[-1], "compile", EVIL))
        version.refresh_from_db()
        tokens.append(version.lease_token)
        BUILDS.record(report=BuildReport(version.pk, tokens[-1], EVIL, failed_step="compile"))
        version.refresh_from_db()
        tokens.append(version.lease_token)
    assert (version.state, version.attempt) == (BotVersion.State.UPLOADED, 1)
    assert len(set(tokens)) == len(tokens)


def built(name: str, worker: str = EVIL, hours_ago: float = 0, **fields: Any) -> BotVersion:
    version = make_version(name, worker=worker, **fields)
    activated_at = timezone.now() - timedelta(hours=hours_ago)
    BotVersion.objects.filter(pk=version.pk).update(activated_at=activated_at)
    return version


def numbers(version: BotVersion) -> list[tuple[int, str]]:
    return list(version.bot.versions.order_by("number").values_list("number", "state"))


def test_what_it_has_built_is_built_again_by_others_and_takes_its_place() -> None:
    """The attack: it builds something else into other people's bots, which would go on playing after its quarantine."""
    bad, before, others = built("bad"), built("before", hours_ago=2), built("others", GOOD)
    assert worker_quarantine(name=EVIL, actor=None, reason="lies").rebuilt == 1
    assert [numbers(version) for version in (before, others)] == [[(1, "active")]] * 2
    assert numbers(bad) == [(1, "active"), (2, "uploaded")]
    again = bad.bot.versions.get(number=2)
    for field in ("bundle_digest", "upload_name", "language"):
        assert getattr(again, field) == getattr(bad, field)
    assert (again.artifact_digest, again.bundle_bytes) == ("", 0)

    digest = store_replay(b"as it should be")
    storages["artifacts"].save(digest, ContentFile(b"as it should be"))
    report = BuildReport(again.pk, again.lease_token, GOOD, artifact_digest=digest, replay_digest=digest)
    BUILDS.record(report=report)
    assert numbers(bad) == [(1, "retired"), (2, "active")]
    again.refresh_from_db()
    assert (again.parent, again.artifact_digest) == (bad, digest)


def test_an_owner_reads_why_there_is_one_more_version_which_costs_nothing_of_the_quotas(client: Client) -> None:
    bad = built("bad")
    before = quota_of(owner=bad.bot.owner)
    assert (before.bytes > 0, before.versions_hour) == (True, 1)
    worker_quarantine(name=EVIL, actor=None, reason="lies")
    assert quota_of(owner=bad.bot.owner) == before
    version_retire(version=bad)
    client.force_login(bad.bot.owner)
    page = f"/versions/{bad.pk}/"
    assert "is not trusted any more; it was built again as v2." in client.get(page).content.decode()
    assert "v2として" in client.get(page, headers={"Accept-Language": "ja"}).content.decode()


@pytest.mark.parametrize("line", [line for line in Line.values if line != Line.TABLE])
def test_matches_played_again_have_a_queue_class_of_their_own(line: str) -> None:
    Match.objects.filter(pk=played().pk).update(queue_class=line)
    worker_quarantine(name=EVIL, actor=None, reason="lies")
    expected = {Line.PLACEMENT: Line.REPLACED, Line.LADDER: Line.REPLACED}.get(Line(line), line)
    assert Match.objects.get(replaces__isnull=False).queue_class == expected


def test_what_is_replaced_already_or_soon_is_not_built_again() -> None:
    """So the same call can be repeated after a crash, or with an earlier time."""
    bad, old = built("bad", hours_ago=2), built("old", hours_ago=2)
    version_retire(version=old)
    for name, state in (("soon", BotVersion.State.UPLOADED), ("sooner", BotVersion.State.BUILDING)):
        make_upload(built(name, hours_ago=2).bot, state=state, artifact_digest="")
    make_upload(built("rejected", hours_ago=2).bot, state=BotVersion.State.REJECTED, artifact_digest="")
    before_it = built("soon, and rejected behind", hours_ago=2).bot
    make_upload(before_it, state=BotVersion.State.UPLOADED, artifact_digest="")
    make_upload(before_it, state=BotVersion.State.REJECTED, artifact_digest="")
    day = timezone.now() - timedelta(days=1)
    assert worker_quarantine(name=EVIL, actor=None, reason="lies", since=day).rebuilt == 2
    assert worker_quarantine(name=EVIL, actor=None, reason="lies", since=day).rebuilt == 0
    assert numbers(bad) == [(1, "active"), (2, "uploaded")]
    assert numbers(old) == [(1, "retired")]
    rebuilt = BotVersion.objects.filter(bot__name="rejected").values_list("number", "state")
    assert set(rebuilt) == {(1, "active"), (2, "rejected"), (3, "uploaded")}


@pytest.mark.parametrize("neighbour", ["evil/second@evil", "evil/play@elsewhere"])
def test_its_host_is_shut_out_of_the_broker_whatever_else_works_there_and_let_in_again(
    neighbour: str, shut_out: list[str]
) -> None:
    make_worker(neighbour, broker_user="host-evil")
    assert worker_quarantine(name=EVIL, actor=None, reason="lies").shut_out
    worker_release(name=EVIL, actor=None)
    assert shut_out == ["host-evil", "+host-evil"]
    assert Worker.objects.get(name=EVIL).state == Worker.State.ACTIVE
    acts = AuditEntry.objects.order_by("pk").values_list("act", "target", "reason")
    assert list(acts) == [("worker_quarantine", EVIL, "lies"), ("worker_resume", EVIL, "")]


def test_a_shared_broker_user_stays_and_the_administrator_is_told(shut_out: list[str]) -> None:
    make_worker("play@own", broker_user="player")
    done = worker_quarantine(name="play@own", actor=None, reason="lies")
    assert not done.shut_out
    assert shut_out == []
    assert "change the password of that user" in str(done)
