"""People who use the pages of an arena, each with a browser of their own."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.waiting import wait_until

PASSWORD = "a long secret of the class"


class Visitors:
    """Opens a browser of its own for each person."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url

    def page(self) -> Page:
        """Return the first page of somebody who has never been here."""
        context = self._browser.new_context(base_url=self._url, viewport={"width": 1280, "height": 1000})
        page = context.new_page()
        page.goto("/")
        return page


def choose_password(page: Page) -> None:
    """Type the password that everybody has here, twice."""
    for name in ("password1", "password2"):
        page.locator(f"[name={name}]").fill(PASSWORD)


def sign_up(page: Page, name: str) -> None:
    """Make an account on a page of somebody who has none."""
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill(name)
    choose_password(page)
    page.get_by_role("button", name="Sign Up").click()
    expect(page.get_by_role("link", name=name).first).to_be_visible()


def reload_until(page: Page, words: str, seconds: float = 240) -> None:
    """Load a page again and again until it shows some words."""

    def shows() -> bool:
        page.reload()
        return words in page.inner_text("main")

    wait_until(shows, lambda: page.inner_text("main"), seconds)
