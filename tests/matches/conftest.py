"""Fixtures of the tests of match pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version


@pytest.fixture
def finished() -> Match:
    """A match of Alpha and Beta that has been played to its end."""
    return finish_match(make_match(make_version("Alpha"), make_version("Beta")))


@pytest.fixture
def watch(page: Page) -> Callable[..., Page]:
    """Open the page of a match and wait until its replay is there."""

    def open_match(match: Match, hash_: str = "") -> Page:
        page.goto(f"/matches/{match.pk}/{hash_}")
        expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
        return page

    return open_match
