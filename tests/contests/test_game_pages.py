"""The administrators' list of contests, the buttons of a desk, and the same actions by the API."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from contests.models import Contest
from tests.api.conftest import client_of
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_user("chief", is_staff=True))
    return client


def test_all_contests_are_listed_and_lead_to_their_desks(staff: Client) -> None:
    Contest.objects.create(slug="hidden", title="Hidden cup", game="puyo", visibility="private")
    page = staff.get("/fleet/contests/").text
    assert "Hidden cup" in page
    for url in ("/contests/hidden/desk/", f"/games/{GAME}/desk/", "/contests/new/"):
        assert f'href="{url}"' in page
    staff.force_login(make_user("alice"))
    assert staff.get("/fleet/contests/").status_code == 404


def test_the_api_does_the_same() -> None:
    staff = client_of(make_user("chief", is_staff=True))
    path = f"/api/v1/fleet/games/{GAME}"
    answer = staff.post(f"{path}/state/", {"state": "paused", "reason": "Why."}, content_type="application/json")
    assert (answer.status_code, answer.json()["state"], answer.json()["reason"]) == (200, "paused", "Why.")
    answer = staff.post(f"{path}/state/", {"state": "paused"}, content_type="application/json")
    assert answer.status_code == 422
    answer = staff.post(f"{path}/deadline/", {"until": "2026-12-01T18:00+09:00"}, content_type="application/json")
    assert (answer.status_code, answer.json()["uploads_until"]) == (200, "2026-12-01T09:00:00Z")
    answer = staff.post(f"{path}/deadline/", {"until": None}, content_type="application/json")
    assert (answer.status_code, answer.json()["uploads_until"]) == (200, None)
    for word in ("soon", "2026-12-01", 20261201, "9999-12-31T23:59-10:00"):
        answer = staff.post(f"{path}/deadline/", {"until": word}, content_type="application/json")
        assert answer.status_code == 400
        assert f"{word} is no time: write it like" in answer.text
    answer = staff.post(f"{path}/limits/", {"limits": {"memory_mib": 512}}, content_type="application/json")
    assert (answer.status_code, answer.json()["limits"]["memory_mib"]) == (200, 512)
    answer = staff.post(f"{path}/limits/", {"limits": {"wings": 2}}, content_type="application/json")
    assert answer.status_code == 422
    assert Client().get(f"/api/v1/games/{GAME}/").json()["state"] == "paused"


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scripts", [True, False])
def test_a_freeze_asks_once_more_and_takes_the_reason_with_it(
    browser: Browser, live_server: LiveServer, scripts: bool
) -> None:
    make_user("root", is_staff=True)
    with browser.new_context(base_url=live_server.url, java_script_enabled=scripts) as context:
        page = context.new_page()
        sign_in(page, "root")
        page.goto("/fleet/contests/")
        if scripts:
            expect_fits_and_is_accessible(page)
        page.get_by_role("link", name="Desk Attack 25").click()
        reason = page.get_by_label("Reason, for everybody to read")
        reason.fill("The prizes are given.")
        reason.press("Enter")  # does nothing, since the form has several buttons
        freeze = page.get_by_role("button", name="Freeze", exact=True)
        expect(freeze).to_be_hidden()
        page.get_by_text("Freeze…").press("Enter")
        expect(page.get_by_text("The contest is over then")).to_be_visible()
        freeze.press("Enter")
        expect(page.get_by_text("The prizes are given.")).to_be_visible()
    assert Contest.objects.get(slug="attack25").state == "frozen"
