"""The benchmark of a contest's day counts what it has seen, and its crowd asks as browsers do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deploy.processes import children
from deploy.settings import settings_read
from tests.bench.contest_day import Day, figures, serves_site
from tests.bench.core_share import GROUPS, held_to
from tests.bench.crowd import Answer, Person, Readers, Watchers, at
from tests.serving import QuietHandler, serving
from tests.waiting import wait_until

DEADLINE = 1_000.0


def answered(status: int = 201, *, seconds: float = 1.0, sent_at: float = DEADLINE - 1, **told: Any) -> Answer:
    return Answer(sent_at, seconds, status, told)


def row(games: int, *, rank: int | None = 1, is_house: bool = False) -> dict[str, Any]:
    return {"games": games, "rank": rank, "house": is_house}


def test_the_figures_of_a_day_tell_what_was_lost() -> None:
    day = Day(
        "day",
        DEADLINE,
        uploads=[answered(received_at="then"), answered(), answered(422), answered(0), answered(422, sent_at=DEADLINE)],
        tries=[answered(seconds=2), answered(429, seconds=4)],
        idle=[answered(200, seconds=0.1)] * 20,
        rush=[*[answered(200, seconds=0.3)] * 19, answered(503, seconds=0.3)],
        heard=7,
        away=1,
    )
    told = figures(day)
    assert told["uploads taken of those sent in time"] == "2 of 4"
    assert told["of the others: refused, cut"] == "1, 1"
    assert told["answers with a receipt"] == "1"
    assert told["tries taken"] == "1 of 2"
    assert told["answer to a try"].startswith("median 3.000 s")
    assert told["pages' p95 against idle"] == "3.0 x"
    assert told["pages that failed in the rush"] == "1"
    assert told["live streams heard, sent away"] == "7, 1"
    assert told["signatures"] == "0"
    assert "games a bot on it" not in told


def test_the_last_board_counts_and_house_bots_do_not() -> None:
    day = Day("day", DEADLINE, uploads=[answered(), answered(), answered()])
    day.boards = [
        (DEADLINE + 60, {"board": [row(1)]}),
        (DEADLINE + 90, {"board": [row(20), row(30, rank=None), row(500, is_house=True)]}),
    ]
    told = figures(day)
    assert told["signatures"] == "2"
    assert told["signed after the deadline"] == "90 s"
    assert told["bots on the signed board, of those taken"] == "2 of 3"
    assert told["of them without a rank"] == "1"
    assert told["games a bot on it"] == "least 20, median 25, most 30"


class Site(QuietHandler):
    """A site on which match 5 is played, and match 6 has too many listeners."""

    def respond(self) -> None:
        """Answer as the site does."""
        if self.path.startswith("/api/v1/matches/"):
            self.answer(json.dumps({"results": [{"id": 5}, {"id": 6}]}).encode(), kind="application/json")
        elif self.path == "/matches/5/live":
            self.answer(b"retry: 1000\n\nevent: lines\ndata: {}\n\nevent: ended\ndata:\n\n", kind="text/event-stream")
        elif self.path == "/matches/6/live":
            self.answer(b"event: away\ndata:\n\n", kind="text/event-stream")
        elif self.path == "/api/v1/versions/":
            self.rfile.read(int(self.headers["Content-Length"]))
            told = {"from": self.headers["X-Forwarded-For"], "received_at": "now"}
            self.answer(json.dumps(told).encode(), status=201, kind="application/json")
        else:
            self.answer(b"a page", kind="text/html")


def test_the_crowd_reads_watches_and_uploads() -> None:
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Site)) as url:
        people = [Person(url, number, run="1") for number in (1, 2)]
        with Readers(people, ["/"]) as readers, Watchers(people, "cup") as watchers:
            wait_until(
                lambda: bool(readers.answers and watchers.heard and watchers.away),
                lambda: (len(readers.answers), watchers.heard, watchers.away),
            )
        assert {answer.status for answer in readers.answers} == {200}
        sent = at(time.time() + 0.01, lambda: people[1].upload("cup", ("bot.zip", b"a bot")))
        assert (sent.status, sent.told["from"]) == (201, "10.0.0.2")
    cut = people[0].get("/")
    assert (cut.status, cut.seconds >= 0) == (0, True)


def test_only_processes_that_serve_the_site_are_held(tmp_path: Path) -> None:
    """The word "beat" had stood for the timetable, and all workers are started ``--without-heartbeat``."""
    broker = SimpleNamespace(site_url="", player_url="", log=tmp_path / "log")
    started = children(settings_read({"DATA": str(tmp_path), "MANAGERS": "2"}), broker)
    assert {child.name for child in started if serves_site(child.argv)} == {"web", "beat", "manage", "manage2"}


def test_a_control_group_holds_processes_to_a_part_of_a_core() -> None:
    root = GROUPS / "cpu" if (GROUPS / "cpu").is_dir() else GROUPS
    if os.geteuid() != 0 or not os.access(root, os.W_OK):
        pytest.skip("needs root and control groups that can be written to")
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as burner:
        try:
            with held_to(0.05, [burner.pid]) as group:
                assert str(burner.pid) in (group / "cgroup.procs").read_text().split()
                wait_until(lambda: "nr_throttled 0\n" not in (group / "cpu.stat").read_text(), burner.poll)
            assert "contest-day" not in Path(f"/proc/{burner.pid}/cgroup").read_text()
        finally:
            burner.kill()
