"""How bots have done against each other: tables and comparisons."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import Bot, BotVersion, RatingPoint
from matches.models import HeadToHead
from matches.selectors import opponents
from matches.selectors.opponents import comparison, opponent_own, opponents_of, opponents_page
from rating.fit import expected_score
from tests.ladder.makers import make_rating, make_standings, make_user
from tests.matches.makers import make_version
from tests.visitors import signed_in

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def make_rated(name: str, rating: float = 1_500.0) -> Bot:
    version = make_version(name)
    make_rating(version, rating)
    return version.bot


def met(bot: Bot, opponent: Bot, wins: int, draws: int = 0, losses: int = 0) -> None:
    games = wins + draws + losses
    HeadToHead.objects.create(bot=bot, opponent=opponent, games=games, wins=wins, draws=draws, losses=losses)
    HeadToHead.objects.create(bot=opponent, opponent=bot, games=games, wins=losses, draws=draws, losses=wins)


@pytest.fixture
def bot() -> Bot:
    """A bot rated 1600 that has met three others, one of which plays no more."""
    bot = make_rated("bot", 1_600)
    met(bot, make_rated("strong", 1_800), 3, 2, 5)
    met(bot, make_rated("weak", 1_400), 4)
    gone = make_rated("gone", 1_500)
    met(bot, gone, 1, 0, 1)
    BotVersion.objects.filter(bot=gone).update(state=BotVersion.State.RETIRED)
    make_standings()
    return bot


def page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return re.sub(r"<[^>]*>|\s+", " ", response.content.decode())


def test_a_row_has_the_expected_score(bot: Bot) -> None:
    strong, weak, gone = opponents_of(bot=bot.pk, rating=1_600.0)
    assert (strong.opponent.name, weak.opponent.name, gone.opponent.name) == ("strong", "weak", "gone")
    assert (strong.score, strong.games) == (4.0, 10)
    assert strong.expected == pytest.approx(10 * expected_score(1_600.0, 1_800.0))
    assert strong.difference == pytest.approx(4.0 - strong.expected)
    assert (gone.opponent_rating, gone.expected, gone.difference) == (None, None, None)


def test_without_a_rating_nothing_is_expected(bot: Bot) -> None:
    assert [row.expected for row in opponents_of(bot=bot.pk, rating=None)] == [None] * 3


@pytest.mark.parametrize("rating", [-1e6, 1e6])
def test_ratings_far_apart_break_nothing(bot: Bot, rating: float) -> None:
    row = opponents_of(bot=bot.pk, rating=rating)[0]
    assert row.expected == pytest.approx(10.0 if rating > 0 else 0.0)


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("games", ["strong", "weak", "gone"]),
        ("better", ["strong", "weak", "gone"]),
        ("worse", ["weak", "strong", "gone"]),
        ("nonsense", ["strong", "weak", "gone"]),
    ],
)
def test_orders(bot: Bot, sort: str, names: list[str]) -> None:
    assert [row.opponent.name for row in opponents_page(bot=bot, rating=1_600.0, sort=sort, number=None)] == names


def test_a_long_table_has_pages(
    client: Client, bot: Bot, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(opponents, "OPPONENTS_PAGE_ROWS", 2)
    with django_assert_num_queries(2):
        rows = list(opponents_page(bot=bot, rating=1_600.0, sort="games", number="2"))
        assert [row.opponent.name for row in rows] == ["gone"]
    shown = page(client, reverse("matches:opponents", args=[bot.pk]) + "?page=2")
    assert ("gone" in shown, "strong" in shown) == (True, False)


def test_the_page_shows_the_table(client: Client, bot: Bot) -> None:
    text = page(client, reverse("matches:opponents", args=[bot.pk]))
    assert re.search(r"strong\s+1800\s+10\s+3\s+2\s+5\s+4\.0\s+2\.4\s+\+1\.6", text)
    assert "strong" in page(client, reverse("ladder:bot", args=[bot.pk])), "and so does the page of the bot"
    assert client.get(reverse("matches:opponents", args=[0])).status_code == 404


# --- Two side by side -----------------------------------------------------------------------------------------------


@pytest.fixture
def rival(bot: Bot) -> Bot:
    """Another that has met the bot and one of its opponents."""
    rival = make_rated("rival", 1_500)
    met(bot, rival, 6, 1, 3)
    met(rival, Bot.objects.get(name="weak"), 2, 0, 2)
    for one in (bot, rival):
        for hours in (2, 1):
            RatingPoint.objects.create(
                version=one.versions.get(),
                games=10 - hours,
                rating=1_500,
                standard_error=30,
                at=timezone.now() - timedelta(hours=hours),
            )
    make_standings()
    return rival


def test_a_comparison_has_both_sides(bot: Bot, rival: Bot, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(7):
        found = comparison(first=bot, second=rival)
    assert found.met is not None
    assert (found.met.wins, found.met.draws, found.met.losses) == (6, 1, 3)
    assert [(row.opponent.name, row.first.games, row.second.games) for row in found.common] == [("weak", 4, 4)]
    assert [len(side.points) for side in (found.first, found.second)] == [2, 2]


def test_the_page_of_a_comparison(client: Client, bot: Bot, rival: Bot) -> None:
    url = reverse("matches:compare")
    text = page(client, f"{url}?a={bot.pk}&b=+RIVAL+")
    assert "They met 10 times (1 drawn): bot scored 6.5, by the ratings of today 6.4 was to be expected." in text
    assert re.search(r"weak\s+4\s+4\.0\s+3\.0\s+\+1\.0\s+4\s+2\.0\s+2\.6\s+-0\.6", text)
    RatingPoint.objects.filter(version__bot=rival).update(rating=1_400)
    graph = client.get(f"{url}?a={bot.pk}&b={rival.pk}").content.decode()
    first, second = re.findall(r'<g class="graph-bot-\d".*?<circle [^>]*cy="([\d.]+)"', graph, re.DOTALL)
    assert float(first) < float(second), "the better is above the other, as the names below say"


@pytest.mark.parametrize("other", ["", "nobody", "999999", "9" * 40, "self", "another game", "\x00"])
def test_the_page_says_what_cannot_be_compared(client: Client, bot: Bot, other: str) -> None:
    elsewhere = make_rated("elsewhere")
    Bot.objects.filter(pk=elsewhere.pk).update(contest="puyo", game="puyo")
    b = {"self": str(bot.pk), "another game": str(elsewhere.pk)}.get(other, other)
    response = client.get(reverse("matches:compare"), {"a": bot.pk, "b": b})
    assert response.status_code == 200
    text = response.content.decode()
    assert ("There is no other bot of this name" in text) is (b != "")
    assert 'href="/games/kakomimasu/"' in text, "where to look for it"
    assert f'href="/bots/{bot.pk}/"' in text, "and the way back"


def test_a_name_may_be_the_number_of_a_bot_of_another_game(client: Client, bot: Bot, rival: Bot) -> None:
    Bot.objects.filter(name="strong").update(contest="puyo", game="puyo")
    rival.name = str(Bot.objects.get(name="strong").pk)
    rival.save()
    text = page(client, reverse("matches:compare") + f"?a={bot.pk}&b={rival.name}")
    assert "There is no other bot" not in text
    assert "Ratings over time" in text


def test_without_a_bot_the_page_says_where_to_begin(client: Client) -> None:
    assert "Begin at the page of a bot" in page(client, reverse("matches:compare"))
    assert "Begin at the page of a bot" in page(client, reverse("matches:compare") + "?a=x&b=1")


def test_a_bot_that_plays_no_more_keeps_its_numbers(client: Client, bot: Bot, rival: Bot) -> None:
    BotVersion.objects.filter(bot=rival).update(state=BotVersion.State.RETIRED)
    text = page(client, reverse("matches:compare") + f"?a={bot.pk}&b={rival.pk}")
    assert "They met 10 times (1 drawn): bot scored 6.5." in text
    assert re.search(r"Rating\s+1600\s+±\d+\s+1500\s+±\d+\s.*Version\s+v1 python\s+v1 python", text)
    (weak,) = client.get(f"/api/v1/bots/{rival.pk}/opponents/?sort=rating").json()["rows"][1:]
    assert (weak["name"], weak["expected"]) == ("weak", pytest.approx(4 * expected_score(1_500.0, 1_400.0)))


def test_bots_that_never_met(client: Client, bot: Bot) -> None:
    other = make_rated("other")
    text = page(client, reverse("matches:compare") + f"?a={bot.pk}&b={other.pk}")
    assert "They have not met in a rated match." in text
    assert "None yet." in text


def test_a_link_leads_to_the_own_bot_among_many_opponents(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "OPPONENTS_PAGE_ROWS", 1)
    weak = Bot.objects.get(name="weak")
    url = f"/bots/{bot.pk}/opponents/"
    assert f'href="?page=2#bot-{weak.pk}">To my bot' in signed_in(weak.owner).get(url).text
    page = signed_in(weak.owner).get(f"{url}?page=2").text
    assert f'<tr id="bot-{weak.pk}" class="own">' in page
    assert '<b aria-current="page">2</b>' in page
    assert "To my bot" not in signed_in(bot.owner).get(url).text


def test_opponents_are_put_in_order_for_those_who_have_met_the_bot_alone(
    bot: Bot, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table = opponents_page(bot=bot, rating=1_600.0, sort="worse", number=None)
    stranger = make_user("stranger")
    with django_assert_num_queries(1) as asked:
        assert opponent_own(page=table, reader=stranger) is None
    assert "ORDER BY" not in asked[0]["sql"]
    weak = Bot.objects.select_related("owner").get(name="weak")
    with django_assert_num_queries(2):
        assert opponent_own(page=table, reader=weak.owner) == (1, weak.pk)
