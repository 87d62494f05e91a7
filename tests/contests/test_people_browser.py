"""A teacher fills a private contest, and two pupils make a team in it, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from contests.models import Contest, TeamMember
from contests.services.people import organiser_add
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def contest() -> Contest:
    made = make_contest(title="Class 7b")
    organiser_add(contest=made.slug, user=make_user("teacher"), actor=None)
    return made


def test_a_class_comes_in_by_list_and_link_and_makes_a_team(
    page: Page, browser: Browser, live_server: LiveServer, contest: Contest
) -> None:
    sign_in(page, "teacher")
    page.goto("/contests/spring/people/")
    page.get_by_label("List of participants").set_input_files(
        {"name": "class.csv", "mimeType": "text/csv", "buffer": b"anna,anna@school.example\nben\n"}
    )
    page.get_by_role("button", name="Make the accounts").click()
    password = page.get_by_role("row", name="anna").locator("code").inner_text()
    expect_fits_and_is_accessible(page)
    page.get_by_role("link", name="To the people").click()
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Link to join the contest").input_value().partition("/join/")[2]
    expect_fits_and_is_accessible(page)

    pupil = browser.new_page(base_url=live_server.url)
    pupil.goto("/accounts/login/")
    pupil.get_by_label("Username").fill("anna")
    pupil.get_by_label("Password").fill(password)
    pupil.get_by_role("button", name="Sign In").click()
    expect(pupil.get_by_text("choose a password of your own")).to_be_visible()
    for field, text in (
        ("oldpassword", password),
        ("password1", "a battery staple"),
        ("password2", "a battery staple"),
    ):
        pupil.locator(f"[name={field}]").fill(text)
    pupil.get_by_role("button", name="Change Password").click()
    expect(pupil).to_have_url(f"{live_server.url}/")
    pupil.goto("/contests/spring/team/")
    pupil.get_by_label("Name of the team").fill("Castle")
    expect_fits_and_is_accessible(pupil)
    pupil.get_by_role("button", name="Make the team").click()
    pupil.get_by_role("button", name="Make a link").click()
    to_team = pupil.get_by_label("Link to join the team").input_value().partition("/join/")[2]
    expect_fits_and_is_accessible(pupil)

    carl = make_user("carl")
    friend = browser.new_page(base_url=live_server.url)
    friend.goto(f"/join/{to_team}")
    expect(friend.get_by_text("anna invites you to this team of Class 7b.")).to_be_visible()
    expect_fits_and_is_accessible(friend)
    friend.goto(f"/join/{link}")
    friend.get_by_role("link", name="Sign in and join").click()
    friend.get_by_label("Username").fill("carl")
    friend.get_by_label("Password").fill("correct horse")
    friend.get_by_role("button", name="Sign In").click()
    friend.get_by_role("button", name="Join").click()
    expect(friend.get_by_text("You take part in this contest now.")).to_be_visible()
    friend.goto(f"/join/{to_team}")
    friend.get_by_role("button", name="Join").click()
    expect(friend.get_by_text("You are a member of the team Castle now.")).to_be_visible()
    assert TeamMember.objects.filter(user=carl).exists()
    assert User.objects.filter(password_once=True).count() == 1
