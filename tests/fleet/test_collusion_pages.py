"""The administrators' and organisers' pages on possible collusion."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from io import StringIO
from urllib.parse import urljoin

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from ladder.models import BotVersion
from matches.models import Match
from matches.services.ratings import ratings_refit
from tests.ladder.makers import make_user
from tests.matches.makers import make_version
from tests.matches.test_collusion import EVEN, meet
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrators(settings: Settings) -> Client:
    settings.GAMES = ["kakomimasu", "puyo"]
    return signed_in(make_user("boss", is_staff=True))


@pytest.fixture
def pair() -> tuple[BotVersion, BotVersion]:
    """Make a bot that loses to another on purpose, and a third; all are equally good."""
    one, other, *rest = (make_version(f"bot{i}") for i in range(5))
    meet(one, other, *([(1, 2)] * 60))
    for version in rest:
        meet(one, version, *(EVEN * 2))
        meet(other, version, *(EVEN * 2))
    ratings_refit(contest="kakomimasu")
    return one, other


def test_only_administrators_see_them(client: Client, pair: tuple[BotVersion, BotVersion]) -> None:
    client.force_login(make_user("alice"))
    matches = reverse("fleet:collusion_matches", args=[version.bot_id for version in pair])
    for url in (reverse("fleet:collusion"), matches):
        assert client.get(url).status_code == 404
        assert Client().get(url).status_code == 404


def pairs_on(url: str, found: str) -> list[str]:
    """Return the urls of the pairs of bots to which a page leads."""
    return [html.unescape(urljoin(url, link)) for link in re.findall(r'href="(\d+/\d+/[^"]*)"', found)]


@pytest.mark.parametrize("place", ["/fleet/collusion/", "/games/kakomimasu/desk/collusion/"])
def test_a_pair_leads_to_its_matches(administrators: Client, pair: tuple[BotVersion, BotVersion], place: str) -> None:
    found = administrators.get(place).text
    matches = f"{place}{pair[0].bot_id}/{pair[1].bot_id}/?days=30"
    assert matches in pairs_on(place, found)
    chances = re.findall(r'class="([^"]*)">\d\.\de-\d\d<', found)
    assert chances
    assert all("nowrap" in classes for classes in chances), "2.6e-03 in two lines is read as another number"
    page = administrators.get(matches).text
    assert page.count('class="match-seats"') == 50
    assert "before=" in page
    (back,) = re.findall(r'class="crumb"><a href="([^"]*)"', page)
    assert "Did better than expected" in administrators.get(urljoin(matches, html.unescape(back))).text


def test_the_matches_of_a_pair_are_those_of_the_report(
    administrators: Client, pair: tuple[BotVersion, BotVersion]
) -> None:
    """Older matches and void ones are not listed, since the report does not count them."""
    met = Match.objects.filter(seats__version=pair[0]).filter(seats__version=pair[1]).order_by("pk")
    old, void, *news = met.values_list("pk", flat=True)
    Match.objects.filter(pk=old).update(finished_at=timezone.now() - timedelta(days=8))
    Match.objects.filter(pk=void).update(state=Match.State.VOID)
    matches = reverse("fleet:collusion_matches", args=[version.bot_id for version in pair])
    page = administrators.get(reverse("fleet:collusion") + "?days=7").text
    assert {url.partition("?")[2] for url in pairs_on(matches, page)} == {"days=7"}
    for days, gone in ((7, {old, void}), (30, {void})):
        listed, address = set(), f"?days={days}"
        while address:
            text = administrators.get(matches + address).text
            listed |= {pk for pk in met.values_list("pk", flat=True) if f"/matches/{pk}/" in text}
            older = re.search(r'rel="next" href="([^"]+)"', text)
            address = html.unescape(older[1]) if older else ""
        assert listed == {old, void, *news} - gone
    out = StringIO()
    call_command("collusion", "--contest", "kakomimasu", "--days", "7", stdout=out)
    assert f" and {len(news) - 50} more" in out.getvalue()


@pytest.mark.parametrize(
    ("query", "status"), [("?days=7", 200), ("?days=x", 200), ("?contest=puyo", 200), ("?contest=x", 404)]
)
def test_what_is_chosen(administrators: Client, query: str, status: int) -> None:
    response = administrators.get(reverse("fleet:collusion") + query)
    assert response.status_code == status
    assert ("Nothing is improbable here" in response.content.decode()) is (status == 200)
    assert administrators.get("/fleet/collusion/1/2/").status_code == 404, "there are no such bots"


def test_programs_of_several_owners_lead_to_their_bots(administrators: Client) -> None:
    url = reverse("fleet:collusion")
    one = make_version("one", bundle_digest="1" * 64, artifact_digest="2" * 64)
    assert "No two owners play with the same program here." in administrators.get(url).text
    other = make_version("other", bundle_digest="1" * 64, artifact_digest="2" * 64)
    page = administrators.get(url).text
    for version in (one, other):
        assert f'href="{reverse("ladder:bot", args=[version.bot_id])}"' in page
    assert "No two owners" not in page
    (found,) = re.findall(r'href="(/admin/[^"]*)"', page.partition('id="programs"')[2])
    assert found == f"/admin/ladder/botversion/?q={'1' * 64}"


def test_a_kit_that_everybody_has_fills_no_page(administrators: Client) -> None:
    versions = [make_version(f"bot{number}") for number in range(12)]
    page = administrators.get(reverse("fleet:collusion")).text
    shown = [reverse("ladder:bot", args=[version.bot_id]) in page for version in versions]
    assert shown == [True] * 10 + [False] * 2
    assert '<td class="right num">12</td>' in page
