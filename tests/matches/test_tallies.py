"""Tallies of bots against each other: every result counts once."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from ladder.models import BotVersion
from matches.models import HeadToHead, Match
from matches.services import tallies
from matches.services.tallies import tallies_update
from tests.ladder.makers import make_version as another_version
from tests.matches.makers import make_version
from tests.matches.test_ratings import finish

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


def shown() -> dict[str, tuple[int, int, int]]:
    rows = HeadToHead.objects.select_related("bot", "opponent").exclude(games=0)
    return {f"{row.bot}-{row.opponent}": (row.wins, row.draws, row.losses) for row in rows}


def test_both_sides_are_counted_once() -> None:
    a, b = make_version("a"), make_version("b")
    finish((a, 1), (b, 2))
    finish((b, 1), (a, 1))
    assert tallies_update(contest=GAME) == 2
    assert tallies_update(contest=GAME) == 0
    assert shown() == {"a-b": (1, 1, 0), "b-a": (0, 1, 1)}
    finish((b, 1), (a, 2))
    tallies_update(contest=GAME)
    assert shown() == {"a-b": (1, 1, 1), "b-a": (1, 1, 1)}


def test_a_match_that_becomes_void_is_subtracted() -> None:
    a, b = make_version("a"), make_version("b")
    match, never = finish((a, 1), (b, 2)), finish((a, 1), (b, 2))
    Match.objects.filter(pk=never.pk).update(state=Match.State.VOID)
    tallies_update(contest=GAME)
    assert shown() == {"a-b": (1, 0, 0), "b-a": (0, 0, 1)}
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOID)
    assert tallies_update(contest=GAME) == 1
    assert shown() == {}


def test_versions_count_for_their_bots_and_private_tests_for_nobody() -> None:
    a, b = make_version("a"), make_version("b")
    finish((a, 1), (b, 2))
    BotVersion.objects.filter(pk=a.pk).update(state=BotVersion.State.RETIRED)
    newer = another_version(a.bot)
    finish((newer, 1), (b, 2))
    finish((newer, 1), (a, 2), kind=Match.Kind.TRIAL)
    finish((newer, 1), (a, 2))
    tallies_update(contest=GAME)
    assert shown() == {"a-b": (2, 0, 0), "b-a": (0, 0, 2)}


def test_at_a_table_of_four_every_pair_counts() -> None:
    a, b, c, d = (make_version(name) for name in "abcd")
    finish((a, 2), (b, 1), (c, 2), (d, 4))
    tallies_update(contest=GAME)
    found = shown()
    assert len(found) == 12
    assert (found["a-b"], found["a-c"], found["a-d"]) == ((0, 0, 1), (0, 1, 0), (1, 0, 0))


def test_in_many_steps_they_are_what_they_are_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "MATCHES_AT_ONCE", 3)
    bots = [make_version(name) for name in "abc"]
    dice = random.Random(3)  # noqa: S311 - results to play with, the same each time
    wins = 0
    for _ in range(20):
        one, other = dice.sample(bots, 2)
        finish((one, 1), (other, 2))
        wins += 1
    assert tallies_update(contest=GAME) == 20
    assert sum(row.wins for row in HeadToHead.objects.all()) == wins
    assert sum(row.losses for row in HeadToHead.objects.all()) == wins


@pytest.mark.django_db(transaction=True)
def test_two_at_once_count_nothing_twice() -> None:
    a, b = make_version("a"), make_version("b")
    for _ in range(20):
        finish((a, 1), (b, 2))

    def update(_: int) -> int:
        try:
            return tallies_update(contest=GAME)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(update, range(4))) == 20
    assert shown() == {"a-b": (20, 0, 0), "b-a": (0, 0, 20)}
