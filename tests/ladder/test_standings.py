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
from ladder.models import Bot, BotVersion, Rating
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
def test_versions_on_the_board_with_enough_matches_have_a_rank() -> None:
    settled, other = make_rated("settled", 1_500.0), make_rated("other", 1_600.0)
    wide, retired = make_rated("wide", 1_700.0, standard_error=90.0), make_rated("retired", 1_800.0)
    few = make_rated("few", 1_900.0, games=19)
    BotVersion.objects.filter(pk=retired.version_id).update(state=BotVersion.State.RETIRED)
    rows = [settled, other, wide, retired, few]
    standings_fill(contest=GAME, ratings=rows)
    assert [row.rank for row in rows] == [3, 2, 1, None, None]
    assert [row.listed for row in rows] == [True, True, True, False, True]
    assert {row.contest_id for row in rows} == {GAME}


@pytest.mark.django_db
def test_promotions_are_stored_and_returned_once() -> None:
    rows = [make_rated(f"boss {i}", 1_000.0 + 500 * i, declared=1_000 + 500 * i) for i in range(3)]
    rows += [make_rated("climber", 1_600.0), make_rated("newcomer", 1_600.0, games=19)]
    assert updated(*rows) == {"boss 0": (None, 0), "boss 1": (None, 1), "boss 2": (None, 2), "climber": (None, 2)}
    bosses = Bot.objects.exclude(boss_of=None).values_list("name", "boss_of")
    assert dict(bosses) == {"boss 0": 1, "boss 1": 2, "boss 2": 3}
    climber = Bot.objects.get(name="climber")
    assert climber.league == 2
    assert climber.league_since is not None
    assert updated(*rows) == {}


@pytest.mark.django_db
def test_a_bot_wholly_below_its_league_gate_is_demoted() -> None:
    boss, bot = make_rated("boss", 1_500.0, declared=1_500), make_rated("bot", 1_600.0)
    assert updated(boss, bot) == {"boss": (None, 0), "bot": (None, 1)}
    bot.rating = 1_470.0
    assert updated(boss, bot) == {}
    bot.rating = 1_450.0
    assert updated(boss, bot) == {"bot": (1, 0)}
    bot.rating, bot.standard_error = 1_590.0, 90.0
    assert updated(boss, bot) == {}
    bot.rating = 1_610.0
    assert updated(boss, bot) == {"bot": (0, 1)}, "who beats all keeps a wide interval: no more than 100 of it count"


@pytest.mark.django_db
def test_a_league_gate_is_in_the_league_below_its_border() -> None:
    """This holds also for gates with nearly equal ratings, whose intervals overlap."""
    bosses = [make_rated(name, rating, declared=rating) for name, rating in (("a", 1_500), ("b", 1_510), ("c", 1_520))]
    Bot.objects.filter(name="b").update(league=3)
    updated(*bosses)
    assert dict(Bot.objects.values_list("name", "league")) == {"a": 0, "b": 1, "c": 2}
    assert dict(Bot.objects.values_list("name", "boss_of")) == {"a": 1, "b": 2, "c": 3}


@pytest.mark.django_db
def test_a_house_bot_that_is_no_gate_any_more_has_no_boss_of() -> None:
    boss = make_rated("boss", 1_500.0, declared=1_500)
    updated(boss)
    assert Bot.objects.get().boss_of == 1
    BotVersion.objects.update(state=BotVersion.State.RETIRED)
    updated()
    assert Bot.objects.get().boss_of is None


@pytest.mark.django_db
def test_a_contest_without_leagues_has_none_and_its_board_does_not_speak_of_them(client: Client) -> None:
    boss, bot = make_rated("boss", 1_500.0, declared=1_500), make_rated("bot", 1_600.0)
    assert updated(boss, bot) == {"boss": (None, 0), "bot": (None, 1)}
    board = f"/games/{GAME}/"
    assert "League" in client.get(board).text
    Contest.objects.filter(slug=GAME).update(has_leagues=False)
    cached_clear()
    caches["pages"].clear()
    assert updated(boss, bot) == {"boss": (0, None), "bot": (1, None)}
    assert "League" not in client.get(board).text
