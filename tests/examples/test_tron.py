"""The example Tron: its own tests, its guide on the site, and its drawing in a real Chromium."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from contests.services.contests import open_contests_ensure
from core.referee import Reply, SeatInfo, Turn, drive, play
from deploy.settings import ROOT
from games.registry import game_named
from ladder.guides import guide_figure
from matches.models import Match
from tests.installing import games_installed, packages_found
from tests.matches.conftest import watch
from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import BORDER_COLOURS, expect_turn, expect_well_drawn, part

__all__ = ["watch"]

PACKAGE = ROOT / "examples" / "tron"
NAMES = ("Alpha", "Beta", "Gamma", "Delta")


@pytest.fixture
def tron(tmp_path: Path, settings: Settings) -> Iterator[None]:
    """Have the game installed and offered, as if the site had been started with it."""
    settings.GAMES = ["tron"]
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, ("games/tron", PACKAGE / "banzuke_tron" / "viewer")]
    with packages_found(PACKAGE), games_installed(tmp_path, {"tron": "banzuke_tron:Tron"}):
        yield


@pytest.mark.test_all
@pytest.mark.timeout(600)
def test_the_installed_package_passes_its_own_tests(tmp_path: Path) -> None:
    """They need no more than an author has: Banzuke, pytest and the package."""
    source, site = tmp_path / "source", tmp_path / "site"
    shutil.copytree(PACKAGE, source)
    install = ("install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", site, source)
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    environment = {**os.environ, "PYTHONPATH": f"{site}:{ROOT}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    pytest_of_its_own = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests"]
    done = subprocess.run(pytest_of_its_own, cwd=source, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.django_db
@pytest.mark.usefixtures("tron")
@pytest.mark.parametrize(("language", "crash"), [("en", "You crash if your next cell"), ("ja", "衝突して脱落します")])
def test_the_guide_is_there_in_two_languages(client: Client, language: str, crash: str) -> None:
    html = client.get("/games/tron/guide/", headers={"accept-language": language}).content.decode()
    assert f'<article class="prose guide" lang="{language}">' in html
    assert crash in html
    assert html.count("<figure") >= 3
    conversation = re.sub("<[^>]*>", "", html)
    assert "0 2 30 20" in conversation
    for name in ("ride", "crashes", "space"):
        assert guide_figure("tron", name).boards


@pytest.mark.django_db
@pytest.mark.usefixtures("tron")
def test_the_site_offers_the_kits_of_the_stub(client: Client) -> None:
    answer = client.get("/games/tron/kits/rust.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert sorted(archive.namelist()) == ["README.md", "banzuke.toml", "main.rs"]
        assert b"A bot for Tron" in archive.read("main.rs")


@pytest.fixture
def match(tron: None) -> Match:
    """A real match on a small grid: two seats crash into the wall, one into a trail."""
    turns = ["RLDR"] * 4 + [".U.R"]
    words = {direction[0]: direction for direction in ("UP", "RIGHT", "DOWN", "LEFT")}

    def answer(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply([words[turns[turn.number - 1][ask.seat]]], 1.5, 3.0) for ask in turn.asks}

    seats = [SeatInfo(name, "1") for name in NAMES]
    _, records = drive(play(game_named("tron"), seed=1, seats=seats, options={"width": 16, "height": 12}), answer)
    open_contests_ensure()
    return finish_match(make_match(*map(make_version, NAMES), game="tron"), records)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_crashes_and_the_board_are_drawn_and_described(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match, "#t=4")
    scores, parts = (part(page, "seats").locator(f".viewer-{name}") for name in ("score", "parts"))
    expect(scores).to_have_text(["3", "4", "3", "4"])
    expect(parts).to_have_text(["Space 0", re.compile(r"Space \d\d"), "Space 0", re.compile(r"Space \d\d")])
    for sentence in (
        "Alpha crashes into the wall.",
        "Gamma crashes into the wall.",
        "Beta and Delta are the last two.",
    ):
        expect(part(page, "spoken")).to_contain_text(sentence)
    assert part(page, "board").evaluate(BORDER_COLOURS) == [1, 1], "crashes into the wall are seen whole"
    page.get_by_text("The board in words").click()
    row = part(page, "text").locator("tr:nth-child(5) td")
    trails = [*["trail of D"] * 4, "head of D", "head of B", *["trail of B"] * 4]
    expect(row).to_have_text([*["free"] * 3, *trails, *["free"] * 3])

    page.keyboard.press("ArrowRight")
    expect_turn(page, 5, last=5)
    for sentence in ("Delta crashes into the trail of Beta.", "Beta wins: it rides last, 5 cells long."):
        expect(part(page, "spoken")).to_contain_text(sentence)
    expect(page.locator(".viewer-mark-into-wall")).to_have_count(2)
    expect(row.nth(8)).to_have_text("trail of B, crash of D")

    page.set_extra_http_headers({"Accept-Language": "ja"})
    page.reload()
    expect(part(page, "events")).to_contain_text("DeltaがBetaの軌跡に衝突しました。")
    expect(parts.first).to_have_text("陣地 0")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_steps_theme_and_accessibility(watch: Callable[..., Page], match: Match) -> None:
    expect_well_drawn(watch(match, "#t=4"), 4, 5)
