"""Failures of real arenas in a real one: a broker, playing workers as processes, the site, real bots.

The managing worker runs in a thread of the test, so that it works on the test's database; the test itself takes the
place of the clock that calls the sweeper.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from django.db.models import F
from pytest_django import Settings

from core.tars import ArchiveEntry, tar_of
from fleet.services.quarantine import worker_quarantine
from jobs import leases
from jobs.celery_app import app
from jobs.files.storage import ARTIFACTS, file_store
from jobs.models import Worker
from jobs.services.dispatching import queue_dispatch
from jobs.services.workers import worker_drain, worker_resume, worker_scale
from matches.models import Attempt, Match, Result
from matches.services.match_jobs import MATCHES
from tests.chaos.mortal import MortalBroker, mortal_broker
from tests.managing import managing_worker
from tests.matches.makers import make_match, make_version
from tests.words import english
from tests.workers.conftest import GOOD_BOT, rules_version
from tests.workers.processes import LEASE_SECONDS, playing_worker
from wire.jobs import MatchReport
from wire.message_filter import SERIALIZER

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("bubblewrap"), pytest.mark.waits]

State, Ending = Match.State, Attempt.Ending

SLOW_BOT = GOOD_BOT.replace("    print(", "    import time; time.sleep(0.25)\n    print(")
"""A bot that takes a quarter of a second a turn without using the CPU."""


class Arena:
    """An arena without playing workers: broker, managing worker and site."""

    def __init__(self, broker: MortalBroker) -> None:
        self.broker = broker
        self.reports: list[MatchReport] = []
        """The reports of ended attempts that the managing worker has taken."""

    def match(self, *sources: str, turns: int = 8) -> Match:
        """Pair bots of these sources and hand the match out."""
        number = Match.objects.count()
        versions = [_version(f"bot {number}.{seat}", source) for seat, source in enumerate(sources)]
        match = make_match(*versions, options={"board": "A-1", "turns": turns})
        Match.objects.filter(pk=match.pk).update(rules_version=rules_version())
        MATCHES.requeue(match)
        return match

    def wait_until(self, condition: Callable[[], bool], seconds: float = 60) -> None:
        """Sweep and hand out, as the timetable does, until a condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, _picture()
            with suppress(redis.ConnectionError):  # the broker is down: the next sweep sees more
                MATCHES.sweep()
                queue_dispatch()
            time.sleep(0.1)

    def wait_for(self, match: Match, *states: str) -> None:
        self.wait_until(lambda: Match.objects.get(pk=match.pk).state in states)


@pytest.fixture(scope="module")
def own_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MortalBroker]:
    """A broker that may be killed, since no other test uses it."""
    with mortal_broker(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


@pytest.fixture
def arena(
    site_url: str,
    own_broker: MortalBroker,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
) -> Iterator[Arena]:
    settings.GAMES = []  # nobody pairs: the tests say who plays
    monkeypatch.setattr(leases, "LEASE_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(leases, "NOTIFY_AGAIN_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(leases, "LAST_ATTEMPT_DELAY_SECONDS", LEASE_SECONDS)
    arena = Arena(own_broker)
    _listen(arena, monkeypatch)
    with managing_worker(own_broker.site_url):
        yield arena


def _listen(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    record = MATCHES.record

    def record_and_note(*, report: MatchReport) -> None:
        record(report=report)
        arena.reports.append(report)

    monkeypatch.setattr(MATCHES, "record", record_and_note)


def _version(name: str, source: str):
    bundle = tar_of([ArchiveEntry("main.py", source.encode())])
    digest = file_store(store=ARTIFACTS, chunks=[bundle], max_bytes=len(bundle)).digest
    return make_version(name, artifact_digest=digest, language="python", entry="main.py")


def _picture() -> str:
    attempts = Attempt.objects.values_list("match", "number", "ending", "reason")
    return f"{list(Match.objects.values_list('pk', 'state', 'attempt'))} {list(attempts)}"


def endings(match: Match) -> list[str]:
    """Return the endings of a match's attempts, without those that were requeued because the machine was busy."""
    attempts = match.attempts.values_list("ending", "reason")
    return [ending for ending, reason in attempts if reason.get("kind") != "worker-overloaded"]


def test_a_worker_killed_in_mid_match(arena: Arena, tmp_path: Path) -> None:
    """Another worker plays the match, and it has one result."""
    match = arena.match(SLOW_BOT, GOOD_BOT)
    with playing_worker(arena.broker.player_url, tmp_path) as first:
        arena.wait_for(match, State.RUNNING)
        first.kill()
    with playing_worker(arena.broker.player_url, tmp_path):
        arena.wait_for(match, State.FINISHED)
    assert endings(match) == [Ending.LOST, Ending.RESULT]
    assert Result.objects.count() == 1


def test_a_job_delivered_twice(arena: Arena, tmp_path: Path) -> None:
    """The match has one result, although both deliveries were played and reported."""
    match = arena.match(GOOD_BOT, GOOD_BOT)
    with redis.Redis.from_url(arena.broker.site_url) as client:
        arena.wait_until(lambda: client.llen("play") == 1)
        client.lpush("play", client.lindex("play", 0))
    with playing_worker(arena.broker.player_url, tmp_path):
        arena.wait_until(lambda: len(arena.reports) == 2)
    assert len({report.lease_token for report in arena.reports}) == 1
    assert endings(match) == [Ending.RESULT]
    assert Result.objects.get().replay_digest == arena.reports[0].replay_digest


def test_the_broker_restarts_under_load(arena: Arena, tmp_path: Path) -> None:
    """No match is lost, and all workers take work again without a restart."""
    matches = [arena.match(SLOW_BOT, GOOD_BOT, turns=4) for _ in range(4)]
    with playing_worker(arena.broker.player_url, tmp_path):
        arena.wait_for(matches[1], State.RUNNING)
        arena.broker.restart()
        later = arena.match(GOOD_BOT, GOOD_BOT)
        for match in [*matches, later]:
            arena.wait_for(match, State.FINISHED)
    assert Result.objects.count() == 5


@pytest.mark.test_all
def test_a_worker_that_comes_back_too_late(arena: Arena, tmp_path: Path) -> None:
    """Its attempt is marked as late, and the report is accepted."""
    match = arena.match(SLOW_BOT, GOOD_BOT)
    with playing_worker(arena.broker.player_url, tmp_path) as first:
        arena.wait_for(match, State.RUNNING)
        first.signal(signal.SIGSTOP)
        with playing_worker(arena.broker.player_url, tmp_path):
            arena.wait_for(match, State.FINISHED)
            first.signal(signal.SIGCONT)
            arena.wait_until(lambda: len(arena.reports) == 2)
    assert endings(match) == [Ending.LATE, Ending.RESULT]
    assert Result.objects.get().attempt.number == 2


@pytest.mark.test_all
def test_a_job_that_kills_its_worker_every_time(arena: Arena, tmp_path: Path) -> None:
    """After three attempts the match is void with a reason, and the next matches are played."""
    killer = arena.match(SLOW_BOT, GOOD_BOT, turns=30)
    with playing_worker(arena.broker.player_url, tmp_path) as worker:
        for attempt in (1, 2, 3):
            playing = Match.objects.filter(pk=killer.pk, state=State.RUNNING, attempt=attempt)
            arena.wait_until(playing.exists)
            worker.pool()[0].kill()
        arena.wait_for(killer, State.VOID)
        after = arena.match(GOOD_BOT, GOOD_BOT)
        arena.wait_for(after, State.FINISHED)
    # The worker reports the loss of its process; where it notices later, the lease has run out before.
    assert len(endings(killer)) == 3
    assert set(endings(killer)) <= {Ending.PLATFORM_FAULT, Ending.LOST, Ending.LATE}
    assert "Our platform failed 3 times" in english(Match.objects.get(pk=killer.pk).void_reason)


@pytest.mark.test_all
def test_a_worker_that_is_stopped_gives_its_match_back(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker takes it at once, in the same attempt, without waiting for the lease to run out."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", 60)
    match = arena.match(SLOW_BOT, GOOD_BOT, turns=20)
    with playing_worker(arena.broker.player_url, tmp_path) as first:
        arena.wait_for(match, State.RUNNING)
        first.process.terminate()
        assert first.process.wait(20) == 0
    with playing_worker(arena.broker.player_url, tmp_path):
        arena.wait_for(match, State.FINISHED)
    assert endings(match) == [Ending.RESULT]


@pytest.mark.test_all
def test_a_worker_is_drained_scaled_and_resumed(arena: Arena, tmp_path: Path) -> None:
    """Orders reach a real worker, and a worker that is started in its place gets them again."""
    player, node = arena.broker.player_url, "play@one"
    with playing_worker(player, tmp_path, node) as worker:
        arena.wait_until(lambda: Worker.objects.filter(name=node, state="active", processes=1).exists())
        worker_drain(name=node, actor=None, reason="a new disk")
        arena.wait_until(lambda: "drains" in worker.log.read_text())
        worker.kill()
    with playing_worker(player, tmp_path, node) as worker:
        arena.wait_until(lambda: "drains" in worker.log.read_text())
        match = arena.match(GOOD_BOT, GOOD_BOT)
        worker_resume(name=node, actor=None)
        arena.wait_for(match, State.FINISHED)
        assert match.attempts.latest("number").worker == node
        worker_scale(name=node, processes=Worker.objects.get().cores, actor=None)
        arena.wait_until(lambda: Worker.objects.filter(processes=F("processes_wanted")).exists())


@pytest.mark.test_all
def test_a_worker_is_quarantined_in_mid_match(arena: Arena, tmp_path: Path) -> None:
    """Another worker plays its match; the result that it plays and reports all the same does not count."""
    player = arena.broker.player_url
    with playing_worker(player, tmp_path, "play@evil") as evil:
        before = arena.match(GOOD_BOT, GOOD_BOT)
        arena.wait_for(before, State.FINISHED)
        match = arena.match(SLOW_BOT, GOOD_BOT)
        arena.wait_until(lambda: Attempt.objects.filter(match=match, worker="play@evil").exists())
        done = worker_quarantine(name="play@evil", actor=None, reason="It lies.")
        assert (done.handed_on, done.voided) == (1, 1)
        arena.wait_until(lambda: "drains" in evil.log.read_text())
        with playing_worker(player, tmp_path, "play@good"):
            again = Match.objects.get(replaces=before)
            for waiting in (match, again):
                arena.wait_for(waiting, State.FINISHED)
            arena.wait_until(lambda: "play@evil" in [report.worker for report in arena.reports[1:]])
    assert endings(match)[0] == Ending.WITHDRAWN
    assert set(Result.objects.exclude(match=before).values_list("attempt__worker", flat=True)) == {"play@good"}
    assert Match.objects.get(pk=before.pk).state == State.VOID


@pytest.mark.test_all
def test_a_message_that_the_broker_has_lost(arena: Arena, tmp_path: Path) -> None:
    match = arena.match(GOOD_BOT, GOOD_BOT)
    with redis.Redis.from_url(arena.broker.site_url) as client:
        arena.wait_until(lambda: client.llen("play") == 1)
        client.delete("play")
    with playing_worker(arena.broker.player_url, tmp_path):
        arena.wait_for(match, State.FINISHED)
    assert endings(match) == [Ending.RESULT]


def test_nonsense_in_the_report_queue(arena: Arena, tmp_path: Path) -> None:
    for body in (b"{}", b'{"match_id": "x"}', b'{"match_id": 1, "lease_token": "../"}'):
        app.send_task("matches.match_result", args=[body], serializer=SERIALIZER)
    match = arena.match(GOOD_BOT, GOOD_BOT)
    with playing_worker(arena.broker.player_url, tmp_path):
        arena.wait_for(match, State.FINISHED)
