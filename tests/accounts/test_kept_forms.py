"""What was typed into a form is kept when its session has ended, or its user has signed in again in another tab."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from contests.services.people import organiser_add
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db

EDIT = "/accounts/profile/"
ABOUT = 'I like "walls" & moats,\nand I have written\n\n    a bot.'
HERE = {"Origin": "http://testserver"}
TOKEN = {"csrfmiddlewaretoken": "t" * 32}


def fields_of(page: str) -> dict[str, str]:
    """Return what a browser sends of the form that keeps what was typed."""
    form = page[page.index('<form class="form"') :]
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form)
    shown = re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)
    return {name: unescape(text) for name, text in [*hidden, *shown]}


def test_a_form_whose_token_is_of_an_earlier_sign_in_is_sent_again(alice: User) -> None:
    tab = Client(enforce_csrf_checks=True)
    tab.force_login(alice)
    page = tab.get(EDIT).text
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page[page.index('<form class="form"') :]))
    tab.logout()
    sign_in_page = tab.get("/accounts/login/").text
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', sign_in_page)
    assert found
    sent = {"login": "alice", "password": "correct horse", "csrfmiddlewaretoken": found[1]}
    assert tab.post("/accounts/login/", sent).status_code == 302
    typed = {"affiliation": "Ogaki School", "about": ABOUT, "csrfmiddlewaretoken": token}
    kept = tab.post(EDIT, typed, headers=HERE)
    assert kept.status_code == 403
    assert "You have signed in since the page was opened, as alice." in kept.text
    assert User.objects.get().about == ""
    again = fields_of(kept.text)
    assert again.pop("csrfmiddlewaretoken") != token
    assert again == {"affiliation": "Ogaki School", "about": ABOUT}
    again["csrfmiddlewaretoken"] = fields_of(kept.text)["csrfmiddlewaretoken"]
    assert tab.post(EDIT, again, headers=HERE).status_code == 302
    assert User.objects.get().about == ABOUT


def test_a_form_whose_session_has_ended_is_kept_on_the_page_that_leads_to_sign_in(client: Client) -> None:
    make_contest()
    typed = {**TOKEN, "title": "Autumn cup", "description": ABOUT}
    for url, status in (
        (EDIT, 403),
        ("/contests/spring/desk/settings/", 404),
        ("/contests/nowhere/desk/settings/", 404),
        ("/admin/ladder/announcement/add/", 403),
    ):
        page = client.post(url, typed, headers=HERE)
        assert page.status_code == status, url
        assert "You are not signed in any more." in page.text, url
        kept = fields_of(page.text)
        assert (kept["title"], kept["description"]) == ("Autumn cup", ABOUT)
        assert f'action="{url}"' in page.text


def test_a_file_is_chosen_once_more(client: Client) -> None:
    upload = SimpleUploadedFile("main.py", b"print(1)")
    page = client.post("/upload/", {**TOKEN, "name": "Moat", "upload": upload}, headers=HERE)
    assert fields_of(page.text)["name"] == "Moat"
    assert 'enctype="multipart/form-data"' in page.text
    assert re.search(r'<input type="file" id="\S+" name="upload" required>', page.text)


def test_a_form_is_kept_for_this_site_alone(client: Client, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://testserver"]  # as behind a proxy that does not tell the scheme
    page = client.post(
        "http://testserver//evil.example/", {**TOKEN, "about": ABOUT}, headers={"Origin": "https://testserver"}
    )
    assert page.status_code == 404
    assert page.request["PATH_INFO"] == "//evil.example/"
    assert 'action="/%2Fevil.example/"' in page.text


@pytest.mark.parametrize(
    ("url", "sent", "headers", "status"),
    [
        (EDIT, {**TOKEN, "about": ABOUT}, {"Origin": "http://evil.example"}, 302),
        (EDIT, {**TOKEN, "about": ABOUT}, {"Origin": "https://testserver"}, 302),
        (EDIT, {**TOKEN, "about": ABOUT}, {"Referer": "http://testserver.evil.example/"}, 302),
        (EDIT, {**TOKEN, "about": ABOUT}, {}, 302),
        (EDIT, {**TOKEN, "about": ABOUT}, {**HERE, "HX-Request": "true"}, 302),
        (EDIT, {**TOKEN, "about": "  "}, HERE, 302),
        (EDIT, {"about": ABOUT}, HERE, 302),
        ("/accounts/password/change/", {**TOKEN, "oldpassword": "correct horse", "about": ABOUT}, HERE, 302),
        ("/nowhere/", {**TOKEN, "password": "correct horse"}, HERE, 404),
    ],
)
def test_nothing_of_other_sites_and_no_password_is_sent_back(
    client: Client, url: str, sent: dict[str, str], headers: dict[str, str], status: int
) -> None:
    """The attack: somebody's page sends a form, and the reader sends it once more by our button."""
    page = client.post(url, sent, headers=headers)
    assert page.status_code == status
    assert "not signed in any more" not in page.text
    assert "correct horse" not in page.text


def test_a_forged_form_is_refused_as_ever(alice: User) -> None:
    tab = Client(enforce_csrf_checks=True)
    tab.force_login(alice)
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null", "Referer": "http://testserver/"}, {}):
        page = tab.post(EDIT, {**TOKEN, "about": ABOUT}, headers=headers)
        assert page.status_code == 403
        assert "moats" not in page.text


def test_members_still_learn_that_there_is_no_such_page(alice: User) -> None:
    make_contest()
    page = signed_in(alice).post("/contests/spring/desk/settings/", {**TOKEN, "title": "Mine"}, headers=HERE)
    assert page.status_code == 404
    assert "Mine" not in page.text


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_an_organiser_signs_in_again_in_another_tab_and_loses_nothing(
    browser: Browser, live_server: LiveServer, settings: Any
) -> None:
    contest = make_contest()
    organiser_add(contest=contest.slug, user=make_user("alice"), actor=None)
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    sign_in(page)
    page.goto("/contests/spring/desk/settings/")
    page.get_by_label("Title").fill("Autumn cup")
    page.get_by_label("Description").fill(ABOUT)
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Not sent yet")).to_be_visible()
    expect(page.get_by_label("What you typed")).to_have_value(ABOUT)
    expect_fits_and_is_accessible(page)
    with context.expect_page() as opened:
        page.get_by_role("link", name="sign in in another tab").click()
    sign_in(opened.value)
    page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_text("You have signed in since the page was opened, as alice.")).to_be_visible()
    page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_text("The contest is changed.")).to_be_visible()
    contest.refresh_from_db()
    assert (contest.title, contest.description.replace("\r\n", "\n")) == ("Autumn cup", ABOUT)
    context.close()
