"""Handing out jobs: which messages are sent when, and what the database says afterwards."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings
from structlog.testing import capture_logs

from contests.selectors.contests import contests_on_own_hosts
from core.message import said
from jobs import sending
from jobs.files import storage
from jobs.files.storage import ARTIFACTS, REPLAYS, file_store
from jobs.leases import ATTEMPTS_MAX, LAST_ATTEMPT_DELAY_SECONDS
from jobs.models import Worker
from jobs.selectors.workers import processes_count
from jobs.services.dispatching import queue_dispatch
from ladder.models import Bot, BotVersion
from ladder.selectors.builds import builds_nobody_awaits
from ladder.services.builds import BUILDS, build_enqueue
from matches.models import Match
from matches.services import lifecycle
from matches.services.lifecycle import match_void
from matches.services.match_jobs import MATCHES
from tests.disks import refusing_disk
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches import makers
from wire.jobs import BuildJob, BuildReport, Heartbeat, MatchReport, PlayJob

pytestmark = [pytest.mark.database, pytest.mark.django_db]

Commit = Callable[..., AbstractContextManager[object]]
QueueClass = Match.QueueClass


@pytest.fixture(autouse=True)
def processes(settings: Settings) -> None:
    settings.PROCESSES_ASSUMED = 2


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[PlayJob | BuildJob]:
    messages: list[PlayJob | BuildJob] = []
    monkeypatch.setattr(sending, "send", lambda app, task, message, **_: messages.append(message))
    return messages


def make_queued(count: int = 1, queue_class: QueueClass = QueueClass.PLACEMENT) -> list[Match]:
    """Put matches of different bots into the queue, without handing them out."""
    numbers = range(BotVersion.objects.count(), BotVersion.objects.count() + 2 * count, 2)
    tables = [[makers.make_version(f"bot {n + seat}").pk for seat in (0, 1)] for n in numbers]
    return [makers.queue_match(*table, queue_class=queue_class) for table in tables]


def out() -> list[int]:
    return list(Match.objects.filter(notified_at__isnull=False).order_by("pk").values_list("pk", flat=True))


def test_no_more_jobs_are_in_flight_than_workers_can_take() -> None:
    matches = make_queued(6)
    assert queue_dispatch() == 4
    assert out() == [match.pk for match in matches[:4]]
    assert queue_dispatch() == 0


def test_jobs_for_many_processes_are_handed_out_in_batches(settings: Settings) -> None:
    settings.PROCESSES_ASSUMED = 4
    matches = make_queued(11)
    assert queue_dispatch() == 8
    matches[0].delete()
    assert queue_dispatch() == 0, "three are spare"
    matches[1].delete()
    assert queue_dispatch() == 2


@pytest.mark.parametrize("state", [Match.State.FINISHED, Match.State.VOID])
def test_the_end_of_a_match_hands_out_the_next_at_once(
    state: Match.State, django_capture_on_commit_callbacks: Commit
) -> None:
    first, *others = make_queued(5)
    queue_dispatch()
    with django_capture_on_commit_callbacks(execute=True):
        lifecycle.match_transition(match=Match.objects.get(pk=first.pk), state=state)
    assert set(out()) - {first.pk} == {match.pk for match in others}


@pytest.mark.parametrize("is_house", [False, True])
def test_bots_of_one_owner_get_half_of_the_processes_while_others_wait(is_house: bool, settings: Settings) -> None:
    """The attack: six bots of one owner sleep to their time limit, and leave others only half of the processes."""
    settings.PROCESSES_ASSUMED = 4
    one_owner = [makers.make_version(f"sleeper {n}", "owner of many").bot for n in range(6)]
    if is_house:  # house bots have no common limit: they are in most matches
        Bot.objects.filter(owner__username="owner of many").update(is_house=True, declared_rating=1000)
    for n, bot in enumerate(one_owner):
        opponent = makers.make_version(f"opponent {n}").pk
        makers.queue_match(bot.versions.get().pk, opponent, queue_class=QueueClass.PLACEMENT)
    others = {match.pk for match in make_queued(6)}
    queue_dispatch()
    assert len(set(out()) - others) == (6 if is_house else 2)
    assert len(out()) == 8


def test_a_match_that_has_failed_is_handed_out_first() -> None:
    first, *_ = make_queued(6)
    queue_dispatch()
    MATCHES.requeue(first)
    assert first.pk not in out()
    queue_dispatch()
    assert first.pk in out()


@pytest.mark.parametrize("failures", range(ATTEMPTS_MAX))
@pytest.mark.parametrize("of", ["matches", "builds"])
def test_the_last_attempt_is_held_back(of: str, failures: int) -> None:
    """On a machine that is overloaded for half a minute, three attempts in a row would fail alike."""
    waiting: Match | BotVersion
    if of == "matches":
        (waiting,) = make_queued()
    else:
        waiting = make_version(make_bot("mine"), state=BotVersion.State.UPLOADED, artifact_digest="")
        build_enqueue(version=waiting)
    for _ in range(failures):
        assert queue_dispatch() == 1
        fails(waiting)
    is_last = failures == ATTEMPTS_MAX - 1
    assert queue_dispatch() == (not is_last)
    if is_last:
        waiting.refresh_from_db()
        assert waiting.waits_until is not None
        assert 0 < (waiting.waits_until - timezone.now()).total_seconds() <= LAST_ATTEMPT_DELAY_SECONDS
        held_since(waiting, seconds=LAST_ATTEMPT_DELAY_SECONDS)
        assert waiting.waits_until is None
        assert queue_dispatch() == 1


def test_a_clock_that_was_set_back_holds_no_job_back() -> None:
    (match,) = make_queued()
    held_since(match, seconds=-3_600)
    assert queue_dispatch() == 1


def test_a_job_taken_from_a_worker_is_not_held_back() -> None:
    (match,) = make_queued()
    for _ in range(ATTEMPTS_MAX - 1):
        fails(match)
    held_since(match, seconds=LAST_ATTEMPT_DELAY_SECONDS)
    queue_dispatch()
    match.refresh_from_db()
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, "w"))
    assert MATCHES.take_back_all(worker="w")
    assert queue_dispatch() == 1


def fails(waiting: Match | BotVersion) -> None:
    """Let the current attempt end by a fault of the platform."""
    waiting.refresh_from_db()
    token, fault = waiting.lease_token, said("The disk is full.")
    if isinstance(waiting, Match):
        report = MatchReport(waiting.pk, waiting.attempt, token, "w", 0, [], None, platform_fault=fault)
        MATCHES.record(report=report)
    else:
        BUILDS.record(report=BuildReport(waiting.pk, token, "w", platform_fault=fault))


def held_since(waiting: Match | BotVersion, *, seconds: float) -> None:
    """Let time pass since an attempt was put into the queue, by changing when its hold ends."""
    waiting.held_until = timezone.now() + timedelta(seconds=LAST_ATTEMPT_DELAY_SECONDS - seconds)
    waiting.save(update_fields=["held_until"])


def test_a_visitors_match_overtakes_jobs_that_are_not_in_flight() -> None:
    house = make_queued(8, QueueClass.HOUSE)
    queue_dispatch()
    (visitors,) = make_queued()
    match_void(match=house[0], reason=said("It was taken out."))
    queue_dispatch()
    assert visitors.pk in out()


def test_builds_and_matches_share_one_queue(
    sent: list[PlayJob | BuildJob], django_capture_on_commit_callbacks: Commit
) -> None:
    house = make_user("house")
    for number in range(5):
        bot = make_bot(f"house {number}", house, is_house=True, declared_rating=1500.0)
        build_enqueue(version=make_version(bot, state=BotVersion.State.UPLOADED, artifact_digest=""))
    make_queued(2)
    mine = make_version(make_bot("mine"), state=BotVersion.State.UPLOADED, artifact_digest="")
    build_enqueue(version=mine)
    with django_capture_on_commit_callbacks(execute=True):
        assert queue_dispatch() == 3
    assert [type(job).__name__ for job in sent] == ["BuildJob", "PlayJob", "PlayJob"]
    assert [job.name for job in sent if isinstance(job, BuildJob)] == ["mine"], "builds have half of the processes"


@pytest.mark.parametrize(("fate", "is_awaited"), [(BotVersion.State.ACTIVE, False), (BotVersion.State.REJECTED, True)])
def test_of_two_versions_the_newer_is_built_first(
    fate: BotVersion.State, is_awaited: bool, sent: list[PlayJob | BuildJob], django_capture_on_commit_callbacks: Commit
) -> None:
    """The older one is built after it, for private tests, and to play on if the newer one is rejected."""
    mine, other = (make_bot(name, make_user(name)) for name in ("mine", "other"))
    waiting = [make_version(bot, state=BotVersion.State.UPLOADED, artifact_digest="") for bot in (mine, mine, other)]
    for version in waiting:
        build_enqueue(version=version)

    def handed_out() -> list[int]:
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            queue_dispatch()
        return [job.version_id for job in sent if isinstance(job, BuildJob)]

    old, *others = (version.pk for version in waiting)
    assert handed_out() == others
    BotVersion.objects.filter(pk__in=others).update(state=fate, artifact_digest="e" * 64)
    assert BotVersion.objects.exclude(builds_nobody_awaits()).filter(pk=old).exists() == is_awaited
    assert handed_out() == [old]


def test_a_version_withdrawn_while_it_waits_is_not_built(sent: list[PlayJob | BuildJob]) -> None:
    version = make_version(make_bot("mine"), state=BotVersion.State.UPLOADED, artifact_digest="")
    build_enqueue(version=version)
    BotVersion.objects.filter(pk=version.pk).update(state=BotVersion.State.RETIRED)
    assert queue_dispatch() == 0
    assert sent == []


def test_only_processes_of_workers_that_take_work_count() -> None:
    assert processes_count() == 2, "no worker has reported, so it is assumed"
    make_worker("tables", cores=8, processes=0, tables=8)
    assert processes_count() == 2, "a worker of tables has none"
    for name, state, processes in (("a", "active", 3), ("b", "active", 4), ("c", "draining", 8), ("d", "gone", 16)):
        make_worker(name, state=state, cores=8, processes=processes)
    assert processes_count() == 7
    make_worker("guest", cores=8, processes=2, broker_user="guest-far")
    assert (processes_count(), processes_count(own=True)) == (9, 7)
    Worker.objects.filter(state="active").update(state="gone")
    assert processes_count() == 0, "no worker takes work"


def test_nothing_is_handed_out_while_no_worker_takes_work() -> None:
    """The messages would wait in the broker, and no later job could overtake them."""
    worker = make_worker(state=Worker.State.QUARANTINED)
    make_queued(6)
    assert queue_dispatch() == 0
    Worker.objects.filter(pk=worker.pk).update(state=Worker.State.ACTIVE)
    assert queue_dispatch() == 4


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("waiting", [0, 1, 30])
def test_a_dispatch_costs_few_queries(waiting: int, django_assert_max_num_queries: Commit) -> None:
    make_queued(waiting)
    out_before = Match.objects.filter(notified_at__isnull=False).count()
    contests_on_own_hosts()  # cached for some seconds
    with django_assert_max_num_queries(16):
        queue_dispatch()
    assert Match.objects.filter(notified_at__isnull=False).count() - out_before == min(waiting, 4)


@pytest.mark.django_db(transaction=True)
def test_two_dispatches_at_once_hand_out_once(
    django_db_blocker: DjangoDbBlocker, sent: list[PlayJob | BuildJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "queue_announce", lambda: None)
    make_queued(8)

    def manager(_: int) -> int:
        with django_db_blocker.unblock():
            try:
                return queue_dispatch()
            finally:
                connection.close()

    with ThreadPoolExecutor(4) as managers:
        assert sum(managers.map(manager, range(4))) == 4
    assert len(sent) == len(out()) == 4


@pytest.mark.parametrize("how", ["full", "no inodes", "few inodes", "read-only"])
def test_nothing_is_handed_out_while_the_disk_takes_no_files(
    django_capture_on_commit_callbacks: Commit,
    sent: list[PlayJob | BuildJob],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    how: str,
) -> None:
    """Each match would lose its three attempts, since its replay could not be stored."""
    file_store(store=REPLAYS, chunks=[b"a replay"], max_bytes=100)
    make_queued(2)
    disk = nullcontext() if how == "full" else refusing_disk(tmp_path / "disk", how)
    with disk, monkeypatch.context() as patch, capture_logs() as logs:
        if how == "full":
            patch.setattr(storage, "DISK_SPACE_MIB_MIN", 2**40)
        else:
            for store in (ARTIFACTS, REPLAYS):
                patch.setattr(storages[store], "location", str(tmp_path / "disk" / store))
        with django_capture_on_commit_callbacks(execute=True):
            assert queue_dispatch() == 0
    assert [line["event"] for line in logs] == ["store_away" if how == "read-only" else "disk_full"]
    assert (out(), sent) == ([], [])
    with django_capture_on_commit_callbacks(execute=True):
        assert queue_dispatch() == 2
