"""Selectors of the leaderboards: order, pages, filters and the board over all games."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from contests.models import Contest
from ladder.models import Bot, BotVersion, Rating
from ladder.selectors import boards
from ladder.selectors.boards import (
    BoardFilter,
    BoardPage,
    BoardRow,
    board_all,
    board_head,
    board_own,
    board_page,
    board_start,
    version_place,
    version_rank,
)
from ladder.selectors.overall import overall_board
from tests.ladder.makers import make_bot, make_ranked, make_rating, make_standings, make_user, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


def names(rows: list[BoardRow]) -> list[str]:
    return [row.version.bot.name for row in rows]


def page(after: str = "", before: str = "", **chosen: object) -> BoardPage:
    return board_page(contest=GAME, chosen=BoardFilter(**chosen), after=after, before=before)  # type: ignore[arg-type]


def test_provisional_bots_are_sorted_by_rating_like_all_others() -> None:
    make_ranked("few games", 1_700, games=19)
    make_ranked("wide", 1_800, standard_error=200)
    make_ranked("settled", 1_500, games=20, standard_error=51)
    make_ranked("unplayed", 1_900, games=0)
    make_standings()
    rows = [(row.version.bot.name, row.rank, row.provisional) for row in page().rows]
    assert rows == [("wide", 1, True), ("few games", 2, True), ("settled", 3, False), ("unplayed", None, True)]


def test_only_active_versions_of_the_game_are_listed() -> None:
    bot = make_bot("bot")
    make_rating(make_version(bot, state=BotVersion.State.RETIRED), 1_900)
    make_rating(make_version(bot), 1_500)
    other = make_ranked("other", 1_600)
    Bot.objects.filter(pk=other.bot_id).update(contest="puyo", game="puyo")
    make_standings()
    make_standings("chess")
    assert [row.version.number for row in page().rows] == [2]
    BotVersion.objects.update(state=BotVersion.State.RETIRED)
    assert page().rows == [], "they were withdrawn after the fit"


def test_pages_lead_down_and_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BOARD_PAGE_ROWS", 2)
    for index, rating in enumerate([1_504.5, 1_503, 1_503, 1_503, 1_500]):
        make_ranked(f"bot {index}", rating)
    make_standings()
    first = page()
    second = page(after=first.older)
    third = page(after=second.older)
    assert [names(board.rows) for board in (first, second, third)] == [
        ["bot 0", "bot 1"],
        ["bot 2", "bot 3"],
        ["bot 4"],
    ]
    assert [row.rank for row in second.rows] == [3, 4]
    assert (first.newer, third.older) == ("", "")
    assert names(page(before=third.newer).rows) == names(second.rows)
    up = page(before=second.newer)
    assert names(up.rows) == names(first.rows)
    assert (up.newer, up.older) == ("", first.older)


def test_versions_without_a_match_stand_at_the_end_of_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BOARD_PAGE_ROWS", 2)
    for name, rating, games in (("a", 900, 1), ("b", 1_900, 0), ("c", 700, 9), ("d", 1_200, 0), ("e", 800, 30)):
        make_ranked(name, rating, games=games)
    make_standings()
    first = page()
    second = page(after=first.older)
    third = page(after=second.older)
    assert [names(board.rows) for board in (first, second, third)] == [["a", "e"], ["c", "b"], ["d"]]
    assert [row.rank for row in second.rows] == [3, None]
    assert names(page(before=third.newer).rows) == ["c", "b"]
    last = board_start(contest=GAME, chosen=BoardFilter(), bot=str(Bot.objects.get(name="d").pk))
    assert last is not None
    assert (last.number, names(page(after=last.after).rows)) == (3, ["d"])
    played = Rating.objects.get(version__bot__name="d")
    played.games = 1
    played.save()
    assert names(page().rows) == ["d", "a"], "the database keeps the order"


def test_newcomers_above_do_not_shift_the_next_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BOARD_PAGE_ROWS", 2)
    for index in range(4):
        make_ranked(f"bot {index}", 1_500 - index)
    make_standings()
    older = page().older
    make_ranked("star", 1_900)
    make_standings()
    assert names(page(after=older).rows) == ["bot 2", "bot 3"]


@pytest.mark.parametrize("cursor", ["nonsense", "nan_1", "inf_1", "1_x", "1500", "_", "1_-1", "1_99999999999999999999"])
def test_a_cursor_that_makes_no_sense_gives_the_first_page(cursor: str) -> None:
    make_ranked("bot", 1_500)
    make_standings()
    assert names(page(after=cursor).rows) == ["bot"]
    assert names(page(before=cursor).rows) == ["bot"]


def test_filters() -> None:
    make_ranked("Moat", 1_500)
    other = make_version(make_bot("Castle", make_user("bob")), language="rust")
    make_rating(other, 1_400)
    make_standings()
    for name, league in (("Moat", 0), ("Castle", 2)):
        Bot.objects.filter(name=name).update(league=league, league_since=timezone.now())
    assert names(page(name="oa").rows) == ["Moat"]
    assert names(page(owner="BOB").rows) == ["Castle"]
    assert names(page(language="rust").rows) == ["Castle"]
    assert names(page(league=0).rows) == ["Moat"]
    assert names(page(league=2, name="moat").rows) == []
    assert [row.rank for row in page(owner="bob").rows] == [2], "a rank is that among all"
    assert names(board_all(contest=GAME, chosen=BoardFilter(language="python"))) == ["Moat"]
    make_ranked("Übermoat", 1_300)
    make_standings()
    assert names(page(name="über").rows) == ["Übermoat"], "in every alphabet, whatever the capitals"


def test_a_versions_rank_is_its_row_on_the_board() -> None:
    for index in range(3):
        make_ranked(f"bot {index}", 1_500)
    make_ranked("new", 1_900, games=3)
    make_ranked("unplayed", 2_000, games=0)
    unrated = make_version(make_bot("unrated"))
    make_standings()
    versions = BotVersion.objects.order_by("pk").exclude(pk=unrated.pk)
    assert [version_rank(version=version) for version in versions] == [2, 3, 4, 1, None]
    assert [version_place(version=version) for version in versions] == [2, 3, 4, 1, 5]
    assert version_rank(version=unrated) is version_place(version=unrated) is None


def test_a_page_begins_by_its_number_or_by_a_bot_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BOARD_PAGE_ROWS", 2)
    for index in range(5):
        make_ranked(f"bot {index}", 1_500 - index)
    make_standings()
    bots = dict(Bot.objects.values_list("name", "pk"))

    def begins(name: str = "", **asked: str) -> tuple[int, list[str]] | None:
        start = board_start(contest=GAME, chosen=BoardFilter(name=name), **asked)
        return start and (start.number, names(page(after=start.after).rows))

    assert begins(number="1") == begins(bot=str(bots["bot 1"])) == (1, ["bot 0", "bot 1"])
    assert begins(number="2") == begins(bot=str(bots["bot 2"])) == (2, ["bot 2", "bot 3"])
    assert begins(number="9") == begins(bot=str(bots["bot 4"]), number="1") == (3, ["bot 4"])
    assert begins() is begins(bot="0") is begins(bot="x") is begins(bot="9" * 30) is None
    assert begins("4", bot=str(bots["bot 1"])) is None
    assert begins("nobody", number="2") == (1, ["bot 0", "bot 1"])


def test_own_rows_are_those_of_the_user_and_of_the_users_teams() -> None:
    alice = make_ranked("weak", 1_400).bot.owner
    make_ranked("strong", 1_600)
    make_ranked("retired", 1_500)
    BotVersion.objects.filter(bot__name="retired").update(state=BotVersion.State.RETIRED)
    make_rating(make_version(make_bot("other", make_user("bob"))), 1_700)
    make_standings()
    assert names(board_own(contest=GAME, reader=alice)) == ["strong", "weak"]
    assert board_own(contest=GAME, reader=AnonymousUser()) == board_own(contest="puyo", reader=alice) == []


def test_the_head_is_the_top_of_the_list() -> None:
    contest = Contest.objects.get(slug=GAME)
    assert board_head(contest=contest, limit=2).rows == []
    make_ranked("weak", 757)
    make_ranked("strong", 2_254, standard_error=98, games=19)
    make_ranked("weakest", 700)
    make_standings()
    assert names(board_head(contest=contest, limit=2).rows) == ["strong", "weak"]


# --- All games together ---------------------------------------------------------------------------------------------


def test_the_best_bot_of_each_game_counts(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for name, rating in (("first", 1_700), ("second", 1_600), ("house", 1_650), ("third", 1_500), ("elsewhere", 1_500)):
        make_ranked(name, rating)
    Bot.objects.filter(name="house").update(is_house=True, declared_rating=1, owner=make_user("house"))
    Bot.objects.filter(name__in=["second", "elsewhere"]).update(owner=make_user("bob"))
    Bot.objects.filter(name="elsewhere").update(contest="puyo", game="puyo")
    make_standings()
    make_standings("puyo")
    with django_assert_num_queries(2):
        rows = overall_board(games=[GAME, "puyo"])
    found = [(row.rank, row.owner, row.points, row.ranks) for row in rows]
    assert found == [(1, "bob", 150.0, [3, 1]), (2, "alice", 100.0, [1, None])]
    assert not any(any(row.provisional) for row in rows)
    Rating.objects.filter(version__bot__name="elsewhere").update(games=19)
    rows = overall_board(games=[GAME, "puyo"])
    assert [row.marked_ranks for row in rows] == [[(3, False), (1, True)], [(1, False), (None, False)]]


def test_equal_points_share_a_rank_overall_and_withdrawn_bots_have_none() -> None:
    assert overall_board(games=[GAME]) == []
    for owner, game, rank, state in (
        ("zoe", GAME, 1, BotVersion.State.ACTIVE),
        ("adam", "puyo", 1, BotVersion.State.ACTIVE),
        ("bert", GAME, 2, BotVersion.State.ACTIVE),
        ("gone", "puyo", 2, BotVersion.State.RETIRED),
    ):
        bot = Bot.objects.create(owner=make_user(owner), contest_id=game, game=game, name=owner)
        make_rating(make_version(bot, state=state), rank=rank)
    rows = overall_board(games=[GAME, "puyo"])
    assert [(row.rank, row.owner) for row in rows] == [(1, "adam"), (1, "zoe"), (3, "bert")]
