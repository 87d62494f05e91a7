"""Probation, notifications and users' pages in a real browser: from the bell to the button, on a phone, in the dark."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Notification, User
from accounts.news_kinds import news_kind, notification_choices
from ladder.models import BotVersion, Rating
from ladder.news import PROMOTED
from ladder.services.notifications import notification_create
from ladder.services.versions import version_transition
from matches.models import Match
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_bot, make_rating, make_standings, make_user
from tests.ladder.makers import make_version as make_next_version
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

State = BotVersion.State


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def alices(page: Page, alice: User) -> Page:
    """A page on which Alice is logged in."""
    sign_in(page)
    return page


@pytest.fixture
def version(alice: User) -> BotVersion:
    """A version of Alice's bot that has failed and is on probation."""
    rival, ant = make_version("Rival", "bob"), make_version("Ant hill builder", "alice")
    records = make_records("Rival", "Ant hill builder", fault_turn=3)
    for _ in range(3):
        finish_match(make_match(rival, ant), records)
    for row, rating in ((rival, 1_612.0), (ant, 1_523.0)):
        make_rating(row, rating)
    make_standings()
    return version_transition(version=ant, to=State.PROBATION)


def test_from_the_bell_to_the_button(alices: Page, version: BotVersion) -> None:
    alices.goto("/games/kakomimasu/")
    expect(alices.locator(".board").get_by_role("row", name="Ant hill builder")).to_contain_text("on probation")
    alices.get_by_role("link", name="Notifications 1 new").click()
    alices.get_by_role("link", name="is on probation").click()
    expect(alices.get_by_role("heading", name="On probation")).to_be_visible()
    expect(alices.get_by_role("link", name="Notifications", exact=True)).to_be_visible()

    fault = Match.objects.latest("pk")
    alices.get_by_role("link", name=f"Match {fault.pk}").click()
    expect(alices.get_by_text("IndexError")).to_be_visible()
    alices.go_back()
    alices.get_by_role("button", name="I have looked, play again").focus()
    alices.keyboard.press("Enter")
    expect(alices.get_by_role("heading", level=1)).to_have_text("Ant hill builder")
    expect(alices.get_by_role("heading", name="On probation")).to_have_count(0)
    assert BotVersion.objects.get(pk=version.pk).state == State.ACTIVE


def test_all_are_marked_as_read(alices: Page, alice: User, version: BotVersion) -> None:
    notification_create(kind=PROMOTED, bot=version.bot, occasion="1", league=2)
    alices.goto("/notifications/")
    alices.get_by_role("button", name="Mark all as read").click()
    expect(alices.get_by_role("button", name="Mark all as read")).to_have_count(0)
    expect(alices.get_by_role("link", name="Notifications", exact=True)).to_be_visible()
    assert not alice.notifications.filter(read_at=None).exists()


def _fill(alice: User, version: BotVersion) -> list[str]:
    """Give Alice more bots and every kind of notification; return the urls of the pages that show them."""
    make_next_version(make_bot("x" * 40, alice), state=State.REJECTED)
    other = make_next_version(make_bot("Moat", alice))
    make_rating(other, 1_701.0, games=3, last_match_at=timezone.now() - timedelta(days=3))
    make_standings()
    Rating.objects.filter(version=other).update(rank=None)
    for kind, _title in notification_choices():
        about = {"version": version.pk, "number": 1, "league": 2, "trial": 1, "reference": 1}
        about |= {"tournament": "Final", "slug": "final", "contest": "Spring cup", "contest_place": "games/kakomimasu"}
        about |= {"place": 1, "entrants": 8, "host": "ci.example", "failures": 20, "event": "leader"}
        outcomes = {"built": "plays", "trial_ended": "no_difference", "tournament_left": "withdrawn"}
        outcome = outcomes.get(kind, "")
        notification_create(kind=news_kind(kind), bot=version.bot, occasion="shown", **about, outcome=outcome)
    Notification.objects.filter(kind="built").update(read_at=timezone.now())
    return ["/users/alice/", "/notifications/", f"/bots/{version.bot_id}/", f"/versions/{version.pk}/", "/mine/"]


def test_every_page_is_accessible_and_fits(alices: Page, alice: User, version: BotVersion) -> None:
    for url in [*_fill(alice, version), "/games/kakomimasu/"]:
        alices.goto(url)
        expect_fits_and_is_accessible(alices)
