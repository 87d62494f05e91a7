"""What search engines that keep to robots.txt read of a site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import resolve

from games.registry import game_names
from tests.ladder.makers import make_standings
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def allowed(client: Client) -> Callable[[str], bool]:
    """Return a function that tells whether robots.txt allows a url (RFC 9309; urllib's parser knows no wildcards)."""
    answer = client.get("/robots.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    rules = re.findall("^Disallow: (.+)$", answer.text, re.MULTILINE)
    forbidden = re.compile("|".join(re.escape(rule).replace(r"\*", ".*") for rule in rules))
    return lambda url: not forbidden.match(url)


def urls_read(client: Client, allowed: Callable[[str], bool]) -> Iterator[str]:
    """Follow all links from the front page that may be followed."""
    waiting, seen = ["/"], {"/"}
    while waiting:
        url = waiting.pop()
        page = client.get(url)
        assert page.status_code == 200, url
        assert page.headers["Content-Type"].startswith("text/html"), url
        yield url
        links = {link.partition("#")[0] for link in re.findall(r'href="(/[^"]*)"', page.text)}
        new = {link for link in links - seen if allowed(link) and not link.startswith("/static/")}
        waiting += new
        seen |= new


def test_they_find_the_pages_for_everybody_and_nothing_else(client: Client, allowed: Callable[[str], bool]) -> None:
    finish_match(make_match(make_version("Moat", "alice"), make_version("Keep", "bob")))
    make_standings()
    pages = [resolve(url) for url in urls_read(client, allowed)]
    found = [page.view_name for page in pages]
    assert set(found) >= {
        *("home", "ladder:games", "ladder:board", "ladder:overall", "ladder:guide", "ladder:bot", "help", "about"),
        *("ladder:profile", "matches:list", "matches:match", "matches:opponents"),
        *("exhibitions:play", "exhibitions:play_contest", "workshop:workshop"),
        "downloads:downloads",
    }
    assert not allowed("/boards/overall.csv")
    names = ["ladder:bot", "ladder:profile", "matches:match", "matches:opponents"]
    assert [found.count(name) for name in names] == [2, 2, 1, 2]
    many = {page.view_name for page in pages if len(page.kwargs) > 1 or found.count(page.view_name) > len(game_names())}
    assert not many, "These are the same rows once more: forbid them in arena/templates/robots.txt."
