"""The guides in a real browser: accessible on wide screens and phones, in both colour schemes and every language."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browsing import EACH_LANGUAGE, expect_accessible
from tests.own import OWN

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]

PHONE, DESK = {"width": 360, "height": 800}, {"width": 1280, "height": 900}


def read_in(page: Page, live_server: LiveServer, language: str) -> None:
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]  # the library's stubs know only literal dictionaries


@EACH_LANGUAGE
@pytest.mark.parametrize("game", list(OWN))
def test_a_page_is_accessible_and_fits(page: Page, live_server: LiveServer, game: str, language: str) -> None:
    read_in(page, live_server, language)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="dark")
    page.goto(f"/games/{game}/guide/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for drawing in page.locator(".boards svg").all():
        box = drawing.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    if language == "ru" or game == "puyo":  # the same elements in other words; of one game in every language
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="light")
        expect_accessible(page)


def test_the_list_of_contents_leads_to_the_sections(page: Page) -> None:
    page.goto("/games/puyo/")
    page.get_by_role("link", name="Rules and protocol").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How to write a bot for Puyo Puyo")
    page.get_by_role("link", name="Limits").click()
    expect(page.get_by_role("heading", name="Limits")).to_be_in_viewport()
