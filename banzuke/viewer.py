"""Serves the site's replay viewer to the browser of this machine, and one replay: no request leaves the machine.

``viewer.html`` is made from the site's template (``manage.py home_viewer``); scripts and styles are the site's own.
"""

from __future__ import annotations

import json
import mimetypes
import sys
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from core.game import JsonObject
from games.housebots import FOLDER
from games.registry import game_named, game_names

HERE = Path(__file__).resolve().parent
# As they are installed, and as they lie in the source tree.
STATIC = {
    "ladder": (HERE / "static" / "ladder", HERE.parent / "ladder" / "static" / "ladder"),
    "matches": (HERE / "static" / "matches", HERE.parent / "matches" / "static" / "matches"),
}
POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HOSTS = ("127.0.0.1", "localhost")


def viewer_server(replay: bytes, records: Sequence[JsonObject], port: int = 0) -> ThreadingHTTPServer:
    """Return a server for one replay, which begins with ``serve_forever``.

    Args:
        replay: the file.
        records: what it holds.
        port: 0: any that is free.

    Raises:
        OSError: the port is taken.
    """
    game = records[0]["game"]
    rules = game_named(game).rules_version
    page = (HERE / "viewer.html").read_text(encoding="utf-8").replace("GAME", game)
    page = page.replace('"RULES"', json.dumps(rules))
    answers = {
        "/": (page.encode(), "text/html; charset=utf-8"),
        "/replay.json": (msgspec.json.encode(records), "application/json"),
        "/match.replay": (replay, "application/octet-stream"),
    }

    class Handler(_Handler):
        pages = answers

    return _Server(("127.0.0.1", port), Handler)


def static_file(path: str) -> Path | None:
    """Return the file of an address ``/static/APP/..``, None if there is none."""
    _, _, app, *rest = path.split("/")
    if app == "games":  # what else lies in a game's folder is no page's to read
        game, *rest = rest or [""]
        folders: Sequence[Path] = (FOLDER / game / "viewer",) if game in game_names() else ()
    else:
        folders = STATIC.get(app, ())
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if folder is None:
        return None
    found = folder.joinpath(*rest).resolve()
    # "..", or a link, would let any page in the browser read files of the user.
    return found if found.is_file() and found.is_relative_to(folder.resolve()) else None


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell of an error, but not of a browser that left before its answer came, as when a page is loaded anew."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    pages: dict[str, tuple[bytes, str]] = {}

    def do_GET(self) -> None:
        """Answer a request."""
        if self.headers.get("Host", "").rsplit(":", 1)[0] not in HOSTS:
            # A page elsewhere whose name is made to point to this machine (DNS rebinding) must not read the replay.
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        path = unquote(urlsplit(self.path).path)
        if path in self.pages:
            self._send(*self.pages[path])
        elif path.startswith("/static/") and (file := static_file(path)):
            self._send(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet: the user wants to read the address."""
