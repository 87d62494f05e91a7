"""Ranks, their ranges, and the leagues after a fit."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.cache import caches
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from common.queries.cached import cached_clear
from contests.models import Contest
from ladder.leagues import BOTS_MIN
from ladder.models import Bot, BotVersion, Rating
from ladder.services import standings as services
from ladder.services.standings import leagues_update, standings_fill
from ladder.standings import Standing, standings
from tests.ladder.makers import make_bot, make_rating, make_user, make_version

GAME = "kakomimasu"
whole = st.integers(0, 500).map(float)


def test_ranks_and_their_ranges() -> None:
    found = standings(np.array([1_500.0, 1_700.0, 1_480.0]), np.array([30.0, 20.0, 40.0]))
    assert found == [Standing(2, 2, 3), Standing(1, 1, 1), Standing(3, 2, 3)]
    assert standings(np.array([]), np.array([])) == []


@given(st.lists(st.tuples(whole, whole), min_size=1, max_size=30))
def test_the_range_counts_those_wholly_above_and_below(rows: list[tuple[float, float]]) -> None:
    ratings, intervals = (np.array(column) for column in zip(*rows, strict=True))
    found = standings(ratings, intervals)
    assert sorted(row.rank for row in found) == list(range(1, len(rows) + 1))
    for (rating, interval), row in zip(rows, found, strict=True):
        assert row.best == 1 + sum(r - i > rating + interval for r, i in rows)
        assert row.worst == len(rows) - sum(r + i < rating - interval for r, i in rows)
        assert row.best <= row.rank <= row.worst


# --- In the database ------------------------------------------------------------------------------------------------


@pytest.fixture
def small_leagues(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two bots be enough for leagues."""
    monkeypatch.setattr(services, "BOTS_MIN", 2)


def make_rated(name: str, rating: float, **fields: float) -> Rating:
    owner = make_user(f"{name}'s owner")
    house = {"is_house": True, "declared_rating": fields.pop("declared")} if "declared" in fields else {}
    return make_rating(make_version(make_bot(name, owner, **house)), rating, **fields)


def updated(*ratings: Rating) -> dict[str, tuple[int | None, int | None]]:
    """Update the leagues by these ratings, and return the leagues before and after of each bot that moved."""
    standings_fill(contest=GAME, ratings=ratings)
    moves = leagues_update(contest=GAME, ratings=ratings)
    return {move.bot.name: (move.before, move.after) for move in moves}


@pytest.mark.django_db
def test_versions_on_the_board_have_a_rank_from_their_first_match_on() -> None:
    settled, other = make_rated("settled", 1_500.0), make_rated("other", 1_600.0)
    wide, retired = make_rated("wide", 1_700.0, standard_error=90.0), make_rated("retired", 1_800.0)
    few, unplayed = make_rated("few", 1_900.0, games=1), make_rated("unplayed", 2_000.0, games=0)
    BotVersion.objects.filter(pk=retired.version_id).update(state=BotVersion.State.RETIRED)
    rows = [settled, other, wide, retired, few, unplayed]
    standings_fill(contest=GAME, ratings=rows)
    assert [row.rank for row in rows] == [4, 3, 2, None, 1, None]
    assert [row.listed for row in rows] == [True, True, True, False, True, True]
    assert {row.contest_id for row in rows} == {GAME}


@pytest.mark.django_db
@pytest.mark.usefixtures("small_leagues")
def test_promotions_are_stored_and_returned_once() -> None:
    rows = [make_rated(f"boss {i}", 1_000.0 + 500 * i, declared=1_000 + 500 * i) for i in range(3)]
    rows += [make_rated("climber", 1_600.0), make_rated("newcomer", 1_600.0, games=19)]
    assert updated(*rows) == {"climber": (None, 2)}
    assert list(Bot.objects.order_by("pk").values_list("league", flat=True)) == [0, 1, 2, 2, 0]
    bosses = Bot.objects.exclude(boss_of=None).values_list("name", "boss_of")
    assert dict(bosses) == {"boss 0": 1, "boss 1": 2, "boss 2": 3}
    climber = Bot.objects.get(name="climber")
    assert climber.league == 2
    assert climber.league_since is not None
    assert updated(*rows) == {}


@pytest.mark.django_db
@pytest.mark.usefixtures("small_leagues")
def test_a_bot_wholly_below_its_league_gate_is_demoted() -> None:
    boss, bot = make_rated("boss", 1_500.0, declared=1_500), make_rated("bot", 1_600.0)
    assert updated(boss, bot) == {"bot": (None, 1)}
    bot.rating = 1_470.0
    assert updated(boss, bot) == {}
    bot.rating = 1_450.0
    assert updated(boss, bot) == {"bot": (1, 0)}
    bot.rating, bot.standard_error = 1_590.0, 90.0
    assert updated(boss, bot) == {}
    bot.rating = 1_610.0
    assert updated(boss, bot) == {"bot": (0, 1)}, "who beats all keeps a wide interval: no more than 100 of it count"


@pytest.mark.django_db
@pytest.mark.usefixtures("small_leagues")
def test_a_league_gate_stands_below_the_border_if_no_bot_holds_it_up() -> None:
    """This holds also for gates with nearly equal ratings, whose intervals overlap."""
    bosses = [make_rated(name, rating, declared=rating) for name, rating in (("a", 1_500), ("b", 1_510), ("c", 1_520))]
    Bot.objects.filter(name="b").update(league=3)
    updated(*bosses)
    assert dict(Bot.objects.values_list("name", "league")) == {"a": 0, "b": 1, "c": 2}
    assert dict(Bot.objects.values_list("name", "boss_of")) == {"a": 1, "b": 2, "c": 3}


@pytest.mark.django_db
@pytest.mark.usefixtures("small_leagues")
def test_a_house_bot_that_is_no_gate_any_more_has_no_boss_of() -> None:
    boss, bot = make_rated("boss", 1_500.0, declared=1_500), make_rated("bot", 1_600.0)
    updated(boss, bot)
    assert Bot.objects.get(name="boss").boss_of == 1
    BotVersion.objects.filter(pk=boss.version_id).update(state=BotVersion.State.RETIRED)
    assert updated(bot) == {"bot": (1, None)}, "without a boss there is no league"
    assert Bot.objects.get(name="boss").boss_of is None


@pytest.mark.django_db
@pytest.mark.usefixtures("small_leagues")
def test_a_contest_without_leagues_has_none_and_its_board_does_not_speak_of_them(client: Client) -> None:
    boss, bot = make_rated("boss", 1_500.0, declared=1_500), make_rated("bot", 1_600.0)
    assert updated(boss, bot) == {"bot": (None, 1)}
    board = f"/games/{GAME}/"
    assert "League" in client.get(board).text
    Contest.objects.filter(slug=GAME).update(has_leagues=False)
    cached_clear()
    caches["pages"].clear()
    assert updated(boss, bot) == {"boss": (0, None), "bot": (1, None)}
    assert "League" not in client.get(board).text


@pytest.mark.django_db
def test_a_board_has_leagues_from_twenty_bots_on() -> None:
    rows = [make_rated("boss", 1_500.0, declared=1_500)]
    owner = make_user("crowd")  # one for all: to make an account takes long
    rows += [make_rating(make_version(make_bot(f"bot {i}", owner)), 1_600.0 + i) for i in range(BOTS_MIN - 2)]
    assert updated(*rows) == {}
    rows.append(make_rated("the last", 1_700.0, games=0))
    assert set(updated(*rows).values()) == {(None, 1)}, "one that has not played counts, too: an upload ends no league"
    BotVersion.objects.filter(pk=rows.pop().version_id).update(state=BotVersion.State.RETIRED)
    assert set(updated(*rows).values()) == {(0, None), (1, None)}
    assert not Bot.objects.exclude(boss_of=None)


@pytest.mark.django_db
@pytest.mark.usefixtures("small_leagues")
def test_an_uncertain_rating_enters_no_league_and_an_upload_leaves_none() -> None:
    boss, bot = make_rated("boss", 1_500.0, declared=1_500), make_rated("bot", 1_560.0, standard_error=45.0)
    assert updated(boss, bot) == {}, "its interval contains the border"
    bot.standard_error = 25.0
    assert updated(boss, bot) == {"bot": (None, 1)}
    bot.games, bot.standard_error = 0, 90.0  # its new version has not played yet
    make_rating(make_version(bot.version.bot, state=BotVersion.State.RETIRED))
    assert updated(boss, bot) == {}
    assert Bot.objects.get(name="bot").league == 1
