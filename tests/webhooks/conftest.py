"""A program that takes messages, for the tests of webhooks."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.certificates import certificate, server_context


class Receiver:
    """A program of a user that takes messages by https."""

    def __init__(self, certified: Path) -> None:
        self.status = 204
        self.head = b""
        """Sent instead of an answer, if it is not empty."""
        self.taken: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers), body))
                if receiver.head:
                    self.wfile.write(receiver.head)
                    return
                self.send_response(receiver.status)
                self.send_header("Location", receiver.url)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = server_context(certified).wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_port}/banzuke?from=arena"


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver on this machine, whose address counts as public and whose certificate as valid."""
    certified = certificate(tmp_path)
    monkeypatch.setattr("webhooks.sending.is_public", lambda address: True)
    monkeypatch.setattr("webhooks.sending.tls_context", lambda: ssl.create_default_context(cafile=str(certified)))
    running = Receiver(certified)
    threading.Thread(target=running.server.serve_forever, daemon=True).start()
    yield running
    running.server.shutdown()
    running.server.server_close()
