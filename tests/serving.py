"""Small web servers for tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer

POLL_SECONDS = 0.01
"""How often a server checks whether it shall stop; the default is every half second."""


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
