"""``banzuke spar`` against a small server that plays the arena's part: broken connections, waiting, leaving."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import HTTPServer
from pathlib import Path
from typing import Any

import pytest

from banzuke import site
from banzuke.commands import spar
from banzuke.site import Site, site_remember
from tests.banzuke.conftest import Refusal, Run
from tests.serving import QuietHandler, serving

ECHO = "import sys\nfor line in sys.stdin:\n    print('NONE', flush=True)\n"
QUESTION = {"turn": 1, "lines": ["go"], "answer_lines": 1, "cpu_ms": 100, "refused": None, "answered": False}
TABLE = {"id": 5, "url": "http://arena.example/matches/5/", "seat": 0, "secret": "s3cret"}
SEATS = [{"name": "hana", "rank": 1, "score": 3.0, "verdict": ""}]
MATCH = {"id": 5, "state": "finished", "seats": [], "players": SEATS}


class FakeArena(QuietHandler):
    """Tells what the test has written to ``news``, and notes all answers; an entry None is a 503."""

    news: list[list[dict[str, Any]] | None] = []
    asked: list[str] = []
    answers: list[dict[str, Any]] = []

    def respond(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        if self.path.endswith("/answer/"):
            assert self.headers["Authorization"] == "Seat s3cret"
            self.answers.append(sent)
            self.answer(status=202)
        elif "/news/" in self.path:
            self.asked.append(self.path.partition("after=")[2])
            events = self.news.pop(0)
            body = json.dumps({"events": events, "after": f"{len(self.asked)}-0"}).encode()
            self.answer(status=503) if events is None else self.answer(body)
        elif self.path.endswith("/replay/"):
            self.answer(b"replay")
        else:
            self.answer(json.dumps(TABLE if self.command == "POST" else MATCH).encode())


@pytest.fixture(autouse=True)
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeArena]]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(site, "AWAY_RETRY_SECONDS", 0.0)
    monkeypatch.setattr(spar, "PAUSE_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    Path("echo.py").write_text(ECHO)
    FakeArena.news, FakeArena.asked, FakeArena.answers = [], [], []
    with serving(HTTPServer(("127.0.0.1", 0), FakeArena)) as url:
        site_remember(Site(url, "token"))
        yield FakeArena


def told(event: str, **data: Any) -> dict[str, Any]:
    return {"event": event, "data": data}


SPAR = ("spar", "kakomimasu", "--against", "7", "--", sys.executable, "echo.py")


def test_it_waits_in_line_and_goes_on_after_a_broken_connection(
    arena: type[FakeArena], banzuke: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = told("question", number=1, **QUESTION), told("question", number=2, **QUESTION)
    arena.news = [[told("waiting", place=2)], None, [first], [told("away")], [first, second], [told("ended")]]
    assert banzuke(*SPAR) == 0
    assert arena.asked == ["", "1-0", "1-0", "3-0", "4-0", "5-0"]
    assert [answer["number"] for answer in arena.answers] == [1, 2], "a question that comes again is answered once"
    printed = capsys.readouterr().out
    assert "Place in line: 2." in printed
    assert "Match 5: 1. hana 3." in printed
    assert Path("match-5.jsonl.zst").read_bytes() == b"replay"


def test_ctrl_c_and_a_program_that_ends_leave_the_table(
    arena: type[FakeArena], banzuke: Run, refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.news = [[told("question", number=1, **QUESTION)]]
    failed = "Your program failed in turn 1 (crashed): It ended with exit code 0 before it had answered."
    assert failed in refusal(*SPAR[:-1], "-c", "")
    assert [answer.get("leaves") for answer in arena.answers] == [True]

    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(spar, "_answer", interrupted)
    arena.news = [[told("question", number=1, **QUESTION)]]
    assert banzuke(*SPAR) == 130
    assert [answer.get("leaves") for answer in arena.answers] == [True, True]
