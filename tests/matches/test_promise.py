"""The estimate on a new version's page, compared with an arena in simulated time with the real services."""

from __future__ import annotations

import heapq
import random
from collections import Counter, deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count, permutations

import pytest
from django.utils import timezone
from pytest_django import Settings

from jobs import sending
from jobs.files.storage import ARTIFACTS, REPLAYS, file_store
from jobs.leases import LAST_ATTEMPT_DELAY_SECONDS
from jobs.models import Worker
from jobs.services.dispatching import queue_dispatch
from ladder.models import Bot, BotVersion
from ladder.services.builds import BUILDS, build_enqueue
from matches.first_games_estimate import FIRST_GAMES
from matches.models import Match, Result
from matches.selectors.first_games import first_games
from matches.services.match_jobs import MATCHES
from matches.services.pairing import matches_pair, matches_pair_again
from matches.services.ratings import ratings_refit
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches.makers import finish_match, make_match, make_records, queue_match, with_replay
from wire.jobs import BuildJob, BuildProgress, BuildReport, Heartbeat, MatchReport, PlayJob, SeatReport

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.test_all]

GAME = "kakomimasu"
MATCH_SECONDS, BUILD_SECONDS = 12.0, 30.0
LEASE_SECONDS = 30.0


def stored(store: str, content: str) -> str:
    return file_store(store=store, chunks=[content.encode()], max_bytes=1_000).digest


class Arena:
    """An arena with simulated playing processes and simulated time; all services are real."""

    def __init__(self, processes: int) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.free = processes
        self.lost = 0
        self.queues: tuple[deque[PlayJob], deque[BuildJob]] = (deque(), deque())
        self.events: list[tuple[datetime, int, Callable[[], None]]] = []
        self.numbers = count()
        self.chance = random.Random(7)  # noqa: S311 - no secret
        self.replay = stored(REPLAYS, "a replay")
        self.running: dict[int, PlayJob] = {}
        self.played: Counter[str] = Counter()
        """Matches that have ended, by the name of each bot in them."""

    def send(self, app: object, task: str, message: PlayJob | BuildJob, **_: object) -> None:
        """Take a message as the broker does."""
        self.queues[isinstance(message, BuildJob)].append(message)

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        heapq.heappush(self.events, (self.now + timedelta(seconds=seconds), next(self.numbers), act))

    def every(self, seconds: float, act: Callable[[], object]) -> None:
        def again() -> None:
            act()
            self.after(seconds, again)

        self.after(0, again)

    def run_until(self, done: Callable[[], bool], minutes: float = 60) -> float:
        """Let simulated time pass until a condition holds; return how many seconds that took."""
        start = self.now
        while not done():
            self.now, _, act = heapq.heappop(self.events)
            assert self.now < start + timedelta(minutes=minutes)
            act()
            self._take()
        return (self.now - start).total_seconds()

    def lose_process(self) -> None:
        """Kill a process during its match: it sends no heartbeat, until its lease has run out."""
        match_id = next(iter(self.running))
        del self.running[match_id]
        Worker.objects.update(processes=Worker.objects.get().processes - 1)
        self.after(LEASE_SECONDS + 1, lambda: MATCHES.lost(match_id))

    def _take(self) -> None:
        while self.free and any(self.queues):
            # The broker's client goes round the queues.
            plays, waiting_builds = self.queues
            if waiting_builds and (not plays or next(self.numbers) % 2):
                self._build(waiting_builds.popleft())
            else:
                self._play(plays.popleft())

    def _play(self, job: PlayJob) -> None:
        self.free -= 1
        self.running[job.match_id] = job
        MATCHES.heartbeat(report=Heartbeat(job.match_id, job.lease_token, "worker"))
        self.after(MATCH_SECONDS * self.chance.uniform(0.5, 1.5), lambda: self._played(job))

    def _played(self, job: PlayJob) -> None:
        if self.running.pop(job.match_id, None) is None:  # its process is gone
            return
        self.free += 1
        ranks = self.chance.choice(((1, 2), (2, 1)))
        seats = [SeatReport(rank, 0.0, 1.0, 1.0) for rank in ranks]
        tokens = job.match_id, job.attempt, job.lease_token, "worker"
        report = MatchReport(*tokens, turns=1, seats=seats, replay_digest=None)
        report = with_replay(Match.objects.get(pk=job.match_id), report)
        matches_pair_again(contest=MATCHES.record(report=report))
        self.played.update(seat.name for seat in job.seats)

    def _build(self, job: BuildJob) -> None:
        self.free -= 1
        BUILDS.heartbeat(report=BuildProgress(job.version_id, job.lease_token, "compile", "worker"))
        self.after(BUILD_SECONDS * self.chance.uniform(0.8, 1.2), lambda: self._built(job))

    def _built(self, job: BuildJob) -> None:
        self.free += 1
        artifact = stored(ARTIFACTS, f"program of {job.version_id}")
        BUILDS.record(
            report=BuildReport(
                job.version_id, job.lease_token, "worker", artifact, 9, "python", "main.py", replay_digest=self.replay
            )
        )


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Arena:
    """An arena with two processes, five ranked house bots, and recent durations of matches and builds."""
    settings.GAMES = [GAME]
    arena = Arena(processes=2)
    monkeypatch.setattr(timezone, "now", lambda: arena.now)
    monkeypatch.setattr(sending, "send", arena.send)
    Worker.objects.create(
        name="w", host="w", version="1", backend="docker", cores=2, processes=2, started_at=arena.now,
        last_seen_at=arena.now,
    )  # fmt: skip
    house = make_user("house")
    for number in range(5):
        version = house_version(house, number, artifact_digest=f"{number}" * 64)
        BotVersion.objects.filter(pk=version.pk).update(notified_at=arena.now - timedelta(seconds=BUILD_SECONDS))
    history(arena.now)
    # Less often than real ones, to save time: the arena does not depend on them.
    arena.every(10, lambda: matches_pair(contest=GAME))
    arena.every(10, queue_dispatch)
    arena.every(40, lambda: ratings_refit(contest=GAME))
    return arena


def house_version(house: object, number: int, **fields: object) -> BotVersion:
    bot = make_bot(f"house {number}", house, is_house=True, declared_rating=1500.0)
    return make_version(bot, **fields)


def history(now: datetime) -> None:
    """Let the house bots have played their first games."""
    pairs = list(permutations(BotVersion.objects.order_by("pk"), 2))
    for first, second in pairs * -(-FIRST_GAMES // (len(pairs) * 2 // 5)):
        match = finish_match(make_match(first, second), make_records("a", "b"))
        match.attempts.update(started_at=now - timedelta(seconds=MATCH_SECONDS), ended_at=now)
    ratings_refit(contest=GAME)


def upload(number: int) -> BotVersion:
    version = make_version(
        make_bot(f"bot {number}", make_user(f"user {number}")), state=BotVersion.State.UPLOADED, artifact_digest=""
    )
    build_enqueue(version=version)
    return version


def promised(version: BotVersion) -> float:
    progress = first_games(version=BotVersion.objects.select_related("bot").get(pk=version.pk))
    assert progress is not None
    assert progress.seconds is not None
    return progress.seconds


def assert_kept(promises: dict[BotVersion, float], arena: Arena) -> None:
    """Let the arena play until all have had their first games; each promise must hold within a factor of two."""
    start = arena.now
    took: dict[BotVersion, float] = {}

    def all_have() -> bool:
        for version in promises.keys() - took.keys():
            if arena.played[version.bot.name] >= FIRST_GAMES:
                took[version] = (arena.now - start).total_seconds()
        return len(took) == len(promises)

    arena.run_until(all_have)
    assert Result.objects.count() == Match.objects.filter(state=Match.State.FINISHED).count()
    assert all(0.5 <= took[version] / promises[version] <= 2 for version in promises), {
        str(version): (round(promises[version]), round(took[version])) for version in promises
    }


def test_an_idle_arena_keeps_its_promise(arena: Arena) -> None:
    version = upload(1)
    promises = {version: promised(version)}
    assert 100 < promises[version] < 300
    assert_kept(promises, arena)


def test_what_we_have_failed_to_build_is_promised_so_much_later(arena: Arena) -> None:
    version = upload(1)
    at_once = promised(version)
    version.held_until = arena.now + timedelta(seconds=LAST_ATTEMPT_DELAY_SECONDS)
    version.save(update_fields=["held_until"])
    assert promised(version) - at_once == pytest.approx(LAST_ATTEMPT_DELAY_SECONDS, abs=2)


def test_ten_uploads_at_once(arena: Arena) -> None:
    versions = [upload(number) for number in range(10)]
    assert_kept({version: promised(version) for version in versions[::3]}, arena)


def test_who_comes_behind_three_with_four_bots_each(arena: Arena) -> None:
    for owner in (make_user(f"owner {number}") for number in range(3)):
        for number in range(4):
            bot = make_bot(f"bot {number} of {owner}", owner)
            build_enqueue(version=make_version(bot, state=BotVersion.State.UPLOADED, artifact_digest=""))
    late = upload(1)
    promise = promised(late)
    arena.run_until(lambda: BotVersion.objects.get(pk=late.pk).state == BotVersion.State.BUILDING)
    assert BotVersion.objects.filter(state=BotVersion.State.UPLOADED).count() >= 7, (
        "one of each was first, and what was handed out before"
    )
    assert_kept({late: promise}, arena)


def test_a_flood_of_house_builds(arena: Arena) -> None:
    house = Bot.objects.filter(is_house=True)[0].owner
    for number in range(10, 40):
        build_enqueue(version=house_version(house, number, state=BotVersion.State.UPLOADED, artifact_digest=""))
    arena.run_until(lambda: arena.free == 0)
    version = upload(1)
    assert_kept({version: promised(version)}, arena)
    assert BotVersion.objects.filter(state=BotVersion.State.UPLOADED).count() > 5, "the flood is not over yet"


def test_a_round_of_a_tournament(arena: Arena) -> None:
    """Forty of its matches wait, whose class has twice the share of first games and of builds."""
    players = [house_version(make_user(f"finalist {number}"), 90 + number).pk for number in range(4)]
    for number in range(40):
        pair = players[number % 4], players[(number + 1) % 4]
        queue_match(*pair, kind=Match.Kind.TOURNAMENT, queue_class=Match.QueueClass.TOURNAMENT)
    arena.run_until(lambda: arena.free == 0)
    version = upload(1)
    assert_kept({version: promised(version)}, arena)


def test_a_worker_is_lost(arena: Arena) -> None:
    versions = [upload(number) for number in range(2)]
    arena.run_until(lambda: Match.objects.filter(queue_class=Match.QueueClass.PLACEMENT, state="finished").count() > 4)
    arena.lose_process()
    assert_kept({version: promised(version) for version in versions}, arena)
