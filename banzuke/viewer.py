"""Serves one replay, and the site's replay viewer, to a browser on this machine; no request leaves the machine.

``manage.py home_viewer`` makes ``viewer.html`` from the site's template; scripts and styles are those of the site.
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

from banzuke.turnlog import LoggedTurn
from core.game import JsonObject
from games.registry import game_named, rules_versions
from games.viewers import viewer_folders, viewer_module, viewer_style, viewer_tables
from games.words import ENGLISH

HERE = Path(__file__).resolve().parent
# Their folders in an installed package, and in the source tree.
STATIC = {
    "ladder": (HERE / "static" / "ladder", HERE.parent / "ladder" / "static" / "ladder"),
    "matches": (HERE / "static" / "matches", HERE.parent / "matches" / "static" / "matches"),
}
POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
LOG = "/log.json"
HOSTS = ("127.0.0.1", "localhost")


def viewer_server(
    replay: bytes, records: Sequence[JsonObject], port: int = 0, *, log: Sequence[LoggedTurn] = ()
) -> ThreadingHTTPServer:
    """Return a server for one replay; ``serve_forever`` starts it.

    Args:
        replay: the content of the replay file.
        records: the records in it.
        port: the port on 127.0.0.1; 0 chooses a free one.
        log: the turn log of the match, if there is one.

    Raises:
        OSError: the port is taken.
    """
    page = _page(records[0]["game"], records[0]["rules"], has_log=bool(log))
    answers = {
        "/": (page.encode(), "text/html; charset=utf-8"),
        "/replay.json": (msgspec.json.encode(records), "application/json"),
        "/match.replay": (replay, "application/octet-stream"),
        LOG: (msgspec.json.encode(log), "application/json"),
    }

    class Handler(_Handler):
        pages = answers

    return _Server(("127.0.0.1", port), Handler)


def _page(game: str, rules: str, *, has_log: bool) -> str:
    """Return the viewer's page for a match of a game that was played by a version of its rules.

    ``has_log`` tells whether the page is to load the turn log of the match, too.
    """
    versions = rules_versions(game)
    rules_here = rules if rules in versions else versions[0]
    style = viewer_style(game, rules)
    page = (HERE / "viewer.html").read_text(encoding="utf-8")
    if not style:
        page = page.replace('<link rel="stylesheet" href="STYLE">', "")
    values = {
        "GAME": game,
        "MODULE": f"/static/{viewer_module(game, rules)}",
        "STYLE": f"/static/{style}",
        "RULES": rules_here,
        "LETTERS": game_named(game, rules_here).seat_letters,
        "TABLES": viewer_tables(game, rules, ENGLISH),
        "LOG_JSON": LOG if has_log else "",
    }
    for name, value in values.items():
        # The attack: a word of a game's table is "</script>", and what follows is markup of the page.
        page = page.replace(f'"{name}"', json.dumps(value).replace("<", "\\u003c"))
    return page


def static_file(path: str) -> Path | None:
    """Return the file for a URL path ``/static/APP/..``, None if there is none."""
    _, _, app, *rest = path.split("/")
    if app == "games":  # only the viewer's part of a game's folder is served
        key, *rest = rest or [""]
        folders: Sequence[Path] = [folder for name, folder in viewer_folders().items() if name == key]
    else:
        folders = STATIC.get(app, ())
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if folder is None:
        return None
    found = folder.joinpath(*rest).resolve()
    # The attack: a page in the browser reads files of the user by ".." in the path, or by a link.
    return found if found.is_file() and found.is_relative_to(folder.resolve()) else None


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, except when a browser closed the connection, as it does when a page is reloaded."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    pages: dict[str, tuple[bytes, str]] = {}

    def do_GET(self) -> None:
        """Answer a GET request with the page, the replay, a static file or an error."""
        if self.headers.get("Host", "").rsplit(":", 1)[0] not in HOSTS:
            # The attack: a page of a site whose name points to this machine (DNS rebinding) reads the replay.
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
        """Print nothing, since the user wants to read the URL."""
