"""Ratings in the database: the stored fit of all results, however many fits run and whichever ends first."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from ladder.models import Bot, BotVersion, Rating, RatingPoint
from ladder.selectors.bots import bot_rating_points
from matches.models import BoardLock, Match, Seat
from matches.selectors.changes import match_changes
from matches.selectors.rated_results import RatedResults
from matches.services import ratings
from matches.services.ratings import boards_outdated, match_log, ratings_refit, ratings_refit_in_turn
from rating.log import MatchLog, RatedVersion
from tests.contests.playing import make_contest, make_entry, play
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


def make_rival(name: str, **fields: object) -> BotVersion:
    return make_version(make_bot(name, make_user(f"owner of {name}"), **fields))


def make_house(name: str, declared: float) -> BotVersion:
    return make_rival(name, is_house=True, declared_rating=declared)


def finish(*results: tuple[BotVersion, int], **fields: object) -> Match:
    """Make a finished match of versions in seat order with their ranks."""
    row = {
        "contest_id": GAME,
        "game": GAME,
        "rules_version": "1",
        "seed": 1,
        "encounter": "e" * 32,
        "state": Match.State.FINISHED,
    }
    match = Match.objects.create(**row | {"finished_at": timezone.now()} | fields)
    rows = [Seat(match=match, index=i, version=version, rank=rank) for i, (version, rank) in enumerate(results)]
    Seat.objects.bulk_create(rows)
    return match


def beat(winner: BotVersion, loser: BotVersion, times: int = 1) -> None:
    """Let one beat the other from both seats."""
    for _ in range(times):
        finish((winner, 1), (loser, 2))
        finish((loser, 2), (winner, 1))


def shown() -> dict[str, tuple[float, float, int]]:
    rows = Rating.objects.select_related("version__bot")
    return {row.version.bot.name: (row.rating, row.standard_error, row.games) for row in rows}


def test_winners_stand_above_losers() -> None:
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak, times=3)
    assert ratings_refit(contest=GAME)
    assert strong.rating.rating > 1600 > 1400 > weak.rating.rating
    assert (strong.rating.games, weak.rating.games) == (6, 6)
    assert strong.rating.last_match_at == Match.objects.latest("pk").finished_at


def test_the_log_of_a_game_reads_no_seats_of_others() -> None:
    """Else the log of a small game among a million other matches would fill the memory of a web process."""
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak, times=3)
    first, *between, last = Match.objects.order_by("pk")
    Match.objects.filter(pk__in=[match.pk for match in between]).update(contest="puyo", game="puyo")
    with CaptureQueriesContext(connection) as queries:
        assert list(match_log(contest=GAME).matches) == [first.pk, last.pk]
    (seats,) = [query["sql"] for query in queries if 'FROM "matches_seat"' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(seats)
        assert len(cursor.fetchall()) == 4


def test_without_news_nothing_is_fitted(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    beat(make_rival("strong"), make_rival("weak"))
    assert ratings_refit(contest=GAME)
    fitted = Rating.objects.values_list("fitted_at", flat=True)[0]
    with django_assert_num_queries(5):
        assert not ratings_refit(contest=GAME)
    assert Rating.objects.values_list("fitted_at", flat=True)[0] == fitted


def test_one_look_for_news_serves_all_contests(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    house = make_house("house", 1_500.0)
    beat(house, make_rival("weak"))
    others = [make_contest(f"contest-{number}") for number in range(5)]
    contests = [GAME, *(contest.slug for contest in others)]
    bots = [make_entry(others[0], name) for name in "ab"]
    assert boards_outdated(contests=contests) == contests, "none was fitted yet"
    for contest in contests:
        assert ratings_refit(contest=contest)
    with django_assert_num_queries(5):
        assert boards_outdated(contests=contests) == []
    play(others[0], *bots)
    make_entry(others[1], "c")
    Bot.objects.filter(pk=house.bot_id).update(declared_rating=1_600.0)
    assert boards_outdated(contests=contests) == [GAME, "contest-0", "contest-1"]


@pytest.mark.parametrize("mine", [True, False])
def test_while_another_fits_nobody_else_begins(mine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "redis_lock", lambda *_, **__: nullcontext(mine))
    beat(make_rival("strong"), make_rival("weak"))
    ratings_refit_in_turn(contest=GAME)
    assert Rating.objects.exists() is mine


def test_the_order_in_which_matches_finish_changes_nothing() -> None:
    bots = [make_rival(name) for name in "abcd"]
    dice = random.Random(5)  # noqa: S311 - results to play with, the same each time
    results = [(*dice.sample(bots, 2), dice.choice([(1, 2), (2, 1), (1, 1)])) for _ in range(40)]
    for one, other, ranks in results:
        finish((one, ranks[0]), (other, ranks[1]))
    ratings_refit(contest=GAME)
    before = shown()
    Seat.objects.all().delete()
    Match.objects.all().delete()
    Rating.objects.all().delete()
    for one, other, ranks in dice.sample(results, len(results)):
        finish((one, ranks[0]), (other, ranks[1]))
    ratings_refit(contest=GAME)
    assert shown() == before, "to the last bit"


def test_ratings_grown_step_by_step_are_those_of_one_fit() -> None:
    bots = [make_rival(name) for name in "abc"]
    dice = random.Random(6)  # noqa: S311 - results to play with, the same each time
    for _ in range(15):
        beat(*dice.sample(bots, 2))
        assert ratings_refit(contest=GAME)
    grown = shown()
    Rating.objects.all().delete()
    BoardLock.objects.update(rating_watermark="")
    ratings_refit(contest=GAME)
    assert shown() == grown, "to the last bit"


def test_only_finished_matches_count() -> None:
    strong, weak = make_rival("strong"), make_rival("weak")
    for state in (Match.State.QUEUED, Match.State.VOID):
        finish((strong, 1), (weak, 2), state=state)
    ratings_refit(contest=GAME)
    assert strong.rating.games == 0
    assert strong.rating.rating == pytest.approx(weak.rating.rating)
    assert strong.rating.last_match_at is None


def test_a_match_taken_out_counts_no_more() -> None:
    strong, weak = make_rival("strong"), make_rival("weak")
    match = finish((strong, 1), (weak, 2))
    ratings_refit(contest=GAME)
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOID)
    assert ratings_refit(contest=GAME)
    assert shown()["strong"][::2] == (pytest.approx(1500.0), 0)


def test_house_bots_hold_the_scale() -> None:
    anchors = [make_house("low", 1000.0), make_house("high", 1400.0)]
    beat(anchors[1], anchors[0], times=5)
    beat(make_rival("newcomer"), anchors[1], times=5)
    ratings_refit(contest=GAME)
    ratings_of = {name: rating for name, (rating, _, _) in shown().items()}
    assert (ratings_of["low"] + ratings_of["high"]) / 2 == pytest.approx(1200.0)
    assert ratings_of["newcomer"] > ratings_of["high"]


def test_a_house_bot_that_comes_later_moves_nobody() -> None:
    """It comes with the first worker that has its language, and is rated from the prior until it has played."""
    low, high, other = make_house("low", 1000.0), make_house("high", 1400.0), make_rival("other")
    beat(high, other)
    assert match_log(contest=GAME).versions[low.pk].declared == 1000.0, "while all are new, all hold the scale"
    for _ in range(14):
        beat(high, other)
        beat(other, low)
    ratings_refit(contest=GAME)
    before = shown()["other"][0]
    late = make_house("late", 2200.0)
    ratings_refit(contest=GAME)
    assert shown()["other"][0] == pytest.approx(before, abs=1e-3)
    assert match_log(contest=GAME).versions[late.pk].declared is None, "so anybody computes the same"
    beat(late, high, times=9)
    ratings_refit(contest=GAME)
    assert (shown()["low"][0] + shown()["high"][0]) / 2 == pytest.approx(1200.0, abs=1e-3), "18 matches are too few"
    beat(high, late)
    BotVersion.objects.filter(pk=late.pk).update(state=BotVersion.State.RETIRED)
    newer = make_version(late.bot, parent=late, artifact_digest="e" * 64)
    ratings_refit(contest=GAME)
    anchors = Rating.objects.filter(version__in=[low, high, newer]).values_list("rating", flat=True)
    assert sum(anchors) / 3 == pytest.approx((1000.0 + 1400.0 + 2200.0) / 3, abs=1e-3), (
        "all its versions' matches count"
    )


def test_another_declared_rating_moves_the_scale() -> None:
    anchor, other = make_house("anchor", 1500.0), make_rival("other")
    beat(anchor, other)
    ratings_refit(contest=GAME)
    before = shown()["other"][0]
    Bot.objects.filter(pk=anchor.bot_id).update(declared_rating=1650.0)
    assert ratings_refit(contest=GAME)
    assert shown()["other"][0] == pytest.approx(before + 150.0)


def test_house_bots_without_a_declared_rating_are_rated_like_all_others() -> None:
    house, other = make_rival("house", is_house=True), make_rival("other")
    beat(house, other)
    ratings_refit(contest=GAME)
    assert {version.declared for version in match_log(contest=GAME).versions.values()} == {None}
    assert shown()["house"][0] + shown()["other"][0] == pytest.approx(3000.0, abs=1e-3), "the prior's mean"


def test_a_new_version_keeps_the_rating_and_widens_the_interval() -> None:
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak, times=10)
    ratings_refit(contest=GAME)
    BotVersion.objects.filter(pk=strong.pk).update(state=BotVersion.State.RETIRED)
    better = make_version(strong.bot, parent=strong)
    assert ratings_refit(contest=GAME), "a new version is news"
    strong.refresh_from_db()
    assert better.rating.rating == pytest.approx(strong.rating.rating)
    assert better.rating.standard_error > strong.rating.standard_error
    assert better.rating.games == 0


def test_versions_that_never_played_have_no_rating() -> None:
    make_version(make_bot("broken"), state=BotVersion.State.REJECTED)
    ratings_refit(contest=GAME)
    assert not Rating.objects.exists()


def test_a_point_tells_the_rating_after_its_match_whatever_others_have_played_since() -> None:
    strong, weak, third = make_rival("strong"), make_rival("weak"), make_rival("third")
    beat(strong, weak, times=2)
    ratings_refit(contest=GAME)
    then = RatingPoint.objects.get(version=weak).rating
    beat(third, strong, times=5)
    ratings_refit(contest=GAME)
    assert Rating.objects.get(version=weak).rating != pytest.approx(then, abs=1)
    assert RatingPoint.objects.get(version=weak).rating == then


def test_the_first_match_of_a_version_finds_what_it_was_rated_before() -> None:
    """It inherits a rating; without one, its opponents' changes could not be computed, either."""
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak, times=5)
    ratings_refit(contest=GAME)
    BotVersion.objects.filter(pk=strong.pk).update(state=BotVersion.State.RETIRED)
    better = make_version(strong.bot, parent=strong)
    ratings_refit(contest=GAME)
    inherited = better.rating.rating
    match = finish((better, 1), (weak, 2))
    ratings_refit(contest=GAME)
    mine, other = match_changes(match=match).values()
    assert mine.rating == inherited
    assert mine.change is not None
    assert other.change is not None
    assert mine.change > 0 > other.change
    assert [(point.version, point.games) for point in bot_rating_points(bot=strong.bot)] == [(1, 10), (2, 1)]


def test_a_graph_ends_at_the_current_rating_after_matches_became_void() -> None:
    """Points of the void matches would stand between later points."""
    strong, weak = make_rival("strong"), make_rival("weak")
    for _ in range(6):
        finish((strong, 1), (weak, 2))
        ratings_refit(contest=GAME)
    Match.objects.filter(pk__in=Match.objects.order_by("pk")[:3]).update(state=Match.State.VOID)
    ratings_refit(contest=GAME)
    points = RatingPoint.objects.filter(version=strong).order_by("games")
    assert [point.games for point in points] == [1, 2, 3]
    assert points[2].rating == Rating.objects.get(version=strong).rating
    beat(weak, strong)
    ratings_refit(contest=GAME)
    assert [point.games for point in points.all()] == [1, 2, 3, 5]
    Match.objects.update(state=Match.State.VOID)
    ratings_refit(contest=GAME)
    assert [(point.games, point.rating) for point in points.all()] == [(0, pytest.approx(1500.0))]
    assert not bot_rating_points(bot=strong.bot), "no graph"


def test_a_fit_that_was_overtaken_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak)
    read = ratings.results_current

    def overtaken(*, contest: str) -> RatedResults:
        old = read(contest=contest)
        monkeypatch.setattr(ratings, "results_current", read)
        beat(strong, weak, times=5)
        assert ratings_refit(contest=contest)
        return old

    monkeypatch.setattr(ratings, "results_current", overtaken)
    assert not ratings_refit(contest=GAME)
    assert shown()["strong"][2] == 12


def test_results_that_come_during_a_fit_are_fitted_next(monkeypatch: pytest.MonkeyPatch) -> None:
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak)
    read = ratings.results_current

    def late(*, contest: str) -> RatedResults:
        results = read(contest=contest)
        monkeypatch.setattr(ratings, "results_current", read)
        beat(strong, weak)
        return results

    monkeypatch.setattr(ratings, "results_current", late)
    assert ratings_refit(contest=GAME)
    assert shown()["strong"][2] == 2
    assert ratings_refit(contest=GAME)
    assert shown()["strong"][2] == 4


def test_results_that_come_just_before_they_are_read_are_in_the_fit_and_in_its_watermark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the site could not tell which results the board was made from."""
    strong, weak = make_rival("strong"), make_rival("weak")
    beat(strong, weak)
    read = ratings.results_current

    def early(*, contest: str) -> RatedResults:
        beat(strong, weak)
        return read(contest=contest)

    monkeypatch.setattr(ratings, "results_current", early)
    assert ratings_refit(contest=GAME)
    assert shown()["strong"][2] == 4
    assert not ratings_refit(contest=GAME), "it has seen them"


@pytest.mark.django_db(transaction=True)
def test_managers_at_once_leave_one_fit(django_db_blocker: DjangoDbBlocker) -> None:
    beat(make_rival("strong"), make_rival("weak"), times=3)

    def manager(_: int) -> bool:
        with django_db_blocker.unblock():
            try:
                return ratings_refit(contest=GAME)
            finally:
                connection.close()

    with ThreadPoolExecutor(4) as managers:
        assert sum(managers.map(manager, range(4))) == 1
    assert shown()["strong"][2] == 6
    assert RatingPoint.objects.count() == 2


def test_who_plays_his_first_match_while_the_log_is_read_is_named_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    strong = make_rival("strong")
    read = ratings._versions

    def then_played(*asked: Any) -> dict[int, RatedVersion]:
        versions = read(*asked)
        beat(strong, make_rival("newcomer"))
        return versions

    monkeypatch.setattr(ratings, "_versions", then_played)
    log = match_log(contest=GAME)
    assert MatchLog.of_lines(log.lines()).matches == log.matches


def test_the_match_log_gives_the_board_to_anybody() -> None:
    anchor, other = make_house("anchor", 1550.0), make_rival("other")
    beat(anchor, other, times=4)
    ratings_refit(contest=GAME)
    board = MatchLog.of_lines(match_log(contest=GAME).lines()).board()
    assert [row.version for row in board] == [anchor.pk, other.pk]
    for version, rating, se in board:
        row = Rating.objects.get(version=version)
        assert (row.rating, row.standard_error) == (rating, se)
