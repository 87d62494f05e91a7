"""The page of what followed bots did, the buttons, and the Atom feeds."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django import DjangoAssertNumQueries
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from common.queries.cached import cached_clear
from contests.models import Contest, Member
from ladder.models import Announcement, Bot, Follow
from ladder.news import LEADER, VERSION
from ladder.services.announcements import announcement_save
from ladder.services.events import event_new, events_create
from ladder.services.follows import follow_begin
from matches.news import CLOSE_MATCH
from tests.browsing import expect_accessible_in_both_schemes, sign_in
from tests.contests.makers import make_contest
from tests.ladder.makers import make_bot, make_user, make_version
from tests.tournaments.makers import make_tournament
from tests.visitors import signed_in, words
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def bot(alice: User) -> Bot:
    """A bot of Bob's that took the first place and plays a new version."""
    bot = make_version(make_bot("Donjon", make_user("bob"))).bot
    version = event_new(bot=bot, kind=VERSION, occasion="v1", number=1)
    events_create([version, event_new(bot=bot, kind=LEADER, occasion="now")])
    return bot


def entries(client: Client, url: str) -> list[str]:
    """Return the titles of a feed."""
    answer = client.get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.text)  # noqa: S314 - our own
    ids = [element.text for element in root.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))
    return [entry.findtext(f"{ATOM}title") or "" for entry in root.iter(f"{ATOM}entry")]


# --- Following --------------------------------------------------------------------------------------------------------


def test_the_button_begins_and_ends_following(alices: Client, alice: User, bot: Bot) -> None:
    for form, page in (({"bot": bot.pk}, f"/bots/{bot.pk}/"), ({"person": "BOB"}, "/users/bob/")):
        assert "You follow" not in words(alices, page)
        assert alices.post("/following/", {**form, "wanted": "yes"})["Location"] == page
        assert "You follow" in words(alices, page)
        assert alices.post("/following/", {**form, "from": "list"})["Location"] == "/following/"
        assert not Follow.objects.exists()


def test_what_cannot_be_followed_is_refused(alices: Client, alice: User, client: Client) -> None:
    cup = make_contest("cup")
    hidden = make_version(Bot.objects.create(owner=make_user("bob"), contest=cup, game=cup.game, name="Keep")).bot
    for form in ({"bot": hidden.pk}, {"bot": 10**9}, {"bot": "x"}, {"person": "nobody"}, {"person": "\0"}, {}):
        assert alices.post("/following/", {**form, "wanted": "yes"}).status_code == 404
    assert (
        "cannot follow yourself" in alices.post("/following/", {"person": "alice", "wanted": "yes"}, follow=True).text
    )
    assert client.post("/following/", {"person": "alice"})["Location"].startswith("/accounts/login/")
    assert not Follow.objects.exists()


def test_the_page_lists_what_followed_bots_did(
    alices: Client, alice: User, bot: Bot, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert "You follow nobody yet" in words(alices, "/following/")
    follow_begin(follower=alice, about=bot.owner)
    follow_begin(follower=alice, about=bot)
    with django_assert_num_queries(6):  # session, user, bots, count, events, follows
        text = words(alices, "/following/")
    assert text.index("Donjon took the first place.") < text.index("Donjon v1 plays now.")
    assert "bob" in words(alices, "/mine/")


def test_a_match_of_two_followed_bots_is_listed_once(alices: Client, alice: User, bot: Bot) -> None:
    other = make_bot("Redoubt", bot.owner)
    follow_begin(follower=alice, about=bot.owner)
    score = {"match": 7, "score": "20", "other_score": "19"}
    for own, rival, outcome in ((bot, other, "won"), (other, bot, "lost")):
        told = {**score, "outcome": outcome, "opponent": rival.name}
        events_create([event_new(bot=own, kind=CLOSE_MATCH, occasion="now", **told)])
    text = words(alices, "/following/")
    assert "Donjon beat Redoubt by 20 to 19" in text
    assert "Redoubt lost" not in text


# --- Feeds ------------------------------------------------------------------------------------------------------------


def test_bots_people_and_contests_have_feeds(client: Client, bot: Bot) -> None:
    announcement = Announcement(text="A bell \x07 rings.", contest_id="kakomimasu", shown_from=timezone.now())
    announcement_save(announcement=announcement, actor=None)
    make_tournament("released", title="Final")
    make_tournament("draft", entrants=0, slug="secret", title="Secret")
    did = ["Donjon took the first place.", "Donjon v1 plays now."]
    assert entries(client, f"/bots/{bot.pk}/feed.atom") == did
    assert entries(client, "/users/bob/feed.atom") == [f"Kakomimasu: {text}" for text in did]
    contest = entries(client, "/games/kakomimasu/feed.atom")
    assert {"Donjon took the first place.", "A bell  rings.", "The tournament Final is announced."} <= set(contest)
    assert "Secret" not in " ".join(contest)
    for page, feed in ((f"/bots/{bot.pk}/", f"/bots/{bot.pk}/"), ("/users/bob/",) * 2, ("/games/kakomimasu/",) * 2):
        assert 'type="application/atom+xml" title="' in (text := client.get(page).text)
        assert text.count(f'href="{feed}feed.atom"') == 2
    first = client.get(f"/bots/{bot.pk}/feed.atom")
    again = client.get(f"/bots/{bot.pk}/feed.atom", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_no_entry_is_new_after_a_rename(client: Client, bot: Bot) -> None:
    """A reader of feeds shows an entry again whose id has changed."""
    tournament = make_tournament("released", title="Final")

    def ids(name: str) -> list[list[str]]:
        urls = (f"/bots/{bot.pk}/feed.atom", f"/users/{name}/feed.atom", "/games/kakomimasu/feed.atom")
        roots = [ElementTree.fromstring(client.get(url).text) for url in urls]  # noqa: S314 - our own
        return [sorted(element.text or "" for element in root.iter(f"{ATOM}id")) for root in roots]

    before = ids("bob")
    Bot.objects.filter(pk=bot.pk).update(name="Bergfried")
    User.objects.filter(username="bob").update(username="robert")
    Contest.objects.filter(pk="kakomimasu").update(title="Stones")
    Tournament.objects.filter(pk=tournament.pk).update(title="Grand final", slug="grand")
    cached_clear()
    assert ids("robert") == before


@pytest.mark.parametrize(
    ("visibility", "status", "named"), [("unlisted", 200, 0), ("private", 404, 0), ("public", 200, 1)]
)
def test_feeds_have_what_guests_may_see(visibility: str, status: int, named: int) -> None:
    cup, bob = make_contest("cup", visibility=visibility), make_user("bob")
    bot = make_version(Bot.objects.create(owner=bob, contest=cup, game=cup.game, name="Donjon")).bot
    Member.objects.create(contest=cup, user=bob)
    events_create([event_new(bot=bot, kind=LEADER, occasion="now")])
    for client in (Client(), signed_in(bob)):
        for url in (f"/bots/{bot.pk}/feed.atom", "/contests/cup/feed.atom"):
            assert client.get(url).status_code == status
        assert len(entries(client, "/users/bob/feed.atom")) == named
        assert "Cookie" not in client.get("/users/bob/feed.atom")["Vary"], "it reads no session"


# --- In a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_spectator_follows_a_bot(browser: Browser, live_server: LiveServer, alice: User, bot: Bot) -> None:
    with browser.new_context(base_url=live_server.url) as context:
        page = context.new_page()
        sign_in(page)
        page.goto(f"/bots/{bot.pk}/")
        page.get_by_role("button", name="Follow").click()
        expect(page.get_by_role("button", name="You follow")).to_be_visible()
        page.goto("/following/")
        expect(page.get_by_text("Donjon took the first place.")).to_be_visible()
        expect_accessible_in_both_schemes(page)
        page.get_by_role("button", name="Follow no more Donjon").click()
        expect(page.get_by_text("You follow nobody yet.")).to_be_visible()
