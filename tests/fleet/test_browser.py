"""The administrators' pages in a real browser: they keep themselves fresh, work with the keyboard, and fit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import AuditEntry
from fleet.models import Host
from fleet.services.hosts import host_invite
from jobs.models import Worker
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def staff(page: Page) -> Page:
    make_user("root", is_staff=True)
    sign_in(page, "root")
    return page


def fill_fleet() -> list[str]:
    """Make a fleet with rows of every kind; return the URLs of all pages."""
    finish_match(make_match(make_version("a"), make_version("b")))
    make_match(make_version("c"), make_version("d"))
    worker = make_worker("play@one")
    make_worker("play@" + "long-" * 15, state=Worker.State.DRAINING, reason="Its memory is to be replaced.")
    make_worker("play@bad", state=Worker.State.QUARANTINED, reason="It lies.", self_test="The network can be reached.")
    make_worker("play@gone", state=Worker.State.GONE, canary_ms=None, cpu_percent=None, languages=[])
    host_invite(name="north", actor=None)
    host_invite(name="south", actor=None)
    Host.objects.filter(name="south").update(state=Host.State.REVOKED)
    AuditEntry.objects.bulk_create(
        AuditEntry(actor_name="root", act="worker_drain", target=f"play@{number}", reason="r" * 100)
        for number in range(60)
    )
    return ["/fleet/", "/fleet/audit/", "/fleet/hosts/", f"/fleet/workers/{worker.pk}/quarantine/"]


def test_every_page_is_accessible_and_fits(staff: Page) -> None:
    for url in fill_fleet():
        staff.goto(url)
        expect_fits_and_is_accessible(staff)


def test_the_page_keeps_itself_fresh_and_the_focus_where_it_is(staff: Page) -> None:
    worker = make_worker("play@one", busy=0)
    staff.goto("/fleet/")
    button = staff.get_by_role("button", name="Drain play@one")
    button.focus()
    staff.evaluate("window.sameDocument = true")
    Worker.objects.filter(pk=worker.pk).update(busy=2)
    expect(staff.get_by_text("2 of 2 play")).to_be_visible()
    expect(button).to_be_focused()
    assert staff.evaluate("window.sameDocument") is True


def test_all_works_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    make_user("root", is_staff=True)
    worker = make_worker("play@one", processes=1)
    with browser.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, "root")
        page.goto("/fleet/")
        page.get_by_role("button", name="One process more play@one").click()
        expect(page.get_by_text("(2 wanted)")).to_be_visible()
        for name in ("Drain", "Resume"):
            page.get_by_role("button", name=f"{name} play@one").click()
    worker.refresh_from_db()
    assert (worker.processes_wanted, worker.state) == (2, Worker.State.ACTIVE)
