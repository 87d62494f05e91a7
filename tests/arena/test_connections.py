"""Connections of the web server."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from arena.serving.connections import PromptProtocol
from deploy.broker import free_port
from deploy.settings import ROOT
from tests.waiting import wait_until

MIB = 1024 * 1024
OPTION = "--http arena.serving.connections:PromptProtocol"


async def hello(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer when all has been read: else whoever still sends may find the connection closed."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@contextmanager
def served(protocol: type[PromptProtocol]) -> Iterator[tuple[str, int]]:
    """Serve, and give the address."""
    listener = socket.socket(socket.AF_INET)  # as uvicorn opens it for several processes
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(hello, http=protocol, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    listener.listen()
    yield listener.getsockname()
    server.should_exit = True
    thread.join()


def test_nothing_written_waits() -> None:
    seen: list[int] = []

    class Watched(PromptProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            option = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            seen.append(option)

    with served(Watched) as (host, port):
        assert urllib.request.urlopen(f"http://{host}:{port}/", timeout=30).read() == b"hello"
    assert [bool(option) for option in seen] == [True]


@pytest.mark.parametrize("begin", [b"GET /", b"GET / HTTP/1.1\r\nX-Header: "])
def test_a_head_without_end_is_not_read_on(begin: bytes) -> None:
    with served(PromptProtocol) as address, socket.create_connection(address, timeout=20) as connection:
        sent = 0
        connection.sendall(begin)
        with suppress(ConnectionError):
            while sent < 100 * MIB:
                sent += connection.send(b"x" * 65_536)
    assert sent < 12 * MIB, "what the kernel's buffers may swallow, and no more"


def greeted(connection: socket.socket) -> bool:
    """Ask, and read the whole answer."""
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while not answer.endswith(b"0\r\n\r\n"):
        answer += connection.recv(4096)
    return b"hello" in answer


def test_whoever_has_waited_longest_gives_way() -> None:
    class Narrow(PromptProtocol):
        WAITING_MAX = 3

    with served(Narrow) as address, ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(address, timeout=20)) for _ in range(3)]
        for connection in (*connections, connections[0]):  # which so waits for less long than the others
            assert greeted(connection)
        stack.enter_context(socket.create_connection(address, timeout=20))
        assert connections[1].recv(4096) == b"", "closed"
        for connection in (connections[2], connections[0]):
            assert greeted(connection)


def test_more_slow_connections_than_files_at_first_silence_nobody(tmp_path: Path) -> None:
    """Most systems begin a process with 1,024 files that it may open."""
    port = free_port()
    argv = [sys.executable, "-m", "uvicorn", "arena.asgi:application", "--port", str(port), *OPTION.split()]
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    log = tmp_path / "log"
    with log.open("wb") as output, ExitStack() as stack:
        limited = ["prlimit", "--nofile=256:20000", *argv]
        server = subprocess.Popen(limited, cwd=ROOT, env=env, stdout=output, stderr=output)
        stack.callback(server.wait)
        stack.callback(server.kill)
        wait_until(lambda: answers(port), log.read_text, seconds=60)
        for number in range(300):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            # Half of them have not told all of the head, the others send a body byte by byte.
            slow.sendall(
                b"POST /upload/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n" + b"\r\n1" * (number % 2)
            )
        assert answers(port)


def answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=10) as answer:
        return bool(answer.status == 200)
    return False


@pytest.mark.parametrize("begin", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_head_that_does_not_come_is_not_waited_for(begin: bytes) -> None:
    class Hurried(PromptProtocol):
        HEAD_SECONDS = 0.3

    with served(Hurried) as address, socket.create_connection(address, timeout=20) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * bool(begin) + begin)
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.count(b"200 OK") == bool(begin)


def test_a_large_body_behind_a_small_head_is_read() -> None:
    body = b"x" * MIB
    with served(PromptProtocol) as (host, port):
        answer = urllib.request.urlopen(f"http://{host}:{port}/", data=body, timeout=30)
        assert answer.read() == b"hello"


@pytest.mark.parametrize("path", ["deploy/compose.yaml", "deploy/systemd/banzuke-web.service"])
def test_what_is_deployed_uses_it(path: str) -> None:
    text = (ROOT / path).read_text()
    assert text.count("--workers 2") == text.count(OPTION) == 1
