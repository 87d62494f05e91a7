"""Probation: a version with too many faults is not paired any more, in whatever order and how often reports arrive."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import msgspec
import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from accounts.models import AuditEntry, Notification, User
from common.errors import InputError
from core.message import said
from ladder.models import Bot, BotVersion, Rating
from ladder.selectors.boards import board_page, version_rank
from ladder.services import examining
from ladder.services.uploads import version_create
from ladder.services.versions import version_resume, version_transition
from matches.models import Match
from matches.selectors.probations import probation_faults
from matches.services import probation
from matches.services.lifecycle import match_void
from matches.services.match_jobs import MATCHES
from matches.services.pairing import matches_pair
from matches.services.probation import FAULTS_MAX, MATCHES_JUDGED, probation_judge
from matches.services.ratings import ratings_refit
from tests.ladder.makers import an_upload, make_rating, make_standings, make_user
from tests.matches.makers import make_match, make_version, with_replay
from wire.jobs import FaultReport, MatchReport, SeatReport

pytestmark = pytest.mark.django_db

State = BotVersion.State
CRASH = FaultReport("crashed", said("It ended with exit code 1."), 3)


@pytest.fixture
def ant() -> BotVersion:
    return make_version("ant", "alice")


@pytest.fixture
def bee() -> BotVersion:
    return make_version("bee", "bob")


def paired(ant: BotVersion, bee: BotVersion, encounter: str = "", **fields: object) -> Match:
    """Make a match that is in the queue, of an encounter of its own unless one is given."""
    match = make_match(ant, bee, **fields)
    Match.objects.filter(pk=match.pk).update(encounter=encounter or f"{match.pk:032}")
    MATCHES.requeue(match)
    match.refresh_from_db()
    return match


def report(match: Match, *, faults: str = "") -> MatchReport:
    """The report of a worker: the seats whose letters are given have crashed."""
    fault = [CRASH if letter in faults else None for letter in "AB"]
    seats = [SeatReport(2 if fault[i] else 1, 0.0, 100.0, 9.0, fault[i]) for i in range(2)]
    if faults == "AB":
        seats = [msgspec.structs.replace(seat, rank=1) for seat in seats]
    return with_replay(match, MatchReport(match.pk, match.attempt, match.lease_token, "worker-1", 30, seats, None))


def play(ant: BotVersion, bee: BotVersion, faults: str = "", **fields: object) -> Match:
    match = paired(ant, bee, **fields)
    MATCHES.record(report=report(match, faults=faults))
    match.refresh_from_db()
    return match


def state(version: BotVersion) -> str:
    version.refresh_from_db()
    return version.state


# --- When -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "ends"),
    [
        ("FF", State.ACTIVE),
        ("FFF", State.PROBATION),
        ("F.F.F", State.PROBATION),
        ("FF..F", State.PROBATION),
        ("FF...F", State.ACTIVE),
        ("F..F..F..F", State.ACTIVE),
        ("....FFF", State.PROBATION),
    ],
)
def test_three_faults_in_five_matches(ant: BotVersion, bee: BotVersion, story: str, ends: str) -> None:
    for match in story:
        play(ant, bee, "A" if match == "F" else "")
    assert state(ant) == ends
    assert state(bee) == State.ACTIVE


def test_one_bad_seed_is_no_habit(ant: BotVersion, bee: BotVersion) -> None:
    for _ in range(4):
        play(ant, bee, "A", encounter="e" * 32)
    assert state(ant) == State.ACTIVE
    play(ant, bee, "A")
    assert state(ant) == State.PROBATION


@pytest.mark.parametrize("kind", [Match.Kind.TRIAL, Match.Kind.RERUN])
def test_private_tests_and_reruns_do_not_count(ant: BotVersion, bee: BotVersion, kind: Match.Kind) -> None:
    original = play(ant, bee) if kind == Match.Kind.RERUN else None
    for _ in range(MATCHES_JUDGED):
        play(ant, bee, "A", kind=kind, original=original)
    assert state(ant) == State.ACTIVE


def test_a_fault_in_a_match_that_was_won_does_not_count(ant: BotVersion, bee: BotVersion) -> None:
    """In Wondev Woman, for example, a seat at fault keeps its points, and may win."""
    for _ in range(MATCHES_JUDGED):
        match = paired(ant, bee)
        reported = report(match, faults="A")
        seats = [msgspec.structs.replace(seat, rank=rank) for seat, rank in zip(reported.seats, (1, 2), strict=True)]
        MATCHES.record(report=msgspec.structs.replace(reported, seats=seats))
    assert state(ant) == State.ACTIVE
    for _ in range(FAULTS_MAX):
        play(ant, bee, "A")
    assert state(ant) == State.PROBATION
    assert len(probation_faults(version=ant)) == FAULTS_MAX, "those that brought it there"


# --- Whatever comes ---------------------------------------------------------------------------------------------------


def test_a_result_that_comes_twice_counts_once(ant: BotVersion, bee: BotVersion) -> None:
    for _ in range(FAULTS_MAX - 1):
        match = paired(ant, bee)
        for _ in range(3):
            MATCHES.record(report=report(match, faults="A"))
    assert state(ant) == State.ACTIVE
    match = paired(ant, bee)
    for _ in range(3):
        MATCHES.record(report=report(match, faults="A"))
    assert state(ant) == State.PROBATION
    assert Notification.objects.filter(kind="probation").count() == 1


@pytest.mark.django_db(transaction=True)
def test_results_that_come_at_once_see_each_other(
    ant: BotVersion, bee: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two managers record matches of the same bots in opposite seats: both faults count, without a deadlock."""
    play(ant, bee, "AB")
    matches = [paired(ant, bee), paired(bee, ant)]
    both_count, fails_too_often = Barrier(len(matches)), probation._fails_too_often

    def count(version: BotVersion) -> bool:
        with suppress(BrokenBarrierError):  # as it should be: one waits until the other is committed
            both_count.wait(timeout=1)
        return fails_too_often(version)

    monkeypatch.setattr(probation, "_fails_too_often", count)

    def record(match: Match) -> None:
        try:
            MATCHES.record(report=report(match, faults="AB"))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(matches)) as managers:
        list(managers.map(record, matches))
    assert (state(ant), state(bee)) == (State.PROBATION, State.PROBATION)
    assert Notification.objects.filter(kind="probation").count() == 2


def test_an_attempt_that_was_given_up_does_not_count(ant: BotVersion, bee: BotVersion) -> None:
    for _ in range(MATCHES_JUDGED):
        match = paired(ant, bee)
        late = report(match, faults="A")
        MATCHES.requeue(match)
        MATCHES.record(report=late)
        match.refresh_from_db()
        MATCHES.record(report=report(match))
    assert state(ant) == State.ACTIVE


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_results_does_not_matter_once_all_are_in(ant: BotVersion, bee: BotVersion, seed: int) -> None:
    """Of five matches with three faults, whichever result comes last leads to probation."""
    matches = [(paired(ant, bee), faults) for faults in ("A", "", "A", "", "A")]
    random.Random(seed).shuffle(matches)  # noqa: S311 - an order, no secret
    for match, faults in matches:
        MATCHES.record(report=report(match, faults=faults))
    assert state(ant) == State.PROBATION


def test_matches_that_wait_are_played_and_rated(ant: BotVersion, bee: BotVersion) -> None:
    waiting = [paired(ant, bee) for _ in range(3)]
    for _ in range(FAULTS_MAX):
        play(ant, bee, "A")
    assert state(ant) == State.PROBATION
    for match, faults in zip(waiting, ("", "A", ""), strict=True):
        MATCHES.record(report=report(match, faults=faults))
        match.refresh_from_db()
        assert match.state == Match.State.FINISHED
    assert state(ant) == State.PROBATION
    assert Notification.objects.filter(kind="probation").count() == 1
    assert ratings_refit(contest="kakomimasu")
    assert Rating.objects.get(version=ant).games == 6


def test_a_version_that_was_replaced_meanwhile_is_left_alone(ant: BotVersion, bee: BotVersion) -> None:
    waiting = [paired(ant, bee) for _ in range(FAULTS_MAX)]
    version_transition(version=ant, to=State.RETIRED)
    for match in waiting:
        MATCHES.record(report=report(match, faults="A"))
    assert set(Match.objects.values_list("state", flat=True)) == {Match.State.FINISHED}, "its results count"
    assert state(ant) == State.RETIRED
    assert not Notification.objects.filter(kind="probation").exists()


def test_void_matches_end_a_probation_once_the_other_faults_are_too_few(ant: BotVersion, bee: BotVersion) -> None:
    matches = [play(ant, bee), *(play(ant, bee, "A") for _ in range(FAULTS_MAX + 1))]
    for match, ends in zip(matches, (State.PROBATION, State.PROBATION, State.ACTIVE), strict=False):
        match_void(match=match, reason=said("Its worker was not to be trusted."))
        assert state(ant) == ends
    play(ant, bee, "A")
    assert state(ant) == State.PROBATION
    assert Notification.objects.filter(kind="probation").count() == 2


# --- What it means ----------------------------------------------------------------------------------------------------


@pytest.fixture
def guilty(ant: BotVersion, bee: BotVersion) -> BotVersion:
    for _ in range(FAULTS_MAX):
        play(ant, bee, "A")
    ant.refresh_from_db()
    assert ant.state == State.PROBATION
    return ant


def test_it_is_not_paired_and_the_others_are(guilty: BotVersion, bee: BotVersion) -> None:
    cat = make_version("cat", "carol", artifact_digest="c" * 64)
    assert matches_pair(contest="kakomimasu") > 0
    played = Match.objects.filter(state=Match.State.QUEUED)
    assert set(played.values_list("seats__version", flat=True)) == {bee.pk, cat.pk}


def test_it_keeps_its_place_on_the_board(guilty: BotVersion, bee: BotVersion) -> None:
    for version, rating in ((guilty, 1_600.0), (bee, 1_500.0)):
        make_rating(version, rating)
    make_standings()
    rows = board_page(contest="kakomimasu").rows
    assert [(row.version, row.rank) for row in rows] == [(guilty, 1), (bee, 2)]
    assert version_rank(version=BotVersion.objects.get(pk=guilty.pk)) == 1


def test_its_owner_is_told_and_shown_the_faults(guilty: BotVersion) -> None:
    notification = Notification.objects.get(kind="probation")
    assert (notification.reader.username, notification.values["version"]) == ("alice", guilty.pk)
    faults = probation_faults(version=guilty)
    assert [seat.verdict for seat in faults] == ["crashed"] * FAULTS_MAX


def test_a_house_bot_is_not_put_there_in_silence(ant: BotVersion, bee: BotVersion) -> None:
    staff = [make_user("root admin", is_staff=True), make_user("other admin", is_staff=True)]
    make_user("gone admin", is_staff=True, is_active=False)
    Bot.objects.filter(pk=ant.bot_id).update(is_house=True, declared_rating=1_500)
    for _ in range(FAULTS_MAX):
        play(ant, bee, "A")
    assert state(ant) == State.PROBATION
    assert {notification.reader for notification in Notification.objects.filter(kind="probation")} == set(staff)


# --- Its end ----------------------------------------------------------------------------------------------------------


def test_the_owner_who_has_looked_ends_the_probation(guilty: BotVersion, bee: BotVersion) -> None:
    owner = guilty.bot.owner
    after = version_resume(version=guilty, actor=owner)
    assert (after.state, after.parent, after.activated_at) == (State.ACTIVE, guilty.parent, guilty.activated_at)
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act, entry.target) == (owner, "version_resume", "ant v1")
    assert probation_faults(version=after) == []
    assert not Notification.objects.filter(kind="built").exists(), "it was built long ago"


def test_what_was_before_is_forgiven_and_what_comes_is_not(guilty: BotVersion, bee: BotVersion) -> None:
    version_resume(version=guilty, actor=guilty.bot.owner)
    for number in range(FAULTS_MAX):
        assert state(guilty) == State.ACTIVE, number
        play(guilty, bee, "A")
    assert state(guilty) == State.PROBATION
    assert Notification.objects.filter(kind="probation").count() == 2


@pytest.mark.parametrize("start", [s for s in State if s != State.PROBATION])
def test_only_a_probation_can_be_ended(bee: BotVersion, start: str) -> None:
    BotVersion.objects.filter(pk=bee.pk).update(state=start)
    with pytest.raises(InputError, match="not on probation"):
        version_resume(version=bee, actor=bee.bot.owner)
    assert state(bee) == start
    assert not AuditEntry.objects.exists()


def test_a_new_version_starts_clean(guilty: BotVersion, bee: BotVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "build_enqueue", lambda *, version: None)
    owner = User.objects.get(username="alice")
    newer = version_create(owner=owner, contest="kakomimasu", name="ant", upload=an_upload(b"print('better')"))
    newer = version_transition(version=newer, to=State.ACTIVE, artifact_digest="f" * 64)
    assert (state(guilty), newer.state, newer.parent) == (State.RETIRED, State.ACTIVE, guilty)
    for _ in range(FAULTS_MAX - 1):
        play(newer, bee, "A")
    assert state(newer) == State.ACTIVE


def test_the_same_file_again_is_no_way_out(guilty: BotVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "build_enqueue", lambda *, version: None)
    owner = User.objects.get(username="alice")
    version_create(owner=owner, contest="kakomimasu", name="ant", upload=an_upload())
    digest = BotVersion.objects.latest("pk").bundle_digest
    BotVersion.objects.filter(state=State.UPLOADED).delete()
    BotVersion.objects.filter(pk=guilty.pk).update(bundle_digest=digest)
    with pytest.raises(InputError, match="has arrived as version 1"):
        version_create(owner=owner, contest="kakomimasu", name="ant", upload=an_upload())


def test_only_a_fault_costs_queries(
    ant: BotVersion, bee: BotVersion, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    good, bad = (list(play(ant, bee, faults).seats.all()) for faults in ("", "A"))
    with django_assert_num_queries(0):
        probation_judge(seats=good)
    with django_assert_num_queries(3):  # the bots' lock, the versions, the last results
        probation_judge(seats=bad)
