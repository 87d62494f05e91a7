"""The administrators' page of games, and the same actions by the API."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import AuditEntry
from contests.models import Contest
from contests.selectors.contests import bot_limits
from contests.services.contests import contest_deadline_set, contest_transition
from tests.api.conftest import client_of
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_user("chief", is_staff=True))
    return client


def state(game: str = GAME) -> str:
    return Contest.objects.get(slug=game).state


def test_a_game_is_paused_frozen_and_opened(staff: Client) -> None:
    for act, to in (("pause", "paused"), ("freeze", "frozen"), ("open", "open")):
        page = staff.post(f"/fleet/games/{GAME}/{act}/", {"reason": "Because."}, follow=True)
        assert page.redirect_chain == [("/fleet/games/", 302)]
        assert state() == to
    assert list(AuditEntry.objects.values_list("actor_name", "reason")) == [("chief", "Because.")] * 3


@pytest.mark.parametrize("act", ["pause", "freeze"])
def test_a_button_of_its_own_changes_the_reason(staff: Client, act: str) -> None:
    assert "Change reason" not in staff.get("/fleet/games/").text
    staff.post(f"/fleet/games/{GAME}/{act}/", {"reason": "For an hour."})
    assert staff.get("/fleet/games/").text.count("Change reason") == 1
    assert "For two hours." in staff.post(f"/fleet/games/{GAME}/{act}/", {"reason": "For two hours."}, follow=True).text


def test_what_is_refused_is_said(staff: Client) -> None:
    assert "already: open." in staff.post(f"/fleet/games/{GAME}/open/", follow=True).text
    assert "no such game" in staff.post("/fleet/games/chess/pause/", follow=True).text
    page = staff.post(f"/fleet/games/{GAME}/limits/", {"memory_mib": "much"}, follow=True)
    assert "memory_mib=much is no limit" in page.text
    page = staff.post(f"/fleet/games/{GAME}/limits/", {"memory_mib": "999999"}, follow=True)
    assert "These limits cannot be given" in page.text


def test_limits_are_set_and_an_empty_field_is_as_installed(staff: Client) -> None:
    page = staff.post(f"/fleet/games/{GAME}/limits/", {"memory_mib": " 512 ", "pids_max": ""}, follow=True)
    assert 'value="512"' in page.text
    assert (
        bot_limits(contest=Contest.objects.get(slug=GAME)).memory_mib,
        bot_limits(contest=Contest.objects.get(slug=GAME)).pids_max,
    ) == (512, 64)


def test_a_deadline_is_set_shown_and_taken_away(staff: Client) -> None:
    def sent(until: str) -> str:
        return staff.post(f"/fleet/games/{GAME}/deadline/", {"until": until}, follow=True).text

    sent("2026-12-01T18:00")
    assert Contest.objects.get(slug=GAME).entries_until == datetime(2026, 12, 1, 18, tzinfo=UTC)
    until = datetime(2026, 12, 1, 23, 59, 59, tzinfo=UTC)
    contest_deadline_set(contest=GAME, until=until, actor=None)
    assert 'value="2026-12-01T23:59:59"' in staff.get("/fleet/games/").text
    sent("2026-12-01T23:59:59")
    assert "is no time: write it like" in sent("soon")
    assert Contest.objects.get(slug=GAME).entries_until == until
    sent("")
    assert Contest.objects.get(slug=GAME).entries_until is None


@pytest.mark.parametrize("address", ["", f"{GAME}/pause/", f"{GAME}/deadline/", f"{GAME}/limits/"])
def test_others_get_404(client: Client, address: str) -> None:
    client.force_login(make_user("alice"))
    assert client.post(f"/fleet/games/{address}").status_code in (404, 405)
    assert client.get(f"/fleet/games/{address}").status_code in (404, 405)
    assert state() == "open"


def test_the_api_does_the_same() -> None:
    staff = client_of(make_user("chief", is_staff=True))
    path = f"/api/v1/fleet/games/{GAME}"
    answer = staff.post(f"{path}/state/", {"state": "paused", "reason": "Why."}, content_type="application/json")
    assert (answer.status_code, answer.json()["state"], answer.json()["reason"]) == (200, "paused", "Why.")
    answer = staff.post(f"{path}/state/", {"state": "paused"}, content_type="application/json")
    assert answer.status_code == 422
    answer = staff.post(f"{path}/deadline/", {"until": "2026-12-01T18:00+09:00"}, content_type="application/json")
    assert (answer.status_code, answer.json()["entries_until"]) == (200, "2026-12-01T09:00:00Z")
    answer = staff.post(f"{path}/deadline/", {"until": None}, content_type="application/json")
    assert (answer.status_code, answer.json()["entries_until"]) == (200, None)
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
def test_the_page_is_accessible_fits_and_works_by_keyboard(page: Page) -> None:
    make_user("root", is_staff=True)
    contest_transition(contest="puyo", to=Contest.State.FROZEN, actor=None, reason="The prizes are given. " + "x" * 200)
    sign_in(page, "root")
    page.goto("/fleet/games/")
    page.get_by_label("Bots are taken until").first.fill("2026-12-01T18:00")
    page.get_by_role("button", name="Set deadline Attack 25").press("Enter")
    expect(page.locator("time[data-moment]")).to_be_visible()
    for summary in page.locator(".worker").first.locator("summary").all():
        summary.press("Enter")
    expect_fits_and_is_accessible(page)
    reason = page.get_by_label("Reason, for everybody to read").first
    reason.fill("We mend the rules.")
    reason.press("Enter")  # does nothing, since the form has several buttons
    page.get_by_role("button", name="Pause Attack 25").press("Enter")
    expect(page.get_by_text("We mend the rules.")).to_be_visible()


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
        page.goto("/fleet/games/")
        page.get_by_label("Reason, for everybody to read").first.fill("The prizes are given.")
        freeze = page.get_by_role("button", name="Freeze Attack 25")
        expect(freeze).to_be_hidden()
        page.get_by_text("Freeze… Attack 25").press("Enter")
        expect(page.get_by_text("neither can be undone").first).to_be_visible()
        freeze.press("Enter")
        expect(page.get_by_text("The prizes are given.")).to_be_visible()
    assert state("attack25") == "frozen"
