"""Pairing keeps the queue of matches short and full, by one manager at a time."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker, Settings

from games.registry import game_named
from ladder.models import BotVersion
from matches.models import Attempt, BoardLock, Match, Seat
from matches.services.pairing import contests_to_pair, matches_pair, matches_pair_again
from tests.contests.playing import make_contest, make_entry
from tests.ladder.makers import make_bot, make_rating, make_user, make_version
from tests.matches.makers import queue_match

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


@pytest.fixture(autouse=True)
def no_workers(settings: Settings) -> None:
    """The queue is as short as the settings say."""
    settings.PROCESSES_ASSUMED = 0


def make_rival(name: str, **fields: object) -> BotVersion:
    """Make an active version of a bot with an owner and a program of its own."""
    digest = name.encode().hex().ljust(64, "0")[:64]
    return make_version(make_bot(name, make_user(f"owner of {name}")), **{"artifact_digest": digest, **fields})


def make_house(*names: str, games: int = 0) -> list[BotVersion]:
    """Make active versions of house bots that have played so many matches."""
    owner = make_user("house")
    bots = [make_bot(name, owner, is_house=True, declared_rating=1500.0) for name in names]
    versions = [make_version(bot, artifact_digest=f"{i:064x}") for i, bot in enumerate(bots)]
    for version in versions[: games and len(versions)]:
        make_rating(version, standard_error=90.0, games=games)
    return versions


def seatings() -> list[tuple[str, ...]]:
    matches = Match.objects.order_by("pk").prefetch_related("seats__version__bot")
    return [tuple(seat.version.bot.name for seat in match.seats.all()) for match in matches]


def test_house_bots_bring_an_arena_to_life(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT = 6
    make_house("ring", "greedy", "breaker")
    assert matches_pair(contest=GAME) == 6
    pairs = seatings()
    assert {frozenset(pair) for pair in pairs} == {
        frozenset(pair) for pair in (("ring", "greedy"), ("ring", "breaker"), ("greedy", "breaker"))
    }
    assert sorted(pairs) == sorted(pair[::-1] for pair in pairs), "every pair from both seats"
    assert Match.objects.values("seed").distinct().count() == 3, "every encounter has a seed of its own"


def test_an_encounter_has_one_seed_plays_what_the_ladder_plays_and_is_handed_out() -> None:
    make_house("ring", "greedy")
    assert matches_pair(contest=GAME) == 2
    first, second = Match.objects.order_by("pk")
    assert (first.seed, first.encounter) == (second.seed, second.encounter)
    assert first.encounter != ""
    rules = game_named(GAME)
    assert first.rules_version == rules.rules_version
    assert first.options == next(iter(rules.rulesets.values()))
    assert 0 <= first.seed < 2**53
    assert set(Match.objects.values_list("state", "attempt")) == {(Match.State.QUEUED, 1)}
    assert Attempt.objects.count() == 2
    assert all(Match.objects.values_list("lease_token", flat=True))


def test_the_queue_stays_short(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT = 4
    make_house("a", "b", "c", "d")
    assert matches_pair(contest=GAME) == 4
    assert matches_pair(contest=GAME) == 0
    Match.objects.filter(pk=Match.objects.order_by("pk")[0].pk).update(state=Match.State.VOID)
    assert matches_pair(contest=GAME) == 2, "an encounter is never cut in two"


def test_while_the_queue_is_full_the_versions_are_not_read(settings: Settings) -> None:
    """The timetable checks the queue every two seconds, and there may be ten thousand versions."""
    settings.MATCHES_IN_FLIGHT = 4
    for name in "abcd":
        make_rival(name)
    assert matches_pair(contest=GAME) == 4
    with CaptureQueriesContext(connection) as queries:
        assert matches_pair(contest=GAME) == 0
    assert not [query for query in queries if "ladder_botversion" in query["sql"]]


def test_a_pair_that_is_playing_is_not_paired_again() -> None:
    make_house("ring", "greedy")
    assert matches_pair(contest=GAME) == 2
    Match.objects.filter(pk=Match.objects.order_by("pk")[0].pk).update(state=Match.State.FINISHED)
    assert matches_pair(contest=GAME) == 0


@pytest.mark.parametrize("state", [s for s in BotVersion.State if s != BotVersion.State.ACTIVE])
def test_only_active_versions_play(state: BotVersion.State) -> None:
    make_house("ring")
    make_rival("other", state=state)
    assert matches_pair(contest=GAME) == 0


def test_neither_two_bots_of_a_user_meet_nor_two_with_the_same_program() -> None:
    user = make_user("carol")
    for name in ("left", "right"):
        make_version(make_bot(name, user), artifact_digest=name[0].encode().hex() * 32)
    assert matches_pair(contest=GAME) == 0
    BotVersion.objects.update(artifact_digest="e" * 64)
    make_rival("other", artifact_digest="e" * 64)
    assert matches_pair(contest=GAME) == 0


def test_a_failure_leaves_no_half_encounter(monkeypatch: pytest.MonkeyPatch) -> None:
    make_house("ring", "greedy")

    def insert(_rows: Iterable[Seat]) -> None:
        raise RuntimeError("the database went away")

    monkeypatch.setattr(Seat.objects, "bulk_create", insert)
    with pytest.raises(RuntimeError), transaction.atomic():
        matches_pair(contest=GAME)
    assert not Match.objects.exists()
    assert not Seat.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_managers_at_once_fill_the_queue_once(settings: Settings, django_db_blocker: DjangoDbBlocker) -> None:
    settings.MATCHES_IN_FLIGHT = 4
    make_house("a", "b", "c", "d")

    def manager(_: int) -> int:
        with django_db_blocker.unblock():
            try:
                return matches_pair(contest=GAME)
            finally:
                connection.close()

    with ThreadPoolExecutor(4) as managers:
        made = list(managers.map(manager, range(4)))
    assert sorted(made) == [0, 0, 0, 4]
    assert Match.objects.count() == 4
    assert BoardLock.objects.count() == 1


def classes() -> set[str]:
    return set(Match.objects.values_list("queue_class", flat=True))


def test_the_first_matches_of_a_visitor_have_a_queue_class_of_their_own(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT = 2
    make_house("ring", games=500)
    newcomer = make_rival("newcomer")
    matches_pair(contest=GAME)
    assert classes() == {Match.QueueClass.PLACEMENT}
    make_rating(newcomer, standard_error=90.0, games=20)
    Match.objects.update(state=Match.State.FINISHED, lease_token="")
    matches_pair(contest=GAME)
    assert classes() == {Match.QueueClass.PLACEMENT, Match.QueueClass.LADDER}


def test_matches_of_placed_house_bots_do_not_fill_the_queue_of_visitors(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT = 4
    make_house("a", "b", "c", "d", games=20)
    assert matches_pair(contest=GAME) == 4
    assert classes() == {Match.QueueClass.HOUSE}
    make_rival("visitor")
    assert matches_pair(contest=GAME) == 4
    assert Match.objects.filter(queue_class=Match.QueueClass.PLACEMENT).count() == 4


def test_house_bots_play_their_first_matches_as_everybody_does(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT = 4
    make_house("a", "b", "c", "d")
    spring = make_contest()
    queue_match(make_entry(spring, "one").pk, make_entry(spring, "two").pk, contest_id="spring", queue_class="ladder")
    assert matches_pair(contest=GAME) == 4, "although others play in another contest"
    assert classes() == {Match.QueueClass.LADDER, Match.QueueClass.PLACEMENT}


@pytest.mark.parametrize("queue_class", [Match.QueueClass.TOURNAMENT, Match.QueueClass.LADDER])
def test_placed_house_bots_play_nothing_among_themselves_while_others_play(
    settings: Settings, queue_class: Match.QueueClass
) -> None:
    settings.MATCHES_IN_FLIGHT = 4
    make_house("a", "b", games=20)
    spring = make_contest()
    elsewhere = [make_entry(spring, name).pk for name in ("one", "two")]
    kind = Match.Kind.TOURNAMENT if queue_class == Match.QueueClass.TOURNAMENT else Match.Kind.LADDER
    queue_match(*elsewhere, contest_id="spring", kind=kind, queue_class=queue_class)
    assert matches_pair(contest=GAME) == 0
    make_rival("visitor")
    assert matches_pair(contest=GAME) == 4, "the ladder goes on"


def test_however_many_matches_are_played_again_new_ones_are_paired(settings: Settings) -> None:
    """A quarantined worker may have played thousands: while they wait, new matches are paired all the same."""
    settings.MATCHES_IN_FLIGHT = 4
    settled = make_house("a", "b")
    for _ in range(20):
        queue_match(*[version.pk for version in settled], queue_class=Match.QueueClass.REPLACED)
    make_rival("newcomer")
    assert matches_pair(contest=GAME) == 4


def test_a_match_that_has_ended_makes_room_at_once(settings: Settings) -> None:
    settings.MATCHES_IN_FLIGHT = 4
    make_house("a", "b", "c", "d")
    matches_pair(contest=GAME)
    ended = Match.objects.order_by("pk")[:2]
    assert matches_pair_again(contest=GAME) == 0, "the queue is full yet"
    for match in ended:
        Match.objects.filter(pk=match.pk).update(state=Match.State.FINISHED)
    assert matches_pair_again(contest=GAME) == 2


def test_one_end_in_many_triggers_a_check_while_many_are_in_flight(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty bots are too few for a hundred matches: each check would pair the two bots that have become free."""
    settings.MATCHES_IN_FLIGHT = 100
    make_house(*(f"bot {number}" for number in range(20)))
    assert matches_pair(contest=GAME) > 40
    ended = Match.objects.order_by("-pk")[32:]
    Match.objects.filter(pk__in=[match.pk for match in ended]).update(state=Match.State.FINISHED)
    monkeypatch.setattr(secrets, "randbelow", lambda below: below - 1)
    assert matches_pair_again(contest=GAME) == 0
    monkeypatch.setattr(secrets, "randbelow", lambda below: 0)
    assert matches_pair_again(contest=GAME) > 0


@pytest.mark.parametrize("game", [GAME, ""])
def test_no_match_is_made_for_a_report_of_nothing(settings: Settings, game: str) -> None:
    """Workers may report matches that do not exist, and a game may be removed while its matches are played."""
    settings.GAMES = ["puyo"]
    make_house("a", "b")
    assert matches_pair_again(contest=game) == 0


def test_only_open_contests_in_which_two_versions_play_and_whose_queue_is_short_are_paired(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Hundreds of contests that are over, have no bots or enough matches must not cost a moment every two seconds."""
    for slug, state, bots in (("one", "open", 1), ("two", "open", 2), ("paused", "paused", 2), ("over", "frozen", 2)):
        contest = make_contest(slug, state=state)
        for number in range(bots):
            make_entry(contest, f"bot {number}", artifact_digest=f"{number:064x}")
    settings.MATCHES_IN_FLIGHT = 2
    with django_assert_num_queries(3):
        assert contests_to_pair() == ["two"]
    assert matches_pair(contest="two")
    assert contests_to_pair() == []
