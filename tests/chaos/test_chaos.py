"""A storm of matches while broker, workers and processes are killed: each ends once, and ratings are right."""

from __future__ import annotations

import logging
import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from django.db.models import Count

import sandbox
from jobs import leases, sending
from ladder.models import Rating
from matches.models import Attempt, Match, Result
from matches.services.ratings import match_log, ratings_refit
from tests.chaos.mortal import MortalBroker
from tests.chaos.parts import HEARD_QUEUE, Clock, Courier, Crew
from tests.chaos.season import KILLER, Season
from tests.deploy.arena import groups_left, processes_left
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bubblewrap"),
    pytest.mark.timeout(480),
    pytest.mark.waits,
    pytest.mark.test_all,
]

State, Ending = Match.State, Attempt.Ending

MATCHES, KILLERS, WORKERS, IN_FLIGHT = 150, 2, 4, 24
SEED = 20
LEASE_SECONDS = 3.0
LATE_SECONDS = 0.3
SECONDS_MAX = 320
CLOCK_FASTER = 4
"""How many times faster the timetable is than an arena's, since the lease is shorter, too."""
KILLS_PER_WORKER = 5
"""One in so many kills hits a whole worker, the others a process that plays."""
MATCHES_PER_KILL = 6
"""The most kills, also on a slow machine."""
BROKER_DIES_AT = (MATCHES // 3, 2 * MATCHES // 3)
"""How many matches have ended when the event happens."""

EXPECTED = re.compile(
    "|".join(
        [
            "exited with 'signal 9 \\(SIGKILL\\)'",  # a process that we have killed
            "Worker exited prematurely: signal 9",
            "Could not start worker processes",  # its first process was killed before it was ready
            "has no attribute 'did_start_ok'",  # it was told to end while it started
            "consumer: (Connection to broker lost|Cannot connect)",  # the broker that we have killed
            "Error while reading from|Connection refused|Connection closed by server|Connection reset|Broken pipe",
            "report_not_sent",
            "match_attempt_failed",
            "Couldn't ack",
            "Task .*sweep.* raised unexpected: .*(Connection|BusyLoading)Error",  # it is away, or reads its file
            "Error calling .*_notify.* in on_commit",  # the site could not send the messages; the sweeper does
        ]
    )
)
MESSAGES = re.compile(f"play|build|report|{HEARD_QUEUE}|manage")
"""The broker's keys that hold messages."""
WRONG = re.compile(r"\[(error|critical) |Exception in thread")
TRACEBACK_LINES = 60
"""What a failure prints of each match, since a rare failure must be understood from one run."""


class Storm:
    """A thread that kills parts of the arena at random."""

    def __init__(self, crew: Crew, rng: random.Random) -> None:
        self.ended = 0
        """Ended matches, as the test has counted them."""
        self._crew, self._rng = crew, rng
        self._over = threading.Event()
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._kill, self._kill_for_killer)]

    @contextmanager
    def raging(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in self._threads:
                thread.join()

    def _kill(self) -> None:
        kills = 0
        while not self._over.wait(self._rng.uniform(1, 2)):
            if self.ended < kills * MATCHES_PER_KILL:
                continue  # on a slow machine, wait until matches go on between kills
            kills += 1
            if kills % KILLS_PER_WORKER:
                self._crew.kill_process(self._rng)
            else:
                self._crew.kill_worker(self._rng)

    def _kill_for_killer(self) -> None:
        """Kill the worker of the bot that would kill it if the sandbox let it, and restart ended workers."""
        while not self._over.wait(0.1):
            self._crew.kill_player_of(KILLER)
            self._crew.keep_up()


@pytest.fixture
def doubled(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Sends every tenth job twice, and counts the jobs sent and doubled."""
    counts: Counter[str] = Counter()
    send = sending.send

    def send_doubled(*arguments: object, **options: object) -> None:
        send(*arguments, **options)
        counts["sent"] += 1
        if counts["sent"] % 10 == 0:
            counts["doubled"] += 1
            send(*arguments, **options)

    monkeypatch.setattr(sending, "send", send_doubled)
    return counts


def test_every_match_ends_once_in_a_storm(
    site: MortalBroker,
    tmp_path: Path,
    doubled: Counter[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(leases, "NOTIFY_AGAIN_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(leases, "LAST_ATTEMPT_DELAY_SECONDS", LEASE_SECONDS)
    rng = random.Random(SEED)  # noqa: S311 - dice
    season = Season(rng, MATCHES, KILLERS)
    courier = Courier(site.site_url, rng, late_seconds=LATE_SECONDS, very_late_seconds=2 * LEASE_SECONDS)
    crew = Crew(site.player_url, tmp_path, WORKERS, LEASE_SECONDS=str(LEASE_SECONDS))
    storm = Storm(crew, rng)
    deaths, fits = list(BROKER_DIES_AT), list(range(0, MATCHES, 25))

    def picture() -> str:
        return f"{crew.acts}\n{doubled} {courier.carried} carried {courier.doubled} doubled\n{told_of_matches()}"

    def play_on() -> bool:
        season.fill(IN_FLIGHT)
        storm.ended = ended()
        if fits and storm.ended >= fits[0]:
            fits.pop(0)
            ratings_refit(contest="kakomimasu")
        if deaths and storm.ended >= deaths[0]:
            deaths.pop(0)
            crew.note("broker killed")
            site.restart()
        return season.over()

    courier.start()
    try:
        with Clock(faster=CLOCK_FASTER), storm.raging():
            wait_until(play_on, picture, SECONDS_MAX)
        wait_until(lambda: left_in(site) == [] and courier.empty(), lambda: f"{left_in(site)} {picture()}")
        crew.stop()
    finally:
        crew.kill()
        courier.end()
    assert deaths == []
    every_match_has_ended_once(picture)
    the_killer_is_named(season)
    ratings_are_those_of_peace(season)
    wait_until(lambda: nothing_left_of(tmp_path) == [], lambda: nothing_left_of(tmp_path), seconds=20)
    wrong = list(unexpected(crew, caplog.records))
    assert wrong == [], "\n".join([*wrong, picture()])


def ended() -> int:
    return Match.objects.filter(state__in=[State.FINISHED, State.VOID]).count()


def told_of_matches() -> str:
    """Return the states of the matches and their attempts as text."""
    states = dict(Match.objects.values_list("state").annotate(Count("pk")).order_by())
    endings = dict(Attempt.objects.values_list("ending").annotate(Count("pk")).order_by())
    open_ = Match.objects.filter(state__in=[State.QUEUED, State.RUNNING])
    return f"matches {states}, attempts {endings}, open {list(open_.values_list('pk', 'state', 'attempt'))}"


def every_match_has_ended_once(picture: Callable[[], str]) -> None:
    states = Counter(Match.objects.values_list("state", flat=True))
    assert set(states) == {State.FINISHED, State.VOID}, picture()
    assert sum(states.values()) == MATCHES
    finished = Match.objects.filter(state=State.FINISHED)
    ones = sorted(finished.values_list("pk", flat=True))
    assert sorted(Result.objects.values_list("match", flat=True)) == ones
    assert sorted(Attempt.objects.filter(ending=Ending.RESULT).values_list("match", flat=True)) == ones
    assert not Attempt.objects.filter(ending="").exists(), picture()
    # Three lost attempts of one match in a row are rare.
    assert states[State.VOID] <= KILLERS + MATCHES // 100, picture()


def the_killer_is_named(season: Season) -> None:
    killers = Match.objects.filter(seats__version__artifact_digest=season.killer_artifact)
    told = list(killers.values_list("state", "attempt", "seats__verdict", "seats__evidence"))
    assert [match.state for match in killers] == [State.VOID] * KILLERS, told
    assert all(match.attempts.count() == 3 and match.void_reason for match in killers)


def ratings_are_those_of_peace(season: Season) -> None:
    """The same results without failures, in another order, give bit-identical ratings."""
    ratings_refit(contest="kakomimasu")
    log = match_log(contest="kakomimasu")
    versions, stormy = log.fit()
    peaceful = season.undisturbed()
    assert peaceful.matches == log.matches
    assert stormy.rating.tolist() == peaceful.fit()[1].rating.tolist()
    shown = dict(Rating.objects.values_list("version", "rating"))
    assert [shown[version] for version in versions] == pytest.approx(stormy.rating.tolist(), abs=0.05)


def left_in(site: MortalBroker) -> list[str]:
    """Return the broker's keys that hold messages, without kombu's table of queues."""
    try:
        with redis.Redis.from_url(site.site_url, decode_responses=True) as client:
            return [key for key in client.scan_iter() if MESSAGES.match(key)]
    except redis.ConnectionError:
        return ["no broker"]


def nothing_left_of(folder: Path) -> list[str]:
    """Return the processes, control groups and temporary files that are left after a worker's next start cleaned up."""
    sandbox.backend("bubblewrap")
    return [*processes_left(folder, seconds=0), *groups_left()]


def unexpected(crew: Crew, records: list[logging.LogRecord]) -> Iterator[str]:
    """Yield the log's errors that the test has not caused, each with its traceback."""
    for name, lines in crew.logs():
        for number, line in enumerate(lines):
            if WRONG.search(line) and not EXPECTED.search(line):
                yield "\n".join([f"{name}: {line}", *lines[number + 1 : number + TRACEBACK_LINES]])
    for record in records:
        if record.levelno >= logging.ERROR and not EXPECTED.search(text := record.getMessage()):
            yield f"managing: {text} {record.exc_info}"
