"""Answers of a hostile arena cannot control the terminal, and commands printed for copying are quoted."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
from collections.abc import Iterator
from http.server import HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from banzuke.site import Site, site_remember
from core.text import printable
from tests.banzuke.conftest import Run
from tests.serving import QuietHandler, serving

EVIL = "\x1b]0;gone\x07\x9b2J\u202e\r' $(echo harm)"
SEAT = {"name": EVIL, "rank": 1, "score": 1.0, "verdict": EVIL}
VERSION = {
    "id": 1,
    "bot": 1,
    "name": EVIL,
    "number": 1,
    "state": "active",
    "steps": [{"title": EVIL, "state": "done"}],
    "is_final": True,
    "sentence": EVIL,
    "advice": EVIL,
    "faults": [{"match": 1, "verdict": EVIL}],
    "log": EVIL,
    "rating": 1.0,
    "interval": 1.0,
    "games": 1,
    "rank": 1,
    "place": 1,
    "rank_wait": "",
    "match_pace": EVIL,
}
ROW = {"rank": 1, "bot": 2, "name": EVIL, "owner": EVIL, "language": EVIL, "rating": 1.0, "interval": 1.0, "games": 1}
BOT = {
    "id": 1,
    "name": EVIL,
    "game": "kakomimasu",
    "contest": EVIL,
    "versions": [{"id": 1, "number": 1, "state": "probation"}],
}
ANSWERS: dict[str, Any] = {
    "login/": {"token": "t"},
    "account/": {"username": EVIL, "bots": [BOT]},
    "versions/": VERSION,
    "versions/1/": VERSION,
    "versions/1/first-games/": {"played": 1, "goal": 2, "problem": EVIL},
    "bots/2/challenge/": [{"id": 7, "state": "queued", "seats": []}],
    "matches/7/": {"id": 7, "state": "finished", "seats": [SEAT]},
    "matches/7/replay/": [],
    f"contests/{quote(EVIL, safe='')}/board/": {"rows": [ROW]},
    "contests/x/": {"slug": "x", "title": EVIL, "game": EVIL, "state": EVIL, "entries_until": None},
}
"""Answers by path; all other requests are refused."""


class Arena(QuietHandler):
    def respond(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        known = ANSWERS.get(self.path.removeprefix("/api/v1/").partition("?")[0])
        body = json.dumps({"detail": EVIL} if known is None else known)
        self.answer(body.encode(), status=422 if known is None else 200)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """Start an arena that answers with control characters, and sign in to it; yield its URL."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.py").write_text("print(1)\n")
    with serving(HTTPServer(("127.0.0.1", 0), Arena)) as url:
        site_remember(Site(url, "t"))
        yield url


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("status", 0),
        ("status --wait", 2),
        ("status none", 2),
        ("upload main.py --game kakomimasu", 0),
        ("upload main.py --contest x", 2),
        ("challenge none 2", 2),
        ("challenge {name} none", 2),
        ("challenge {name} 2", 0),
        ("challenge {name} 3", 2),
        ("login {url} --name x", 0),
    ],
)
def test_no_command_lets_an_arena_control_the_terminal(
    command: str,
    status: int,
    arena: str,
    banzuke: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("password\n"))
    words = [word.format(name=EVIL, url=arena) for word in command.split()]
    assert banzuke(*words) == status
    reported = "".join(capsys.readouterr())
    assert r"\x1b]0;gone\x07\x9b2J\u202e\r" in reported
    assert printable(reported) == reported


def test_the_command_to_copy_holds_the_name_as_one_word(
    arena: str, banzuke: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert banzuke("upload", "main.py", "--game", "kakomimasu") == 0
    command = capsys.readouterr().out.partition("It plays. banzuke status --wait ")[2].partition(" waits for")[0]
    shell = subprocess.run(["/bin/sh", "-c", f"printf %s {command}"], capture_output=True, text=True, check=True)
    assert shell.stdout == printable(EVIL)


def test_the_command_to_copy_takes_no_name_for_an_option(
    arena: str, banzuke: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for url in ("versions/", "versions/1/"):
        monkeypatch.setitem(ANSWERS, url, VERSION | {"name": "-h"})
    assert banzuke("upload", "main.py", "--game", "kakomimasu") == 0
    words = shlex.split(capsys.readouterr().out.partition("It plays. banzuke ")[2].partition(" waits for")[0])
    assert banzuke(*words) == 2  # since this arena reports a problem of the first games
    assert "usage" not in capsys.readouterr().out


def test_a_folder_with_a_space_is_one_word_of_the_command_to_copy(
    arena: str, banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my replays").mkdir()
    assert banzuke("challenge", EVIL, 2, "--folder", "my replays") == 0
    assert "banzuke watch 'my replays/match-7.jsonl.zst'" in capsys.readouterr().out
