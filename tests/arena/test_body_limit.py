"""Limits on request bodies, on a real server: how much of a body is read, and what the client receives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from api.problems import PROBLEMS
from api.serializers.problems import ProblemSerializer
from arena.serving import body_limit
from arena.serving.body_limit import DRAIN_BYTES_MAX, BodyLimit, Event, Receive, Send
from deploy.broker import free_port
from deploy.processes import UVICORN

START_SECONDS_MAX = 30
MIB = 1024 * 1024
CHUNK = b"x" * 65_536
BUFFERED_MIB_MAX = 12
"""How much the buffers of the kernel and of the server may take beyond the limit."""
ONCE = "\r\nConnection: close"
"""Behind an answer that is none of the limit's the server would wait five seconds for another request."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """The whole application under uvicorn, as an arena runs it."""
    port = free_port()
    folder = tmp_path_factory.mktemp("temporary")
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "arena.settings.test", "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "uvicorn", "arena.asgi:application", "--port", str(port), *UVICORN]
    with subprocess.Popen(command, env=environment) as process:
        try:
            await_port(process, port)
            yield "127.0.0.1", port
        finally:
            process.terminate()
            process.wait(timeout=20)


def await_port(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert process.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.05)
        else:
            return


def pushed_mib(address: tuple[str, int], headers: str, path: str = "/upload/", total_mib: int = 200) -> tuple[int, str]:
    """Send a body until the server accepts no more; return how much was sent (MiB) and the headers of the response."""
    sent = 0
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n".encode())
        chunked = "chunked" in headers
        with contextlib.suppress(ConnectionError):
            while sent < total_mib * MIB:
                frame = b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK) if chunked else CHUNK
                connection.sendall(frame)
                sent += len(CHUNK)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(4096):
                answer += part
    return sent // MIB, answer.decode("latin-1")


@pytest.mark.parametrize(
    ("headers", "read_mib"),
    [(f"Content-Length: {200 * MIB}", 0), ("Transfer-Encoding: chunked", 5 + DRAIN_BYTES_MAX // MIB)],
    ids=["declared", "chunked"],
)
def test_the_server_stops_reading_at_the_limit(server: tuple[str, int], headers: str, read_mib: int) -> None:
    sent, answer = pushed_mib(server, headers)
    assert sent <= read_mib + BUFFERED_MIB_MAX
    assert answer == "" or " 413 " in answer.splitlines()[0]


@pytest.mark.parametrize("headers", [f"Content-Length: {20 * MIB}", "Transfer-Encoding: chunked"])
def test_a_client_that_sends_all_before_it_reads_receives_the_reason(server: tuple[str, int], headers: str) -> None:
    """Proxies and most programs do so; without draining they would report a broken connection, or a bad gateway."""
    sent, answer = pushed_mib(server, headers, total_mib=20)
    assert sent == 20
    assert answer.startswith("HTTP/1.1 413 ")


def test_a_declared_length_over_the_limit_is_refused_before_the_body_comes(server: tuple[str, int]) -> None:
    with socket.create_connection(server, timeout=20) as connection:
        connection.sendall(f"POST /upload/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {6 * MIB}\r\n\r\n".encode())
        answer = connection.recv(4096).decode()
        assert answer.startswith("HTTP/1.1 413 ")
        assert "connection: close" in answer
        rest = answer.partition("\r\n\r\n")[2] or connection.recv(4096).decode()
        assert "too large" in rest
        assert connection.recv(1) == b"", "closed by the server"


def test_requests_to_the_api_are_refused_with_a_problem(server: tuple[str, int]) -> None:
    """Programs that read JSON would take a plain sentence for the response of something other than an arena."""
    _, answer = pushed_mib(server, f"Content-Length: {20 * MIB}", "/api/v1/versions/", total_mib=20)
    head, _, body = answer.partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 413 ")
    assert "content-type: application/problem+json" in head
    problem = json.loads(body)
    assert set(problem) == set(ProblemSerializer().fields)
    assert problem["type"].removeprefix(reverse("api:reference") + "#") in PROBLEMS


def test_transfers_of_workers_have_a_limit_of_their_own(server: tuple[str, int]) -> None:
    sent, _ = pushed_mib(server, f"Content-Length: {200 * MIB}", "/transfer/token")
    assert sent <= BUFFERED_MIB_MAX
    sent, _ = pushed_mib(server, f"Content-Length: {20 * MIB}{ONCE}", "/transfer/token", total_mib=20)
    assert sent == 20


def test_a_body_within_the_limit_gets_through(server: tuple[str, int]) -> None:
    sent, answer = pushed_mib(server, f"Content-Length: {4 * MIB}{ONCE}", total_mib=4)
    assert sent == 4
    assert " 413 " not in answer


async def reading_all(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Read a body, then wait for the end of the connection, as an application does that streams its response."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200})
    assert (await receive())["type"] == "http.disconnect"


async def statuses_of(*events: Event, grace_seconds: float) -> list[int]:
    """Return the statuses of the responses to a body that stops coming for half a second after these events."""
    coming, sent = iter(events), []

    async def receive() -> Event:
        if event := next(coming, None):
            return event
        await asyncio.sleep(0.5)
        return {"type": "http.disconnect"}

    async def send(event: Event) -> None:
        sent.append(event)

    app = BodyLimit(reading_all, max_bytes=100_000, max_bytes_under={}, grace_seconds=grace_seconds)
    await app({"type": "http", "path": "/upload/", "headers": []}, receive, send)
    return [event["status"] for event in sent if "status" in event]


@pytest.mark.parametrize(("size", "status"), [(10, 408), (10_000, 200)])
def test_a_body_that_comes_too_slowly_is_not_waited_for(size: int, status: int) -> None:
    """A large body may take longer: 8 KiB a second are fast enough."""
    body = {"type": "http.request", "body": bytes(size), "more_body": True}
    assert asyncio.run(statuses_of(body, grace_seconds=0.05)) == [status]


@pytest.mark.parametrize("seconds", [0.01, 0.0])
def test_draining_a_body_ends_in_time(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(body_limit, "DRAIN_SECONDS_MAX", 0.02)
    monkeypatch.setattr(body_limit, "DRAIN_BYTES_MAX", 2**40)

    async def trickle() -> Event:
        await asyncio.sleep(seconds)
        return {"type": "http.request", "body": b"x", "more_body": True}

    sent: list[Event] = []

    async def send(event: Event) -> None:
        sent.append(event)

    app = BodyLimit(reading_all, max_bytes=10, max_bytes_under={})
    scope = {"type": "http", "path": "/upload/", "headers": [(b"content-length", b"100")]}
    for _ in range(20):  # a part that arrived at the moment of the timeout made it go on without end
        asyncio.run(app(scope, trickle, send))
    assert [event["status"] for event in sent[::2]] == [413] * 20


@pytest.mark.parametrize("path", ["/api/v1/versions/", "/upload/", "/transfer/token"])
def test_a_body_that_does_not_fit_on_the_disk_is_refused_with_503(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: str
) -> None:
    """After a 500 people read no reason, and workers fail the job that they have played."""
    from arena.asgi import application

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    coming = iter([{"type": "http.request", "body": CHUNK * 50, "more_body": True}] * 2)
    sent: list[Event] = []

    async def receive() -> Event:
        return next(coming, {"type": "http.request", "body": b"", "more_body": False})

    async def send(event: Event) -> None:
        sent.append(event)

    asyncio.run(application({"type": "http", "path": path, "method": "POST", "headers": []}, receive, send))
    assert sent[0]["status"] == 503
    assert b"our disk is full" in sent[1]["body"]
    assert ("problem" in str(sent[0]["headers"])) is path.startswith("/api/")
    assert not list(coming), "a client that sends all before it reads would see a broken connection"


def test_a_response_may_take_any_time() -> None:
    body = {"type": "http.request", "body": b"all", "more_body": False}
    assert asyncio.run(statuses_of(body, grace_seconds=0.05)) == [200]
