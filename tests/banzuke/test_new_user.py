"""A new user's first five minutes, step by step: from a starter kit to a rated bot on a real arena."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.http_visitor import Visitor
from deploy.broker import free_port
from tests.deploy.arena import OPEN, Arena, arena_running

pytestmark = [pytest.mark.arena, pytest.mark.timeout(900), pytest.mark.test_all]

FIVE_MINUTES = 300
NAME, PASSWORD = "hana", "a long secret of hana"


class Shell:
    """Runs commands that a user types, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}

    def __call__(self, line: str, typed: str = "", status: int = 0) -> str:
        """Run a line that begins with banzuke, and return its output."""
        argv = [sys.executable, "-m", "banzuke", *line.split()[1:]]
        run = subprocess.run(argv, cwd=self.folder, env=self.env, input=typed, capture_output=True, text=True)
        assert run.returncode == status, f"{line}\n{run.stdout}{run.stderr}"
        return run.stdout


@pytest.fixture
def arena(tmp_path: Path, bubblewrap: str) -> Iterator[Arena]:
    with arena_running(tmp_path / "data", free_port(), GAMES="wondev_woman", LANGUAGES="cpp python") as running:
        running.wait_for(OPEN, seconds=300)
        yield running


@pytest.fixture
def type_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    return Shell(folder)


def test_from_a_kit_to_a_rated_bot_in_five_minutes(arena: Arena, type_in: Shell) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++: apt-get install g++")
    begun = time.monotonic()

    # 1. A bot that plays, before anything is understood.
    assert "wondev_woman_cpp is ready." in type_in("banzuke new wondev_woman cpp")
    played = type_in("banzuke play wondev_woman wondev_woman_cpp house:random --seed 1 --replay first.replay")
    assert "The match ended after" in played
    assert ", time:" not in played
    assert "first.replay: in order." in type_in("banzuke verify first.replay")

    # 2. An account, made in the browser; the token comes by name and password.
    visitor = Visitor(arena.url)
    form = visitor.page("/accounts/signup/").form_with("username")
    visitor.submit(form, {"username": NAME, "password1": PASSWORD, "password2": PASSWORD})
    assert f"You are {NAME} at" in type_in(f"banzuke login {arena.url} --name {NAME}", typed=f"{PASSWORD}\n")

    # 3. The bot is uploaded, checked, built and tried, and plays.
    sent = type_in("banzuke upload wondev_woman_cpp --game wondev_woman --name Hana")
    assert [sign in sent for sign in ("✓ Checked", "✓ Built", "✓ Check match played", "✓ Active", "✗")] == [
        True
    ] * 4 + [False]

    # 4. It plays its first games, gets a rank, and status says until when it is provisional.
    reported = type_in("banzuke status Hana --wait")
    _, line, *rank_wait = reported.splitlines()
    assert line.split()[:4] == ["Hana", "wondev_woman", "1", "active"]
    assert "±" in line
    # The last fit may have all the matches that it takes, or not.
    assert all(sentence.startswith("Hana: Its rank is provisional: ") for sentence in rank_wait if sentence)

    assert time.monotonic() - begun < FIVE_MINUTES

    # Errors are reported as well: a bot with a syntax error.
    source = type_in.folder / "wondev_woman_cpp" / "main.cpp"
    source.write_text(source.read_text().replace("int main() {", "int main() { oops"))
    refused = type_in("banzuke upload wondev_woman_cpp --game wondev_woman --name Hana", status=1)
    assert "✗ Built" in refused
    assert "main.cpp" in refused
