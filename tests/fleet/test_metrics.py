"""The metrics: their values, who may read them, and that their cost does not grow with the number of matches."""

from __future__ import annotations

import math
import shutil
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings

from fleet.metrics import metrics_text
from fleet.models import Tally, TallyMark
from fleet.selectors.queue import ProcessTotals, QueueRow, jobs_running, processes_wanted, queue_rows
from fleet.services.tallies import SETTLED_SECONDS, STEP_SECONDS, tallies_count
from jobs.files.storage import REPLAYS, file_store
from jobs.models import Worker
from ladder.models import BotVersion
from matches.models import Attempt, Match
from matches.verdicts import VERDICTS
from tests.fleet.makers import make_attempt, make_worker
from tests.ladder import makers
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_records, make_version
from tests.workshop.makers import make_try
from workshop.models import Try

pytestmark = [pytest.mark.database, pytest.mark.django_db]

QUERIES = 15
GAME = "kakomimasu"


def samples() -> dict[tuple[str, ...], float]:
    """Scrape the metrics; return each sample by its name and the values of its labels, ordered by label name."""
    found = {}
    for family in text_string_to_metric_families(metrics_text().decode()):
        for sample in family.samples:
            found[(sample.name, *(sample.labels[name] for name in sorted(sample.labels)))] = sample.value
    return found


def begin_counting(seconds_ago: float = 600) -> None:
    TallyMark.objects.create(pk=1, counted_until=timezone.now() - timedelta(seconds=seconds_ago))


def make_ended(seconds_ago: float = 60, *, fault_turn: int = 0, state: str = "") -> Match:
    """Make a match that ended some seconds ago, with its attempts."""
    name = f"bot {Match.objects.count()}"
    match = make_match(make_version(f"{name} a"), make_version(f"{name} b"))
    finish_match(match, make_records("a", "b", fault_turn=fault_turn))
    ended_at = timezone.now() - timedelta(seconds=seconds_ago)
    match.attempts.update(ended_at=ended_at, started_at=ended_at - timedelta(seconds=20))
    match.attempts.update(queued_at=ended_at - timedelta(seconds=22))
    Match.objects.filter(pk=match.pk).update(finished_at=ended_at, **{"state": state} if state else {})
    return match


# --- Counters -------------------------------------------------------------------------------------------------------


def test_counting_begins_when_it_is_first_asked_for() -> None:
    make_ended()
    tallies_count()
    assert not Tally.objects.exists()
    assert TallyMark.objects.get().counted_until <= timezone.now() - timedelta(seconds=SETTLED_SECONDS)


def test_matches_attempts_faults_and_phases_are_counted_once() -> None:
    begin_counting()
    match = make_ended(fault_turn=3)
    make_attempt(match, Attempt.Ending.LOST, ended_at=timezone.now() - timedelta(seconds=90))
    make_ended(fault_turn=3, state=Match.State.VOID)
    for _ in range(3):
        tallies_count()
    found = samples()
    assert found["banzuke_matches_total", "finished", GAME] == 1
    assert found["banzuke_matches_total", "void", GAME] == 1
    assert found["banzuke_attempts_total", "result", GAME] == 2
    assert found["banzuke_attempts_total", "lost", GAME] == 1
    faults = {key[1:]: count for key, count in found.items() if key[0] == "banzuke_faults_total" and count}
    assert faults == {(GAME, "crashed"): 1}
    assert found["banzuke_phase_seconds_sum", GAME, "playing"] == pytest.approx(40)
    assert found["banzuke_phase_seconds_sum", GAME, "waiting"] == pytest.approx(4)


def test_counters_stand_at_nought_before_anything_happens() -> None:
    found = samples()
    for game in settings.GAMES:
        assert {found["banzuke_matches_total", ending, game] for ending in ("finished", "void")} == {0}
        assert {found["banzuke_attempts_total", ending, game] for ending in Attempt.Ending.values} == {0}
        assert {found["banzuke_faults_total", game, verdict] for verdict in VERDICTS} == {0}


def test_what_ends_where_one_count_ends_and_the_next_begins_is_counted_once() -> None:
    begin_counting(seconds_ago=2 * STEP_SECONDS)
    begin = TallyMark.objects.get().counted_until
    for at in (begin, begin + timedelta(seconds=STEP_SECONDS)):
        match = make_ended()
        match.attempts.update(ended_at=at)
        Match.objects.filter(pk=match.pk).update(finished_at=at)
    tallies_count()
    found = samples()
    assert found["banzuke_matches_total", "finished", GAME] == 2
    assert found["banzuke_attempts_total", "result", GAME] == 2


def test_the_buckets_of_a_phase_add_up() -> None:
    begin_counting()
    make_ended().attempts.update(queued_at=timezone.now())
    tallies_count()
    found = samples()
    assert found["banzuke_phase_seconds_sum", GAME, "waiting"] == 0, "a clock that was set back takes nothing"
    buckets = {key[2]: value for key, value in found.items() if key[0].endswith("_bucket") and key[3] == "playing"}
    assert buckets == {
        **dict.fromkeys(("0.1", "0.3", "1", "3", "10"), 0),
        **dict.fromkeys(("30", "60", "120", "300", "600", "+Inf"), 1),
    }


def test_an_ending_that_is_not_settled_waits_for_the_next_time() -> None:
    begin_counting()
    make_ended(seconds_ago=SETTLED_SECONDS / 2)
    tallies_count()
    assert not Tally.objects.exists()


def test_a_manager_that_was_away_counts_all_it_missed_in_steps() -> None:
    begin_counting(seconds_ago=5 * STEP_SECONDS)
    for steps in range(4):
        make_ended(seconds_ago=(steps + 0.5) * STEP_SECONDS)
    tallies_count()
    assert samples()["banzuke_matches_total", "finished", GAME] == 4


def test_counters_that_stand_still_are_reported() -> None:
    assert math.isnan(samples()["banzuke_counters_age_seconds",])
    begin_counting(seconds_ago=500)
    assert samples()["banzuke_counters_age_seconds",] == pytest.approx(500, abs=30)


# --- What is now ----------------------------------------------------------------------------------------------------


def test_the_queue_by_game_and_class() -> None:
    for number in range(2):
        match = make_match(make_version(f"{number} a"), make_version(f"{number} b"), queue_class="ladder")
        Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(seconds=40 + number))
    make_match(make_version("c"), make_version("d"), queue_class="house")
    old = make_version("new", state=BotVersion.State.UPLOADED)
    makers.make_version(old.bot, state=BotVersion.State.UPLOADED)
    found = samples()
    assert found["banzuke_queue_length", "ladder", GAME] == 2
    assert found["banzuke_queue_length", "house", GAME] == 1
    assert found["banzuke_queue_length", "build", GAME] == 1
    assert found["banzuke_queue_length", "house_build", GAME] == 1, "of what a newer version overtakes"
    assert found["banzuke_queue_oldest_seconds", "ladder", GAME] == pytest.approx(41, abs=20)
    assert found["banzuke_versions", "uploaded"] == 2


def test_the_disk_space_for_replays_is_that_of_their_disk() -> None:
    file_store(store=REPLAYS, chunks=[b"a replay"], max_bytes=100)
    free_bytes = shutil.disk_usage(storages[REPLAYS].location).free
    assert samples()["banzuke_storage_free_bytes",] == pytest.approx(free_bytes, rel=0.1)


def test_workers_and_their_cores() -> None:
    make_worker("play@one")
    make_worker("play@two", processes=3, busy=3, cores=4, cpu_percent=100.0, self_test="A wall is missing.")
    make_worker("play@old", state=Worker.State.GONE)
    found = samples()
    assert found["banzuke_workers", "active"] == 2
    assert found["banzuke_workers", "gone"] == 1
    assert found["banzuke_processes",] == 5
    assert found["banzuke_processes_busy",] == 4
    assert found["banzuke_cores_busy",] == pytest.approx(5)
    assert found["banzuke_worker_self_test_failed", "play@two"] == 1
    assert ("banzuke_worker_seen_seconds", "play@old") not in found


@pytest.mark.parametrize(
    ("processes", "busy", "waiting", "oldest", "running", "wanted"),
    [
        (0, 0, 0, 0, 0, 0),  # nothing to do
        (0, 0, 1, 1, 0, 1),  # somebody must begin
        (4, 0, 0, 0, 0, 1),  # one stays for the next job
        (4, 1, 0, 0, 1, 1),  # as many as are busy
        (4, 4, 20, 10, 4, 4),  # short waits need no more
        (4, 4, 20, 45, 4, 6),  # half too old, half more
        (4, 4, 20, 3_600, 4, 8),  # never more than twice as many at once
        (4, 2, 1, 3_600, 2, 3),  # nor more than there are jobs, however old one is
        (4, 4, 0, 0, 1, 1),  # three play matches between house bots, which need no process
    ],
)
def test_wanted_processes_follow_the_age_of_the_queue(
    processes: int, busy: int, waiting: int, oldest: float, running: int, wanted: int
) -> None:
    rows = [QueueRow(GAME, "ladder", "rated", waiting, oldest)] if waiting else []
    if processes:  # nobody waits for house bots
        rows += [QueueRow(GAME, line, "", 1, oldest_seconds=3_600) for line in ("house", "house_build")]
    totals = ProcessTotals(processes, busy, cores=4, cores_busy=0)
    assert processes_wanted(rows=rows, totals=totals, running=running, is_managed=True) == wanted
    # While results wait for managers, more workers would only send more of them.
    unmanaged = processes_wanted(rows=rows, totals=totals, running=running, is_managed=False)
    assert unmanaged == (min(wanted, processes) if processes else wanted)


def test_jobs_under_way_are_those_that_somebody_waits_for() -> None:
    players = [make_version(name) for name in ("a", "b")]
    lease = {"state": Match.State.RUNNING, "lease_ends_at": timezone.now()}
    for line in Match.QueueClass:
        kind = Match.Kind.EXHIBITION if line == Match.QueueClass.TABLE else Match.Kind.LADDER
        make_match(*players, kind=kind, queue_class=line, **lease)
    make_match(*players)
    make_version("uploaded", state=BotVersion.State.BUILDING)
    ours = makers.make_bot("ours", make_user("house"), is_house=True, declared_rating=1500.0)
    makers.make_version(ours, state=BotVersion.State.BUILDING)
    make_try(make_user("tess"))
    assert [row.length for row in queue_rows() if row.queue_class == "try"] == [1]
    Try.objects.update(state=Try.State.RUNNING)
    assert not [row for row in queue_rows() if row.queue_class == "try"]
    assert jobs_running() == len(Match.QueueClass) - 2 + 2  # tables have workers of their own


# --- Cost and access ------------------------------------------------------------------------------------------------


def test_the_number_of_queries_is_fixed(
    django_assert_num_queries: DjangoAssertNumQueries, settings: Settings, broker_url: str
) -> None:
    settings.REDIS_URL = broker_url
    with django_assert_num_queries(QUERIES):
        metrics_text()
    begin_counting()
    for number in range(5):
        make_worker(f"play@{number}")
        make_ended()
    tallies_count()
    with django_assert_num_queries(QUERIES):
        metrics_text()


def test_administrators_and_the_token_may_read_and_others_get_404(client: Client, settings: Settings) -> None:
    def status(token: str | None = None) -> int:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return client.get("/metrics", headers=headers).status_code

    assert (status(), status("")) == (404, 404)
    settings.METRICS_TOKEN = "right"
    assert (status("wrong"), status("right")) == (404, 200)
    assert client.get("/metrics", headers={"Authorization": "bearer right"}).status_code == 200
    assert client.get("/metrics", headers={"Authorization": "Basic right"}).status_code == 404
    client.force_login(make_user("alice"))
    assert status() == 404
    client.force_login(make_user("admin", is_staff=True))
    assert b"# TYPE banzuke_queue_length gauge" in client.get("/metrics").content
