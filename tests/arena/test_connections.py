"""The protocol class of the web server."""

from __future__ import annotations

import asyncio
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from arena.serving.connections import PromptProtocol
from deploy.settings import ROOT

OPTION = "--http arena.serving.connections:PromptProtocol"


async def hello(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer after reading the whole body: otherwise a client that still sends may find the connection closed."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@contextmanager
def served(protocol: type[PromptProtocol]) -> Iterator[tuple[str, int]]:
    """Run the web server with a protocol class, and yield its host and port."""
    listener = socket.socket(socket.AF_INET)  # as uvicorn opens it for several processes
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(hello, http=protocol, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    listener.listen()
    yield listener.getsockname()
    server.should_exit = True
    thread.join()


def test_nagles_algorithm_is_off() -> None:
    seen: list[int] = []

    class Watched(PromptProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            option = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            seen.append(option)

    with served(Watched) as (host, port):
        assert urllib.request.urlopen(f"http://{host}:{port}/", timeout=30).read() == b"hello"
    assert [bool(option) for option in seen] == [True]


@pytest.mark.parametrize(
    ("path", "files"),
    [("deploy/compose.yaml", "nofile: 65536"), ("deploy/systemd/banzuke-web.service", "LimitNOFILE=65536")],
)
def test_deployed_servers_use_the_protocol(path: str, files: str) -> None:
    text = (ROOT / path).read_text()
    assert text.count("--workers 2") == text.count(OPTION) == text.count(files) == 1
