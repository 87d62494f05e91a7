"""Small web servers of tests, each as long as a test needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer

POLL_SECONDS = 0.01
"""How soon a server sees that it shall end: by itself it looks only every half second."""


@contextmanager
def serving(server: HTTPServer) -> Iterator[str]:
    """Let a server answer as long as the block lasts, and yield its address."""
    thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
    with server:
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
