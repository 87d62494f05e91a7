"""The site in Japanese and Russian in a real Chromium: front page, switch, upload, viewer, and phones' width."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.registry import game_names
from games.words import tables, words_of
from tests.ladder.makers import make_ranked, make_standings
from tests.matches.test_viewer_puyo import CHAIN, finished
from tests.matches.viewing import enter, part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]

NARROW = 320
"""Width of a small phone in pixels."""


def speak(page: Page, language: str) -> None:
    """Make the browser request a language, as if its user had chosen it."""
    page.set_extra_http_headers({"Accept-Language": language})


def test_the_front_page_in_japanese_and_the_switch(page: Page) -> None:
    speak(page, "ja,en;q=0.5")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("heading", level=1)).to_have_text("ボットを書こう。番付を駆け上がろう。")

    languages = page.get_by_role("form", name="サイトの言語")
    expect(languages.get_by_role("button")).to_have_text(["English", "日本語", "Русский"])
    page.goto("/games/")
    languages.get_by_role("button", name="Русский").click()
    expect(page).to_have_url(page.url.partition("/games/")[0] + "/games/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Игры")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_a_mistaken_upload_in_japanese(page: Page, live_server: LiveServer) -> None:
    speak(page, "ja")
    enter(page, make_ranked("Moat", 1_500).bot.owner, live_server)
    page.goto("/upload/")
    page.get_by_label("ボットの名前").fill("Mizu")
    page.get_by_label("ファイル").set_input_files(
        {"name": "main.py", "mimeType": "text/x-python", "buffer": b" " * 6_000_000}
    )
    expect(page.get_by_role("alert")).to_have_text(
        "ファイルが 5 MiB を超えています。ボットに要らないものを除いてください。"
    )


def test_the_viewer_in_russian(page: Page, watch: Callable[..., Page]) -> None:
    speak(page, "ru")
    watch(finished(), f"#t={CHAIN}")
    expect(part(page, "turn")).to_have_text("Ход 12 из 23")
    expect(part(page, "spoken")).to_contain_text("запускает цепочку из 3: 1\xa0000 очков.")
    expect(part(page, "play")).to_have_accessible_name("Воспроизвести")
    page.keyboard.press("ArrowRight")
    expect(part(page, "events")).to_contain_text("падает мусорных пуё: 11.")
    page.get_by_text("Поле словами").click()
    expect(part(page, "text").locator("tr").last.locator("td").first).to_have_text("синий")


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
def test_the_viewer_and_the_pages_make_the_same_sentences(page: Page, language: str) -> None:
    page.goto("/games/")
    for game in game_names():
        messages = [message for content in dict(tables(game, language)).values() for message in examples(content)]
        words = words_of(game, language)
        expected = [words.sentence(message, BOTS) for message in messages]
        made = f"new m.Messages({json.dumps(tables(game, language))})"
        call = f"((words) => {json.dumps(messages)}.map((each) => words.sentence(each, {json.dumps(BOTS)})))({made})"
        assert run_module(page, "messages.js", call) == expected


BOTS = ["Alpha", "<b>Beta"]
VALUES = [
    *(0, 1, 2, 5, -1021, 1.5, "<b>a\u202e"),
    *(
        {"seat": 0},
        {"seat": 7},
        {"kind": "bot-killed", "args": {"signal": 9}},
        {"kind": "unknown", "args": {"n": 1}},
    ),
    {"kind": "text", "args": {"text": "Typed by a person."}},
]
PLURALS = {"zero", "one", "two", "few", "many", "other"}
"""Choices that a number makes, and no text."""


class _Names(Visitor):
    """Collects the values of a message, and the words by which it chooses among its variants."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.choices: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802 - the visitor's names
        self.values.add(node.id.name)

    def visit_Variant(self, node: ast.Variant) -> None:  # noqa: N802
        if isinstance(node.key, ast.Identifier):
            self.choices.add(node.key.name)
        self.generic_visit(node)


def examples(content: str) -> Iterator[dict[str, Any]]:
    """Yield messages of all kinds of a table, with values of all sorts."""
    for entry in FluentParser().parse(content).body:
        if not isinstance(entry, ast.Message):
            continue
        names = _Names()
        names.visit(entry)
        kind = entry.id.name
        for value in [*VALUES, *sorted(names.choices - PLURALS)]:
            yield {"kind": kind, "args": dict.fromkeys(sorted(names.values), value), "seat": 1}


@pytest.mark.parametrize("language", ["ja", "ru"])
def test_long_words_stay_inside_of_a_phone(page: Page, live_server: LiveServer, language: str) -> None:
    speak(page, language)
    match = finished()
    owner = make_ranked("Moat", 1_500).bot.owner
    make_standings()
    page.set_viewport_size({"width": NARROW, "height": 800})
    enter(page, owner, live_server)
    bot = owner.bots.get()
    paths = (
        "/",
        "/games/",
        f"/games/{bot.game}/",
        "/upload/",
        "/mine/",
        "/matches/",
        f"/matches/{match.pk}/",
        "/boards/",
        f"/bots/{match.seats.all()[0].version.bot_id}/challenge/",
    )
    for path in (*paths, f"/bots/{bot.pk}/", f"/bots/{bot.pk}/trials/", f"/users/{owner.username}/", "/notifications/"):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, path
