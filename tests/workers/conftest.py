"""A real sandbox, a real HTTP server in the site's place, and bots to play with."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

import sandbox
from core.tars import ArchiveEntry, tar_of
from sandbox.api import Sandbox
from tests.serving import serving
from wire.jobs import AGAIN_MAX, BuildJob, PlayJob, SeatProgram, TryJob
from wire.transport import application
from workers.artifacts import ArtifactCache, Transfer
from workers.play import Tools

TOKEN = "a" * 32

GOOD_BOT = """
def lines(count):
    return [input() for _ in range(count)]

seat, players, width, height, agents, turns = map(int, input().split())
lines(height)
for turn in range(turns):
    lines(1 + players + height + players * agents + 1)
    print("\\n".join("NONE" for _ in range(agents)), flush=True)
"""
"""Answers every question by the protocol, and does nothing."""


class FileSite:
    """Stores files by their SHA-256, as the site does, and records the requests."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.failures: list[int] = []
        """Status codes with which the next requests are refused."""
        self.cuts = 0
        """How many of the next answers break off in the middle."""
        self.pause_seconds = 0.0
        """How many seconds it takes to read each megabyte."""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def add(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.files[digest] = data
        return digest

    def bundle(self, files: dict[str, str]) -> str:
        """Store a bundle of source files, return its digest."""
        return self.add(tar_of(ArchiveEntry(name, text.encode()) for name, text in files.items()))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.answer(lambda: site.files.get(self.path.strip("/")))

            def do_PUT(self) -> None:
                data, size = b"", int(self.headers["Content-Length"])
                while len(data) < size:
                    time.sleep(site.pause_seconds)
                    data += self.rfile.read(min(size - len(data), 1 << 20))
                self.answer(lambda: json.dumps({"digest": site.add(data)}).encode())

            def answer(self, make) -> None:
                site.requests.append(f"{self.command} {self.path}")
                status, body = (site.failures.pop(0), b"no") if site.failures else (200, make())
                self.send_response(404 if body is None else status)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                cut, site.cuts = site.cuts > 0, max(site.cuts - 1, 0)
                self.wfile.write((body or b"")[: len(body or b"") // 2 if cut else None])
                self.close_connection = cut

            def log_message(self, *args: object) -> None:
                """Log nothing."""

        return Handler


@pytest.fixture
def site() -> Iterator[FileSite]:
    site = FileSite()
    with serving(site.server):
        yield site


@pytest.fixture
def app(broker_url: str) -> Celery:
    """The site's end of the broker."""
    return application("site", broker_url)


@pytest.fixture(scope="session")
def backend(bubblewrap: str) -> Sandbox:
    return sandbox.backend("bubblewrap")


@pytest.fixture
def tools(backend: Sandbox, tmp_path: Path) -> Tools:
    transfer = Transfer()
    return Tools(backend, transfer, ArtifactCache(tmp_path / "cache", transfer), "tester")


def seat_program(site: FileSite, source: str, name: str = "bot") -> SeatProgram:
    digest = site.bundle({"main.py": source})
    return SeatProgram(name, "1", f"{site.url}/{digest}", digest, "python", "main.py")


def play_job(site: FileSite, *sources: str, **changes: object) -> PlayJob:
    seats = [seat_program(site, source, f"bot {index}") for index, source in enumerate(sources)]
    fields = {"options": {"board": "A-1"}, "seed": 1, "game": "kakomimasu", **changes}
    fields.setdefault("attempt", AGAIN_MAX + 1)  # by default no attempt is repeated because this machine is busy
    return PlayJob(
        match_id=7,
        lease_token=TOKEN,
        seats=seats,
        replay_url=f"{site.url}/put",
        **{"rules_version": rules_version(), **fields},
    )


def build_job(site: FileSite, files: dict[str, str], opponent: SeatProgram | None = None, **fields: Any) -> BuildJob:
    digest = site.bundle(files)
    return BuildJob(
        version_id=3,
        attempt=1,
        lease_token=TOKEN,
        name="newcomer",
        version="2",
        bundle_url=f"{site.url}/{digest}",
        bundle_digest=digest,
        language=None,
        opponent=opponent,
        seed=5,
        artifact_url=f"{site.url}/put",
        replay_url=f"{site.url}/put",
        **{"game": "kakomimasu", "options": {}, "players": 2, "languages": [], **fields},
    )


def try_job(site: FileSite, source: str, **changes: Any) -> TryJob:
    digest = site.bundle({"main.py": source})
    fields = {"options": {"board": "A-1", "turns": 12}, "seed": 1, "seat": 0, "players": 2, "played": []}
    fields |= {"opponent": None, "language": "python", "languages": [], "rules_version": rules_version()}
    return TryJob(
        try_id=5,
        attempt=1,
        lease_token=TOKEN,
        name="hana",
        game="kakomimasu",
        bundle_url=f"{site.url}/{digest}",
        bundle_digest=digest,
        replay_url=f"{site.url}/put",
        **fields | changes,
    )


def rules_version() -> str:
    from games.registry import game_named

    return game_named("kakomimasu").rules_version
