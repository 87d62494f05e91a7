"""Announcements in a real browser: in both colour schemes and on phones, and dismissed with the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from ladder.models import Announcement
from ladder.services.announcements import announcement_save
from tests.browsing import expect_fits_and_is_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = ("Puyo is paused until noon: https://arena.example/" + "long-" * 20, "The finals have begun.")


def announce() -> None:
    for text, level in zip(TEXTS, (Announcement.Level.WARNING, Announcement.Level.URGENT), strict=True):
        announcement_save(announcement=Announcement(text=text, level=level), actor=None)


def test_announcements_fit_and_are_accessible(page: Page) -> None:
    announce()
    page.goto("/")
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(2)
    expect_fits_and_is_accessible(page)


def test_announcements_are_dismissed_with_the_keyboard_for_good(page: Page) -> None:
    announce()
    page.goto("/")
    page.get_by_role("button", name="the announcement “The finals have begun.”").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The finals have begun.")).to_have_count(0)
    expect(page.get_by_role("button", name="Dismiss")).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(1)
    expect(page.get_by_text("The finals have begun.")).to_have_count(0)
    page.get_by_role("button", name="Dismiss").press("Enter")
    expect(page.locator("#content")).to_be_focused()
    page.goto("/games/")
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(0)
