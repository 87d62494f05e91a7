"""Small web servers for tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

POLL_SECONDS = 0.01
"""How often a server checks whether it shall stop; the default is every half second."""


class QuietHandler(BaseHTTPRequestHandler):
    """Answers GET and POST by the method ``respond`` of a subclass, and prints no log."""

    def do_GET(self) -> None:
        self.respond()

    def do_POST(self) -> None:
        self.respond()

    def respond(self) -> None:
        """Read the request, and call ``answer``."""
        raise NotImplementedError

    def answer(self, body: bytes = b"", *, status: int = 200, kind: str = "", location: str = "") -> None:
        """Send an answer, with the headers ``Content-Type`` (``kind``) and ``Location`` if they are given."""
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Location", location)):
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Print nothing."""


@contextmanager
def serving(server: HTTPServer) -> Iterator[str]:
    """Run a server for the time of the block, and yield its URL."""
    thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
    with server:
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
