"""A game of one's own, from `banzuke game new` to a rated match on a running arena, by docs/play/games.md alone."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, expect

from arena.http_visitor import Visitor
from deploy.broker import free_port
from deploy.settings import ROOT
from tests.deploy.arena import OPEN, Arena, arena_running
from tests.wheels import pip_install, venv_made, wheel_built

pytestmark = [pytest.mark.arena, pytest.mark.timeout(900), pytest.mark.test_all]

PAGE = ROOT / "docs" / "play" / "games.md"
NAME, PASSWORD = "rin", "a long secret of rin"
HALF_AN_HOUR = 1_800


class Reader:
    """Types the commands of the page, in a folder, with a virtual environment in which `banzuke` is installed."""

    def __init__(self, folder: Path, wheel: Path, running: ExitStack, browser: Browser) -> None:
        self.home, self.running, self.browser = folder / "home", running, browser
        self.arena_folder = self.home / "arena"
        self.arena_folder.mkdir(parents=True)
        self.venv, self.arena_venv = venv_made(folder / "venv"), venv_made(self.arena_folder / ".venv")
        pip_install(self.venv, wheel)
        self.arena: Arena | None = None
        self.env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.env |= {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}

    def type_in(self, line: str) -> str:
        """Do what a line of the page says, and return what it prints."""
        match shlex.split(line):
            case ["pip", "install", *arguments]:
                pip_install(self.venv, *arguments, cwd=self.home)
            case [".venv/bin/pip", "install", "--no-deps", package]:
                pip_install(self.arena_venv, package, cwd=self.arena_folder)
            case [games, "make", "run"]:
                self.start_arena(games.removeprefix("GAMES="))
            case ["banzuke", "game", "watch", *arguments]:
                self.watch(*arguments)
            case ["banzuke", "login", _]:
                return self.log_in()
            case ["banzuke", *arguments]:
                return self.banzuke(*arguments)
            case words:
                raise AssertionError(f"Nobody knows how to type {words}.")
        return ""

    def banzuke(self, *arguments: str, typed: str = "") -> str:
        command = [self.venv / "bin" / "banzuke", *arguments]
        done = subprocess.run(command, cwd=self.home, env=self.env, input=typed, capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}\n{done.stdout}{done.stderr}"
        return done.stdout

    def watch(self, *arguments: str) -> None:
        command = [self.venv / "bin" / "banzuke", "game", "watch", *arguments, "--no-browser"]
        with subprocess.Popen(command, cwd=self.home, env=self.env, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            url = next(found[0] for line in process.stdout if (found := re.match(r"http://\S+", line)))
            self.see(url)
            process.terminate()

    def start_arena(self, games: str) -> None:
        data, python = self.home.parent / "data", self.arena_venv / "bin" / "python"
        environment = {"GAMES": games, "LANGUAGES": "cpp python"}
        self.arena = self.running.enter_context(arena_running(data, free_port(), python=python, **environment))
        self.arena.wait_for(OPEN, seconds=300)

    def log_in(self) -> str:
        assert self.arena
        visitor = Visitor(self.arena.url)
        form = visitor.page("/accounts/signup/").form_with("username")
        visitor.submit(form, {"username": NAME, "password1": PASSWORD, "password2": PASSWORD})
        return self.banzuke("login", self.arena.url, "--name", NAME, typed=f"{PASSWORD}\n")

    def see(self, url: str) -> str:
        """Open the page of a match in the browser, look at its end, and return the commentary."""
        page = self.browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(url)
        expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
        page.locator("[data-viewer=last]").click()
        text = page.locator("[data-viewer=events]").inner_text()
        page.close()
        assert errors == []
        return text


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_built(tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels"))


def test_from_a_new_game_to_a_rated_match_by_the_page_alone(
    wheel: Path, tmp_path: Path, browser: Browser, bubblewrap: str
) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++: apt-get install g++")
    commands = re.findall(r"^\$ (.+)$", PAGE.read_text(), re.MULTILINE)
    begun = time.monotonic()
    with ExitStack() as running:
        reader = Reader(tmp_path, wheel, running, browser)
        printed = {line: reader.type_in(line) for line in commands}
        assert "land is in order." in printed["banzuke game check banzuke-land"]
        assert "first.replay: in order." in printed["banzuke verify first.replay"]
        assert ["✓ Active" in printed[line] for line in commands if " upload " in line] == [True, True]
        first = next(line for line in printed["banzuke status First --wait"].splitlines() if line.startswith("First"))
        assert "±" in first, "it is rated"

        arena = reader.arena
        assert arena
        matches = requests.get(f"{arena.url}/api/v1/matches/?game=land", timeout=30).json()["results"]
        rated = next(match for match in matches if match["state"] == "finished")
        told = reader.see(f"{arena.url}/matches/{rated['id']}/")
        assert re.search(r"\w+ wins: \d+ points? to \d+|share the first place", told), told
        assert time.monotonic() - begun < HALF_AN_HOUR
