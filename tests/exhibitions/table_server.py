"""A table without an arena: ``python -m tests.exhibitions.table_server GAME [--seat N] [--clock SECONDS] [--port N]``.

It serves the page of a table with the scripts and styles of the source tree. The referee plays in a thread of this
process; all other seats answer at random. The page of each ``GET /`` begins a new match; ``/?seed=7`` one of that seed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import mimetypes
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import django
import msgspec
import numpy as np
from django.contrib.staticfiles.finders import find
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import override

from common.words.messages import sentence_of
from core.game import Game, IllegalAnswer
from core.message import Message, said
from core.referee import Ask, Reply, SeatInfo, Turn, play
from core.sight import Sight
from games.registry import game_named
from wire.tables import Answer, Question

TRIES = 3
PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Table</title>
<link rel="stylesheet" href="/static/ladder/site.css">
{head}
</head>
<body class="table-body">
<header class="masthead"><div class="wrap masthead-row"><a class="brand" href="/">
<span class="brand-name">Banzuke</span></a></div></header>
<main id="content" class="wrap"><h1 class="visually-hidden">Table</h1>{body}</main>
<script type="module" src="{script}"></script>
</body>
</html>
"""


class Table:
    """One match: a person's seat against random bots, played in a thread."""

    def __init__(self, game: Game[Any], *, seat: int, players: int, seed: int, clock: float) -> None:
        self.game, self.seat, self.seed, self.clock = game, seat, seed, clock
        self.events: list[tuple[str, str]] = []
        self.asked_at: dict[int, float] = {}
        self.news = threading.Condition()
        self.answers: queue.Queue[Answer] = queue.Queue()
        self.numbers = itertools.count(1)
        self.rng = np.random.default_rng(seed)
        self.seats = [
            SeatInfo("You" if i == seat else f"random{i}", "" if i == seat else "1", "") for i in range(players)
        ]
        threading.Thread(target=self._play, daemon=True).start()

    def add(self, name: str, data: str) -> None:
        """Add an event for the page."""
        with self.news:
            self.events.append((name, data))
            self.news.notify_all()

    def events_after(self, sent: int) -> list[tuple[str, str]]:
        """Return the events after the first ``sent``, waiting up to five seconds for one."""
        with self.news:
            self.news.wait_for(lambda: len(self.events) > sent, timeout=5)
            return self.events[sent:]

    def with_time(self, event: int, data: str) -> str:
        """Return the data of a question with the seconds that are left."""
        left = max(0.0, self.clock - (time.monotonic() - self.asked_at[event]))
        return json.dumps(json.loads(data) | {"left": left})

    def _play(self) -> None:
        match = play(self.game, seed=self.seed, seats=self.seats)
        sight = Sight(self.game, self.seat)
        turn = next(match)
        while True:
            self._lines(sight.records(turn) if self.game.hides else turn.records)
            replies = {ask.seat: self._reply(ask, turn) for ask in turn.asks}
            try:
                turn = match.send(replies)
            except StopIteration as stop:
                self._lines(stop.value.records)
                self.add("ended", "")
                return

    def _lines(self, records: Any) -> None:
        self.add("lines", "\n".join(json.dumps(record) for record in records))

    def _reply(self, ask: Ask, turn: Turn) -> Reply:
        if ask.seat != self.seat:
            return Reply(self.game.random_answer(ask.state, 0, ask.seat, self.rng), cpu_ms=1.5)
        refused = ""
        for tries in range(TRIES, 0, -1):
            answer = self._answer(self._ask(ask, turn.number, refused, tries))
            if answer is None or answer.leaves:
                return self._out(turn.number, "left" if answer else "time", said(""))
            try:
                if len(answer.lines) != ask.answer_lines:
                    kind = "fewer-lines" if len(answer.lines) < ask.answer_lines else "more-lines"
                    raise IllegalAnswer(kind, count=ask.answer_lines)
                self.game.parse(ask.state, 0, ask.seat, answer.lines)
                return Reply(answer.lines, wall_ms=1.0)
            except IllegalAnswer as error:
                why = error.message
                refused = self._sentence(why)
        return self._out(turn.number, "illegal answer", why)

    def _ask(self, ask: Ask, turn: int, refused: str, tries: int) -> int:
        number = next(self.numbers)
        offered = self.game.lines_offered(ask.state, 0, ask.seat)
        question = Question(number, turn, list(ask.lines), ask.answer_lines, offered, self.clock, None, tries)
        self.asked_at[len(self.events)] = time.monotonic()
        self.add("question", json.dumps(msgspec.to_builtins(question) | {"refused": refused or None}))
        return number

    def _out(self, turn: int, verdict: str, why: Message) -> Reply:
        self.add("out", json.dumps({"turn": turn, "verdict": verdict, "why": self._sentence(why)}))
        return Reply([], fault=verdict, why=why)

    def _sentence(self, message: Message) -> str:
        return sentence_of(msgspec.to_builtins(message), self.game.name, [seat.name for seat in self.seats])

    def _answer(self, number: int) -> Answer | None:
        ends = time.monotonic() + (self.clock or 36_000)
        while True:
            try:
                answer = self.answers.get(timeout=max(0.0, ends - time.monotonic()))
            except queue.Empty:
                return None
            if answer.leaves or answer.number == number:
                return answer


def table_html(game: Game[Any], *, seat: int, seconds: int, language: str, match: int) -> str:
    """Return the page of a table in a language."""
    from exhibitions.pages import table_page  # its models need Django to be set up

    with override(language):
        viewer = table_page(
            game.name,
            game.rules_version,
            seat=seat,
            seconds=seconds,
            events=f"/events/{match}/",
            answer=f"/answer/{match}/",
            links=[""] * 8,
            name="table",
        )
        head = render_to_string("exhibitions/_table_head.html", {"viewer": viewer})
        body = render_to_string("exhibitions/_table.html", {"viewer": viewer, "after": {"again": "/"}})
    return PAGE.format(language=language, head=head, body=body, script=static("exhibitions/table.js"))


class TableServer(ThreadingHTTPServer):
    """Serves tables of a game on 127.0.0.1; ``serve_forever`` starts it. Django must be set up."""

    def __init__(
        self, game: str, *, seat: int = 0, players: int = 2, clock: int = 60, language: str = "en", port: int = 0
    ) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.game, self.seat, self.players = game_named(game), seat, players
        self.clock, self.language = clock, language
        self.tables: list[Table] = []

    def page(self, seed: int) -> str:
        """Begin a match of a seed, and return the page of its table."""
        self.tables.append(Table(self.game, seat=self.seat, players=self.players, seed=seed, clock=self.clock))
        match = len(self.tables) - 1
        return table_html(self.game, seat=self.seat, seconds=self.clock, language=self.language, match=match)


class _Handler(BaseHTTPRequestHandler):
    server: TableServer

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        folder, *parts = url.path.strip("/").split("/")
        if url.path == "/":
            self._send(self.server.page(int(query.get("seed", ["1"])[0])).encode(), "text/html; charset=utf-8")
        elif folder == "events":
            self._follow(self.server.tables[int(parts[0])], int(query.get("after", ["0"])[0]))
        elif folder == "static" and (found := find("/".join(parts))):
            self._send(Path(found).read_bytes(), mimetypes.guess_type(found)[0] or "application/octet-stream")
        else:
            self._send(b"", status=404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        table = self.server.tables[int(self.path.strip("/").split("/")[1])]
        table.answers.put(msgspec.json.decode(body, type=Answer))
        self._send(b"", status=202)

    def _send(self, body: bytes, kind: str = "", status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def _follow(self, table: Table, sent: int) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with suppress(ConnectionError):
            while True:
                news = table.events_after(sent)
                for number, (name, data) in enumerate(news, sent):
                    self._event(name, table.with_time(number, data) if name == "question" else data, number + 1)
                sent += len(news)
                if not news:
                    self._event("still", "", sent)
                self.wfile.flush()

    def _event(self, name: str, data: str, number: int) -> None:
        lines = "".join(f"data: {line}\n" for line in data.split("\n"))
        self.wfile.write(f"event: {name}\nid: {number}\n{lines}\n".encode())

    def log_message(self, *arguments: object) -> None:
        """Print nothing."""


def main() -> None:
    """Serve tables of a game until the program is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--clock", type=int, default=60, help="seconds for an answer; 0: no limit")
    parser.add_argument("--language", default="en")
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
    django.setup()
    server = TableServer(**vars(given))
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}/\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
