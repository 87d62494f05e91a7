"""The list of all versions of a bot: its page and the API."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ladder.models import Bot, BotVersion
from ladder.selectors.bots import VERSIONS_SHOWN
from ladder.views.bots import VERSIONS_A_PAGE
from tests.ladder.makers import make_bot, make_rating, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def bot() -> Bot:
    """A bot with one version more than fit on a page."""
    bot = make_bot()
    make_rating(make_version(bot))
    for _ in range(VERSIONS_A_PAGE):
        make_version(bot, state=BotVersion.State.REJECTED)
    return bot


def numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r">v(\d+)<", page)]


def test_all_versions_are_listed_page_by_page(
    bot: Bot, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    url = f"/bots/{bot.pk}/versions/"
    client.get("/bots/0/versions/")  # fills the caches of all pages
    with django_assert_num_queries(4):  # the bot, the version that plays, how many there are, a page of them
        first = client.get(url).text
    assert numbers(first) == list(range(VERSIONS_A_PAGE + 1, 1, -1))
    assert '<b aria-current="page">1</b> <a href="?page=2">2</a>' in first
    assert numbers(client.get(f"{url}?page=2").text)[-1:] == [1]


def test_the_page_of_a_bot_links_to_the_list_if_it_shows_not_all_versions(bot: Bot, client: Client) -> None:
    few = make_version(make_bot("Wall")).bot
    link = "All versions</a>"
    assert link in client.get(f"/bots/{bot.pk}/").text
    assert link not in client.get(f"/bots/{few.pk}/").text


def test_only_owners_get_links_to_the_pages_of_versions(bot: Bot, client: Client) -> None:
    newest = bot.versions.latest("number")
    page, link = f"/bots/{bot.pk}/versions/", f'href="/versions/{newest.pk}/"'
    assert link not in client.get(page).text
    client.force_login(bot.owner)
    assert link in client.get(page).text


def test_the_api_lists_all_versions(bot: Bot, client: Client) -> None:
    assert len(client.get(f"/api/v1/bots/{bot.pk}/").json()["versions"]) == VERSIONS_SHOWN + 1
    url, seen = f"/api/v1/bots/{bot.pk}/versions/", []
    while url:
        answer = client.get(url).json()
        url, seen = answer["next"], seen + answer["results"]
    assert [row["number"] for row in seen] == list(range(VERSIONS_A_PAGE + 1, 0, -1))
    assert [row["rating"] for row in seen[:1] + seen[-1:]] == [None, 1_500.0]


@pytest.mark.parametrize("bot", ["7", "99999999999999999999"])
@pytest.mark.parametrize("site", ["", "/api/v1"])
def test_an_unknown_bot_has_no_list_of_versions(client: Client, site: str, bot: str) -> None:
    assert client.get(f"{site}/bots/{bot}/versions/").status_code == 404
