"""The public pages of users: what they show to whom, and the number of queries."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import DjangoAssertNumQueries

from accounts.models import AuditEntry, User
from accounts.services.accounts import profile_change, profile_clear
from accounts.services.closing import account_close
from common.errors import InputError
from ladder.models import Bot, BotVersion, Rating
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_bot, make_ranked, make_rating, make_standings, make_user, make_version
from tests.matches.makers import finish_match, make_match
from tests.matches.makers import make_version as make_versions_bot
from tests.visitors import signed_in, words

pytestmark = pytest.mark.django_db

State = BotVersion.State
EDIT = "/accounts/profile/"


def test_a_user_has_a_page_with_bots_ranks_leagues_and_matches(alice: User, client: Client) -> None:
    version = make_ranked("Moat", 1_534.6)
    make_version(make_version(make_bot("Draft", alice), state=State.RETIRED).bot, state=State.REJECTED)
    make_standings()
    rival = make_versions_bot("Wall", "bob")
    match = finish_match(make_match(version, rival))
    page = words(client, "/users/alice/")
    assert reverse("matches:match", args=[match.pk]) in client.get("/users/alice/").content.decode()
    assert re.search(r"Here since\s+\d", page)
    assert re.search(r"Draft\s+Kakomimasu\s+–\s+–\s+–\s+none plays", page)
    assert re.search(r"Moat\s+Kakomimasu\s+1\s+1535\s+39\s+–\s+v1\s+python", page)
    assert "alice@example.org" not in page


def test_the_profile_links_to_all_matches_of_the_user(alice: User, client: Client) -> None:
    version = make_ranked("Moat", 1_500.0)
    match = finish_match(make_match(version, make_versions_bot("Wall", "bob")))
    other = finish_match(make_match(make_versions_bot("Hut", "carol"), make_versions_bot("Tent", "dave")))
    href = re.search(r'href="([^"]*\?owner=alice)"', client.get("/users/alice/").content.decode())
    assert href
    page = client.get(href[1]).content.decode()
    assert reverse("matches:match", args=[match.pk]) in page
    assert reverse("matches:match", args=[other.pk]) not in page


@pytest.mark.parametrize("name", ["nobody", "Alice ", "a%00b", "..", "%2e%2e", "a/b", "ü" * 200])
def test_an_unknown_user_is_404(alice: User, client: Client, name: str) -> None:
    assert client.get(f"/users/{name}/").status_code == 404


def test_a_profile_is_found_in_any_case_and_only_its_user_gets_links_to_own_pages(alice: User, client: Client) -> None:
    page = words(client, "/users/ALICE/")
    assert ("No bot yet." in page, "alice" in page, "ALICE" in page, "My bots" in page) == (True, True, False, False)
    client.force_login(alice)
    make_version(make_bot("Moat", alice), state=State.PROBATION)
    page = words(client, "/users/alice/")
    assert ("My bots" in page, "on probation" in page) == (True, True)
    assert 'href="/users/alice/"' in client.get("/mine/").text


def test_a_user_says_on_the_profile_who_she_is(alice: User, client: Client) -> None:
    own = signed_in(alice)
    sent = {"affiliation": " Ogaki \n School ", "about": "I like **walls**.\n\n<script>alert(1)</script>"}
    assert own.post(EDIT, sent, follow=True).redirect_chain == [("/users/alice/", 302)]
    page = client.get("/users/alice/").text
    assert "<bdi>Ogaki School</bdi>" in page
    assert "I like <strong>walls</strong>." in page
    assert "<script>alert" not in page
    assert 'value="Ogaki School"' in own.get(EDIT).text
    User.objects.filter(pk=alice.pk).update(is_active=False)
    page = client.get("/users/alice/").text
    assert ("Ogaki" in page, "walls" in page) == (False, False)


def test_texts_that_are_too_long_are_refused(alice: User) -> None:
    response = signed_in(alice).post(EDIT, {"affiliation": "x" * 81, "about": "y"})
    assert response.status_code == 422
    with pytest.raises(InputError, match="it has 1001 characters, at most 1000 are kept"):
        profile_change(user=alice, affiliation="", about="y" * 1_001)
    assert User.objects.get(pk=alice.pk).about == ""


def test_closing_and_administrators_delete_the_text(alice: User, admin_user: User) -> None:
    bob = make_user("bob")
    for user in (alice, bob):
        profile_change(user=user, affiliation="Ogaki School", about="Buy!")
    profile_clear(user=alice, actor=admin_user, reason="advertises")
    account_close(user=bob, actor=bob)
    for user in (alice, bob):
        user.refresh_from_db()
        assert (user.affiliation, user.about) == ("", "")
    assert AuditEntry.objects.filter(act="profile_clear", target="alice", reason="advertises").exists()
    with pytest.raises(InputError, match="has no text"):
        profile_clear(user=alice, actor=admin_user)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_profile_is_written_in_a_browser(page: Page, alice: User) -> None:
    sign_in(page)
    page.goto("/users/alice/")
    page.get_by_role("link", name="Say who you are").click()
    page.get_by_label("School or team").fill(f"Ogaki School {'x' * 60}")  # without a space to break it at
    page.get_by_label("About me").fill("# Walls\n\nI like *walls*.")
    expect_fits_and_is_accessible(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Ogaki School")).to_be_visible()
    expect(page.get_by_role("heading", name="Walls")).to_be_visible()
    expect_fits_and_is_accessible(page)


def test_the_profile_names_the_highest_league_that_a_bot_has_reached(
    alice: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ladder.services.standings.BOTS_MIN", 2)
    house = make_ranked("gate", 1_500.0)
    Bot.objects.filter(pk=house.bot_id).update(is_house=True, declared_rating=1_500, owner=make_user("house"))
    climber = make_ranked("climber", 1_700.0)
    make_standings()
    Rating.objects.filter(version=climber).update(rating=1_000.0)
    make_standings()
    assert Bot.objects.get(name="climber").league == 0
    assert re.search(r"Reached the league Makushita\s+Kakomimasu\s+·\s+climber", words(client, "/users/alice/"))
    assert "Honours" not in words(client, "/users/house/")


def test_names_are_escaped(client: Client) -> None:
    make_user("<b>x</b>")
    page = client.get(reverse("ladder:profile", args=["<b>x</b>"])).content.decode()
    assert "&lt;b&gt;x" in page
    assert "<b>x" not in page


def test_the_profile_costs_the_same_for_any_number_of_bots(
    alice: User, client: Client, kept: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        bot = make_bot(f"bot {number}", alice)
        for _ in range(3):
            make_version(bot, state=State.RETIRED)
        make_rating(make_version(bot), 1_500.0 + number)
    make_standings()
    client.get("/users/nobody/")  # fills the caches of all pages
    with django_assert_num_queries(5):  # user, bots, versions, honours; matches
        client.get("/users/alice/")


def test_owners_names_link_to_profiles(alice: User, client: Client) -> None:
    version, rival = make_ranked("Moat", 1_500.0), make_versions_bot("Wall", "bob")
    make_standings()
    match = finish_match(make_match(version, rival))
    pages = ("/", "/games/kakomimasu/", f"/bots/{version.bot_id}/", "/boards/", f"/matches/{match.pk}/")
    for url in (*pages, f"/compare/?a={version.bot_id}&b={rival.bot_id}"):
        assert 'href="/users/alice/"' in client.get(url).text, url
