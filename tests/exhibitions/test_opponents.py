"""Opponents to choose from stand in the order of the board, and words say how strong they are only while it is sure."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from contests.models import Contest
from exhibitions.selectors.opponents import opponents_beside, opponents_offered
from ladder.models import BotVersion, Rating
from tests.ladder.makers import make_bot as make_any_bot
from tests.ladder.makers import make_ranked, make_rating, make_standings, make_user, make_version

pytestmark = pytest.mark.django_db


def board(bots: int) -> list[BotVersion]:
    """Make bots 100 Elo points apart, the best first, all with 50 rated matches."""
    versions = [make_ranked(f"bot {place}", 3_000.0 - 100 * place) for place in range(bots)]
    make_standings()
    return versions


def words() -> list[str]:
    contest = Contest.objects.get(slug="kakomimasu")
    return [str(each.strength) for each in opponents_offered(contest=contest)]


def test_words_follow_the_order_of_the_board(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    board(20)
    with django_assert_num_queries(3):  # one of them finds the contest
        found = words()
    assert found == [
        "very strong",
        "strong",
        "strong",
        "strong",
        "medium",
        "medium",
        "easy",
        "easy",
        "easy",
        "very easy",
    ]


def test_a_board_of_few_bots_has_ranks_instead() -> None:
    board(3)
    assert words() == ["rank 1 of 3", "rank 2 of 3", "rank 3 of 3"]


def test_an_uncertain_bot_has_its_rank_until_its_word_is_sure_to_stay() -> None:
    best, *_, last = board(20)
    Rating.objects.filter(version__in=[best, last]).update(standard_error=45.0)
    Rating.objects.filter(version=last).update(rating=1_190.0)
    make_standings()
    assert words()[0] == "very strong", "all ranks that its interval leaves open have this word"
    assert words()[-1] == "rank 20 of 20", "that of the last reaches over others, which are stronger by a word"
    Rating.objects.filter(version=best).update(games=19)
    make_standings()
    assert words()[0] == "about rank 1 of 20"


def test_who_has_not_played_stands_at_the_end() -> None:
    versions = board(3)
    late = make_version(make_any_bot("late", make_user("bob")))
    make_rating(late, 3_500.0, games=0)
    make_standings()
    assert words() == ["rank 1 of 3", "rank 2 of 3", "rank 3 of 3", "not rated yet"]
    contest = Contest.objects.get(slug="kakomimasu")
    assert opponents_beside(contest=contest, version=late, count=1) == [versions[-1]]
