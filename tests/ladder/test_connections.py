"""Connections of the web server."""

from __future__ import annotations

import asyncio
import socket
import threading
import urllib.request
from typing import Any

import pytest
import uvicorn

from deploy.settings import ROOT
from ladder.connections import PromptProtocol

OPTION = "--http ladder.connections:PromptProtocol"


async def hello(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def test_nothing_written_waits() -> None:
    seen: list[int] = []

    class Watched(PromptProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            option = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            seen.append(option)

    listener = socket.socket(socket.AF_INET)  # as uvicorn opens it for several processes
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(hello, http=Watched, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    port = listener.getsockname()[1]
    listener.listen()
    assert urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30).read() == b"hello"
    server.should_exit = True
    thread.join()
    assert [bool(option) for option in seen] == [True]


@pytest.mark.parametrize("path", ["deploy/compose.yaml", "deploy/systemd/banzuke-web.service"])
def test_what_is_deployed_uses_it(path: str) -> None:
    text = (ROOT / path).read_text()
    assert text.count("--workers 2") == text.count(OPTION) == 1
