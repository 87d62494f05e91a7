"""The protocol class of the web server."""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from arena.serving.connections import PromptProtocol
from deploy.processes import UVICORN
from deploy.settings import ROOT

OPTION = "--http arena.serving.connections:PromptProtocol"


JAVA = """
import java.net.URI;
import java.net.http.*;

public class Posts {
    public static void main(String[] urls) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        for (String text : new String[] {"first", "second"}) {
            HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(text);
            HttpRequest request = HttpRequest.newBuilder(URI.create(urls[0])).POST(body).build();
            System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
    }
}
"""


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer with the method and the body of the request."""
    told, more = scope["method"].encode() + b" ", True
    while more:
        event = await receive()
        told, more = told + event.get("body", b""), event.get("more_body")
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(told))]})
    await send({"type": "http.response.body", "body": told})


@contextmanager
def served(protocol: type[PromptProtocol]) -> Iterator[tuple[str, int]]:
    """Run the web server with a protocol class, and yield its host and port."""
    listener = socket.socket(socket.AF_INET)  # as uvicorn opens it for several processes
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(echo, http=protocol, log_config=None, lifespan="off"))
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
        assert urllib.request.urlopen(f"http://{host}:{port}/", timeout=30).read() == b"GET "
    assert [bool(option) for option in seen] == [True]


@pytest.mark.parametrize("offer", ["h2c", "websocket", "TLS/1.2, HTTP/2.0", "websocket\r\nUpgrade: h2c"])
def test_who_offers_an_upgrade_is_served_without_it(offer: str) -> None:
    """Requests of one connection, whose bodies come behind the head or later, whole or in chunks, and are counted."""
    head = f"Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: {offer}\r\nHTTP2-Settings: AAMAAABkAAQC"
    big = "x" * 300_000
    with served(PromptProtocol) as address, socket.create_connection(address, timeout=30) as connection:
        for method, framing, body, told in (
            ("POST", "Content-Length: 5", "hello", "hello"),
            ("PUT", "Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("POST", f"Content-Length: {len(big)}", big, big),
            ("GET", "Accept: */*", "", ""),
            ("POST", "Content-Length: 2", "{}", "{}"),
        ):
            connection.sendall(f"{method} / HTTP/1.1\r\n{head}\r\n{framing}\r\n\r\n".encode())
            connection.sendall(body.encode())
            response = HTTPResponse(connection)
            response.begin()
            assert (response.status, response.read()) == (200, f"{method} {told}".encode())


def test_curl_offers_http_2() -> None:
    with served(PromptProtocol) as (host, port):
        command = ["curl", "-sS", "-m", "30", "--http2", "-d", "hello", f"http://{host}:{port}/"]
        assert subprocess.check_output(command, text=True) == "POST hello"


@pytest.mark.test_all
def test_the_client_of_java_offers_http_2(tmp_path: Path) -> None:
    (tmp_path / "Posts.java").write_text(JAVA)
    with served(PromptProtocol) as (host, port):
        command = ["java", str(tmp_path / "Posts.java"), f"http://{host}:{port}/"]
        told = subprocess.check_output(command, text=True, timeout=90)
    assert told.split("\n") == ["POST first", "POST second", ""]


def test_offers_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A client that makes an offer in each request would fill the log."""
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    with caplog.at_level(logging.WARNING), served(PromptProtocol) as address:
        connection = socket.create_connection(address, timeout=30)
        connection.sendall(request)
        assert connection.recv(12) == b"HTTP/1.1 200"
        connection.close()
    assert caplog.records == []


@pytest.mark.parametrize(
    ("path", "files"),
    [("deploy/compose.yaml", "nofile: 65536"), ("deploy/systemd/banzuke-web.service", "LimitNOFILE=65536")],
)
def test_deployed_servers_use_the_protocol(path: str, files: str) -> None:
    text = (ROOT / path).read_text()
    assert text.count("--workers 2") == text.count(OPTION) == text.count(files) == 1


def test_a_local_arena_uses_the_protocol() -> None:
    assert OPTION in " ".join(UVICORN)
