"""Who stands where."""

from __future__ import annotations

import pytest

from ladder.models import BotVersion, Rating
from ladder.selectors import boards
from ladder.selectors.boards import board_head, board_page, is_unranked, version_rank
from ladder.selectors.games import game_card
from tests.ladder.makers import make_bot, make_ranked, make_rating, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def names(rows: list[boards.BoardRow]) -> list[str]:
    return [row.version.bot.name for row in rows]


def page(number: str | None = None) -> boards.Board:
    return board_page(game="kakomimasu", number=number)


def test_the_best_rating_comes_first() -> None:
    for name, rating in [("low", 1_400), ("high", 1_600), ("middle", 1_500)]:
        make_ranked(name, rating)
    board = page()
    assert names(board.ranked) == ["high", "middle", "low"]
    assert [row.rank for row in board.ranked] == [1, 2, 3]


def test_equal_ratings_keep_their_order() -> None:
    for name in ("first", "second", "third"):
        make_ranked(name, 1_500)
    assert names(page().ranked) == ["first", "second", "third"]


def test_the_provisional_stand_apart_without_a_rank() -> None:
    make_ranked("few games", 1_700, games=19)
    make_ranked("wide", 1_800, standard_error=52)
    make_ranked("settled", 1_500, games=20, standard_error=51)
    make_version(make_bot("unrated"))
    board = page()
    assert names(board.ranked) == ["settled"]
    assert names(board.provisional) == ["wide", "few games", "unrated"]
    assert {row.rank for row in board.provisional} == {None}
    assert board.provisional_total == 3


@pytest.mark.parametrize(
    ("games", "error", "provisional"), [(20, 51.0, False), (19, 20.0, True), (50, 51.1, True), (20, 0.0, False)]
)
def test_the_page_and_the_query_agree_on_what_is_provisional(games: int, error: float, provisional: bool) -> None:
    version = make_ranked("bot", 1_500, games=games, standard_error=error)
    assert is_unranked(Rating.objects.get(version=version)) is provisional
    assert (page().ranked == []) is provisional


def test_only_active_versions_of_the_game_are_listed() -> None:
    bot = make_bot("bot")
    old = make_version(bot, state=BotVersion.State.RETIRED)
    make_rating(old, 1_900)
    make_rating(make_version(bot), 1_500)
    other = make_version(make_bot("other"))
    make_rating(other, 1_600)
    other.bot.game = "chess"
    other.bot.save()
    assert [row.version.number for row in page().ranked] == [2]


def test_pages_go_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BOARD_PAGE_ROWS", 2)
    for index in range(5):
        make_ranked(f"bot {index}", 1_500 - index)
    make_version(make_bot("new"))
    assert [row.rank for row in page("2").ranked] == [3, 4]
    assert page("2").provisional == []
    assert names(page("nonsense").ranked) == ["bot 0", "bot 1"]
    assert names(page("99").ranked) == ["bot 4"]


def test_the_provisional_are_capped_but_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "PROVISIONAL_ROWS_MAX", 2)
    for index in range(3):
        make_version(make_bot(f"bot {index}"))
    board = page()
    assert (len(board.provisional), board.provisional_total) == (2, 3)


def test_a_versions_rank_is_its_row_on_the_board() -> None:
    versions = [make_ranked(f"bot {index}", 1_500) for index in range(3)]
    assert [version_rank(version=version) for version in versions] == [1, 2, 3]
    newcomer = make_ranked("new", 1_900, games=3)
    assert version_rank(version=newcomer) is None
    assert version_rank(version=make_version(make_bot("unrated"))) is None


def test_the_head_shows_the_provisional_until_somebody_is_ranked() -> None:
    game = game_card(name="kakomimasu")
    assert game is not None
    assert board_head(game=game, limit=2).rows == []
    make_version(make_bot("new"))
    assert names(board_head(game=game, limit=2).rows) == ["new"]
    for index in range(3):
        make_ranked(f"bot {index}", 1_500 - index)
    assert names(board_head(game=game, limit=2).rows) == ["bot 0", "bot 1"]
