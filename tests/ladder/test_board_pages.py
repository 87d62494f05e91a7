"""Pages and files of the boards."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from contests.models import Contest
from contests.services.contests import contest_transition
from ladder.models import Bot, Rating
from tests.ladder.makers import make_bot, make_ranked, make_rating, make_standings, make_user, make_version
from tests.visitors import signed_in, words

pytestmark = pytest.mark.django_db

BOARD = "/games/kakomimasu/"


def test_filters_of_the_page(client: Client) -> None:
    make_ranked("Moat", 1_500)
    make_rating(make_version(make_bot("Castle", make_user("bob"))), 1_400)
    make_standings()
    assert "Castle" in words(client, BOARD)
    assert "Castle" not in words(client, f"{BOARD}?owner=alice")
    assert "No such bot is on this board" in words(client, f"{BOARD}?league=3")
    assert "Moat" in words(client, f"{BOARD}?league=nonsense&language=klingon&name={'x' * 50}"), "nonsense takes all"


def test_links_to_other_pages_keep_the_filters(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.selectors.boards.BOARD_PAGE_ROWS", 1)
    for index in range(3):
        make_ranked(f"bot {index}", 1_500 - index)
    make_standings()
    page = client.get(f"{BOARD}?owner=alice").content.decode()
    assert re.search(r'rel="next" href="\?owner=alice&amp;after=1500.0_\d+"', page)
    assert "board.csv?owner=alice" in page


def test_pages_are_numbered_and_the_own_bot_is_linked(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.selectors.boards.BOARD_PAGE_ROWS", 1)
    bob = make_user("bob")
    for index in range(3):
        make_ranked(f"bot {index}", 1_500 - index)
    own = make_version(make_bot("mine", bob))
    make_rating(own, 1_400)
    make_standings()
    page = client.get(f"{BOARD}?page=3").text
    assert '<b aria-current="page">3</b>' in page
    assert ("bot 2" in page, "bot 0" in page) == (True, False)
    assert "Show on the board" not in page
    assert "Show on the board" not in signed_in(make_user("carol")).get(BOARD).text
    assert f'href="?bot={own.bot_id}#bot-{own.bot_id}">Show on the board' in signed_in(bob).get(BOARD).text
    last = signed_in(bob).get(f"{BOARD}?bot={own.bot_id}").text
    assert f'<tr id="bot-{own.bot_id}" class="own">' in last
    assert '<b aria-current="page">4</b>' in last
    cursor = re.search(r'rel="prev" href="([^"]*)"', last)
    assert cursor
    assert '<b aria-current="page">3</b>' in client.get(f"{BOARD}{cursor[1]}").text
    assert '<b aria-current="page">4</b>' in client.get(f"{BOARD}?page=99").text


@pytest.mark.parametrize("cursor", ["after=1_1", "before=9999_1"])
def test_a_cursor_beyond_all_rows_gives_the_first_page(client: Client, cursor: str) -> None:
    """The page must not say that nobody is ranked."""
    make_ranked("Moat", 1_500)
    make_rating(make_version(make_bot("Castle", make_user("bob"))), 1_400)
    make_standings()
    text = words(client, f"{BOARD}?owner=alice&{cursor}")
    assert "Moat" in text
    assert "Castle" not in text


def test_bosses_divide_the_board(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.services.standings.BOTS_MIN", 2)
    make_ranked("boss", 1_500)
    Bot.objects.update(is_house=True, declared_rating=1_500)
    make_ranked("climber", 1_700)
    make_standings()
    text = words(client, BOARD)
    assert text.index("climber") < text.index("Boss of Makushita") < text.index("boss ")
    assert "house bot" in client.get(BOARD).text


def test_a_provisional_rank_carries_a_mark_and_its_interval(client: Client) -> None:
    make_ranked("sure", 1_500)
    make_ranked("lucky", 1_900, games=1, standard_error=150)
    make_ranked("waiting", 1_950, games=0, last_match_at=None)
    make_standings()
    page = " ".join(client.get(BOARD).text.split())
    rows = {name: page.split(f"<bdi>{name}</bdi>")[0].rsplit("<tr", 1)[1] for name in ("sure", "lucky", "waiting")}
    mark = '<abbr class="unsure" title="provisional">?</abbr>'
    assert f'rank">1{mark} <small class="narrow">1–1</small>' in rows["lucky"]
    assert f'1900{mark} <small class="narrow">±294</small>' in page
    assert 'rank">2</td>' in rows["sure"]
    assert 'rank">–</td>' in rows["waiting"]
    assert page.index("sure</bdi>") < page.index("waiting</bdi>") < page.index("no rated match yet")
    contest_transition(contest="kakomimasu", to=Contest.State.FROZEN, actor=None)
    assert "no rated match before the end" in client.get(BOARD).text


def test_columns_that_are_empty_for_a_whole_board_are_not_drawn(client: Client) -> None:
    make_ranked("waiting", 1_500, games=0, last_match_at=None)
    make_standings()
    head = client.get(BOARD).text.split("<thead>")[1].split("</thead>")[0]
    assert [title in head for title in ("Rank", "From–to", "Last month", "Last match", "League")] == [False] * 5
    Rating.objects.update(games=1, last_match_at=timezone.now())
    make_standings()
    head = client.get(BOARD).text.split("<thead>")[1].split("</thead>")[0]
    assert [title in head for title in ("Rank", "From–to", "Last match", "League")] == [True] * 3 + [False]


def test_csv_and_json_hold_the_board(client: Client) -> None:
    make_ranked("Moat", 1_512.25, standard_error=20)
    make_ranked("new", 1_500, games=1)
    make_standings()
    row, new = json.loads(client.get(f"{BOARD}board.json").content)
    assert (row["rank"], row["name"], row["rating"], row["interval"]) == (1, "Moat", 1_512.25, 39.2)
    assert [(each["rank"], each["provisional"]) for each in (row, new)] == [(1, False), (2, True)]
    response = client.get(f"{BOARD}board.csv?name=moat")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    (line,) = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig")))
    nobody = client.get(f"{BOARD}board.csv?owner=nobody").content.decode("utf-8-sig")
    assert nobody.strip() == ",".join(line), "what reads tables refuses an empty file"
    assert line == {key: str(value) for key, value in row.items()}
    assert client.get(f"{BOARD}board.xml").status_code == 404
    assert client.get("/games/chess/board.csv").status_code == 404


def test_the_board_over_all_games_is_a_file_too(client: Client, settings: Settings) -> None:
    settings.GAMES = ["kakomimasu", "puyo"]
    make_ranked("Moat", 1_512)
    Bot.objects.update(owner=make_user("=cmd()"))
    make_standings()
    assert re.search(r"1\s+=cmd\(\)\s+100.0\b", words(client, "/boards/"))
    assert "Nobody of that name" in words(client, "/boards/?owner=bob")
    page = client.get(f"{reverse('ladder:overall')}?owner=CMD").content.decode()
    for kind in ("csv", "json"):
        assert f'href="/boards/overall.{kind}?owner=CMD"' in page
    response = client.get("/boards/overall.json?owner=CMD")
    (row,) = json.loads(response.content)
    assert [row[key] for key in ("rank", "owner", "points", "rank_puyo")] == [1, "=cmd()", 100, None]
    (line,) = csv.DictReader(io.StringIO(client.get("/boards/overall.csv").content.decode("utf-8-sig")))
    assert (line["owner"], line["rank_puyo"]) == ("'=cmd()", "")
    again = client.get("/boards/overall.json?owner=CMD", headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert json.loads(client.get("/boards/overall.json?owner=nobody").content) == []


def test_the_csv_begins_with_a_byte_order_mark_and_holds_no_formula(client: Client) -> None:
    """Without the mark Excel reads it as Shift JIS in Japan and as Windows-1252 in most other places."""
    make_ranked("bot", 1_500)
    Bot.objects.update(name="=cmd()")
    make_standings()
    csv_bytes = client.get(f"{BOARD}board.csv").content
    assert csv_bytes.startswith(b"\xef\xbb\xbfrank,")
    assert b"'=cmd()" in csv_bytes
    assert client.get(f"{BOARD}board.json").content.startswith(b"[")


def test_a_file_is_sent_again_only_after_a_new_fit(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_ranked("bot", 1_500)
    make_standings()
    etag = client.get(f"{BOARD}board.csv")["ETag"]
    with django_assert_num_queries(1):  # time of the fit
        assert client.get(f"{BOARD}board.csv", headers={"If-None-Match": etag}).status_code == 304
    assert client.get(f"{BOARD}board.csv?owner=bob")["ETag"] != etag
    rating = Rating.objects.get()
    rating.fitted_at = rating.fitted_at.replace(year=rating.fitted_at.year + 1)
    rating.save()
    assert client.get(f"{BOARD}board.csv", headers={"If-None-Match": etag}).status_code == 200


# --- Cached pages ---------------------------------------------------------------------------------------------------


@pytest.fixture
def page_cache(settings: Settings) -> None:
    """Cache pages as in a running arena."""
    settings.CACHES = {
        **settings.CACHES,
        "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "board pages"},
    }
    caches["pages"].clear()


@pytest.mark.usefixtures("page_cache")
def test_only_the_newest_unfiltered_file_of_a_board_is_cached(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The attack: requests with ever new filters would fill the memory."""
    make_ranked("Moat", 1_500)
    make_standings()
    for year in (2026, 2027):
        Rating.objects.update(fitted_at=datetime(year, 1, 1, tzinfo=UTC))
        for chosen in ("", "?name=m", "?name=o"):
            assert b"Moat" in client.get(f"{BOARD}board.csv{chosen}").content
    with django_assert_num_queries(1):  # time of the fit
        client.get(f"{BOARD}board.csv")
    pages: Any = caches["pages"]
    assert len(pages._cache) == 1


@pytest.mark.usefixtures("page_cache")
def test_a_page_is_made_once_for_all_anonymous_visitors(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_ranked("Moat", 1_500)
    make_standings()
    page = client.get(BOARD)
    with django_assert_num_queries(0):
        again = Client().get(BOARD)
    assert again.content == page.content
    assert "Cookie" in again["Vary"]
    assert again["Cache-Control"] == "no-cache"
    assert "no such thing" not in words(client, f"{BOARD}?name=other"), "another url, another page"


@pytest.mark.usefixtures("page_cache")
def test_unused_query_parameters_do_not_multiply_cached_pages(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The attack: ``?x=1``, ``?x=2`` and so on would each be rendered and cached again."""
    make_ranked("Moat", 1_500)
    make_standings()
    page, chosen = client.get(f"{BOARD}?x=1"), client.get(f"{BOARD}?owner=&name=moat")
    assert b"x=1" not in page.content, "a page that others get has no links of this one"
    with django_assert_num_queries(0):
        assert client.get(f"{BOARD}?x=2&y").content == page.content
        assert client.get(f"{BOARD}?name=hay&z=1&name=moat&owner=").content == chosen.content


@pytest.mark.usefixtures("page_cache")
def test_a_signed_in_users_page_is_not_cached_and_a_filter_form_by_values_and_language() -> None:
    make_ranked("Moat", 1_500)
    make_standings()
    alices = signed_in(Bot.objects.get().owner)
    for reader, is_marked in ((alices, True), (Client(), False), (alices, True)):
        assert ('class="own"' in reader.get(BOARD).text) == is_marked
    assert 'value="Mo"' in alices.get(f"{BOARD}?name=Mo").content.decode()
    assert 'value="Mo"' in alices.get(f"{BOARD}?name=Mo&after=1_1").content.decode()
    assert 'value="Mo"' not in alices.get(BOARD).content.decode()
    english = alices.get(f"{BOARD}?name=Mo").content.decode()
    japanese = alices.get(f"{BOARD}?name=Mo", headers={"Accept-Language": "ja"}).content.decode()
    label = '<label for="id_owner">Owner'
    assert label in english
    assert label not in japanese


@pytest.mark.usefixtures("page_cache")
def test_errors_are_not_cached(client: Client) -> None:
    assert client.get("/bots/1/").status_code == 404
    make_ranked("Moat", 1_500)
    assert client.get(f"/bots/{Bot.objects.get().pk}/").status_code == 200
