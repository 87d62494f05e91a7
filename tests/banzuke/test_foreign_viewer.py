"""A package's game has its own viewer module, style sheet and words, also for an earlier version of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from banzuke.viewer import static_file, viewer_server
from core.playout import random_answers, replay_answers
from core.replay import encode
from games.registry import game_named
from games.viewers import TEXT_BOARD, viewer_folders, viewer_module, viewer_style, viewer_tables
from games.words import Words
from tests.installing import games_installed
from tests.serving import serving

CLASS = """
from tests.core.toy import RockPaperScissors

class Duel(RockPaperScissors):
    name, title, rules_version, rulesets = "duel", "Duel", "{version}", {{"short": {{}}}}
    seat_letters = "{letters}"
"""
MODULE = """
export * from "../../matches/viewer/textgame.js";
export const symbols = {{ point: "+" }};
export const parts = () => [["wins", {parts}]];
"""
WORDS = "point = {{ $bot }} hits{version}.\nviewer-wins = Wins\n"


@pytest.fixture(scope="module", autouse=True)
def duel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install a game by two versions of its rules; the earlier one has no style sheet."""
    site = tmp_path_factory.mktemp("site")
    files = {
        "__init__.py": CLASS.format(version=2, letters="XYZ"),
        "viewer/viewer.js": MODULE.format(parts=22),
        "viewer/viewer.css": ".viewer-version { color: rgb(1, 2, 3); }",
        "words/en.ftl": WORDS.format(version="") + "later = Only later.\n",
        "v1/__init__.py": CLASS.format(version=1, letters="KLM"),
        "v1/viewer/viewer.js": MODULE.format(parts=11),
        "v1/words/en.ftl": WORDS.format(version=" as of old"),
    }
    for name, content in files.items():
        path = site / "duel" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    with games_installed(site, {"duel": "duel:Duel", "duel.1": "duel.v1:Duel"}):
        yield


def test_a_version_has_its_own_files_and_else_those_of_the_newest() -> None:
    assert {"duel", "duel.1"} <= set(viewer_folders())
    modules = [viewer_module("duel", rules) for rules in ("", "2", "1", "0")]
    assert modules == [f"games/{key}/viewer.js" for key in ("duel", "duel", "duel.1", "duel")]
    assert viewer_style("duel", "1") == "games/duel/viewer.css"
    assert (viewer_module("unknown"), viewer_style("unknown")) == (TEXT_BOARD, "")
    point = {"kind": "point", "args": {}, "seat": 0}
    told = [Words(viewer_tables("duel", rules, "ja")).sentence(point, ["Ann"]) for rules in ("1", "2")]
    assert told == ["Ann hits as of old.", "Ann hits."]
    assert Words(viewer_tables("duel", "1", "en")).sentence({"kind": "later", "args": {}}) == "Only later."


def test_only_the_viewers_folder_is_served(tmp_path: Path) -> None:
    assert static_file("/static/games/duel.1/viewer.js") is not None
    for path in ("duel/../__init__.py", "duel/__init__.py", "duel.2/viewer.js", "duel.1", "duel.1/viewer.css", ""):
        assert static_file(f"/static/games/{path}") is None


@pytest.mark.browser
@pytest.mark.parametrize(
    ("version", "wins", "told", "letters"), [("2", 22, "hits.", "XYZ"), ("1", 11, "hits as of old.", "KLM")]
)
def test_it_is_shown_by_the_viewer_of_its_rules(page: Page, version: str, wins: int, told: str, letters: str) -> None:
    game, table = game_named("duel", version), {"seed": 7, "players": 3, "options": {}}
    _, records = replay_answers(game, random_answers(game, **table), **table)  # type: ignore[arg-type]  # one table for both
    with serving(viewer_server(encode(records), records)) as url:
        page.goto(f"{url}/#t=1")
        expect(page.locator(".viewer-parts").first).to_have_text(f"Wins {wins}")
        expect(page.locator(".viewer-event").first).to_contain_text(told)
        expect(page.locator("[data-viewer=seats] .seat-letter")).to_have_text(list(letters))
        expect(page.locator(".viewer-mark-point").first).to_have_text("+")
        expect(page.locator(".viewer-version").first).to_have_css("color", "rgb(1, 2, 3)")
        expect(page.locator("[data-viewer=rules]")).to_be_hidden()
