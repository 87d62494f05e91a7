"""A match of Puyo Puyo in real time, in a browser: ``games/puyo/viewer/input.js``."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsing import expect_accessible
from tests.exhibitions.table_server import Table, TableServer

pytestmark = pytest.mark.test_all

PATIENCE_SECONDS = 30


@pytest.fixture
def server() -> Iterator[TableServer]:
    with TableServer("puyo") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def table_page(browser: Browser, server: TableServer) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    context.close()
    assert errors == []


def turns_of(table: Table) -> list[dict[str, Any]]:
    """Return the records of all turns until now."""
    lines = [line for name, data in table.events if name == "lines" for line in data.split("\n")]
    return [record for record in map(json.loads, lines) if "events" in record]


def answer_of_turn(table: Table, turn: int) -> list[str]:
    """Return the own seat's answer in a turn, from 1, once it is known."""
    with table.news:
        assert table.news.wait_for(lambda: len(turns_of(table)) >= turn, timeout=PATIENCE_SECONDS)
        answer: list[str] = turns_of(table)[turn - 1]["seats"][table.seat]["answer"]
        return answer


def test_pairs_fall_and_are_placed_by_keys_and_buttons(table_page: Page, server: TableServer) -> None:
    page = table_page
    start = page.get_by_role("button", name="Start")
    expect(start).to_be_focused()
    expect_accessible(page, runOnly=["wcag2a", "wcag2aa"])
    page.emulate_media(color_scheme="dark")
    expect_accessible(page, runOnly=["color-contrast"])
    page.get_by_role("radio", name="Fast").check()
    start.click()
    [table] = server.tables
    assert answer_of_turn(table, 1) == ["2 0"], "A pair that nobody touches falls where it appears."

    pair = page.locator("[data-pair]")
    expect(pair).to_be_attached()
    page.keyboard.press("p")
    page.get_by_role("radio", name="Slow").check()
    page.get_by_role("button", name="Go on").click()
    turn = len(turns_of(table))
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "x", " "):
        page.keyboard.press(key)
    assert answer_of_turn(table, turn + 1) == ["0 1"]

    expect(pair).to_be_attached()
    drop = page.get_by_role("button", name="Drop")
    assert drop.evaluate("button => button.getBoundingClientRect().bottom <= innerHeight")
    page.get_by_role("button", name="Right", exact=True).click()
    drop.click()
    assert answer_of_turn(table, turn + 2) == ["3 0"]

    leave = page.locator("[data-table='leave'] button")
    leave.click()
    leave.click()
    expect(page.locator("[data-table='status']")).to_have_text("You have lost.")
