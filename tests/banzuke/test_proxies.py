"""Proxies answer in place of an arena: the command explains their answers in its own words."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from banzuke.site import Away, NewToken, OwnAccount, Site
from banzuke.text import UserError
from tests.certificates import certificate, server_context
from tests.serving import serving

ARCHIVE = {"upload": ("bot.zip", bytes(8 << 20))}


class Proxy(BaseHTTPRequestHandler):
    """Answers as a proxy does while the arena is away, or when the proxy refuses a request."""

    status = 502
    location = ""

    def do_GET(self) -> None:
        self.send_response(self.status)
        if self.location:
            self.send_header("Location", self.location)
        self.end_headers()
        self.wfile.write(b"<html>nginx</html>")

    def log_message(self, *arguments: object) -> None:
        pass


class Hasty(Proxy):
    """Reads a part of the body and closes the connection, like a server that refuses the rest."""

    def do_POST(self) -> None:
        self.rfile.read(1)
        # Close by a reset, which does not wait for data that is still being sent.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True


@pytest.fixture
def answer() -> Iterator[Callable[..., str]]:
    """Yield a function that sets the answer of a proxy and returns its URL."""
    with serving(HTTPServer(("127.0.0.1", 0), Proxy)) as url:

        def set_answer(status: int, location: str = "") -> str:
            Proxy.status, Proxy.location = status, location
            return url

        yield set_answer


@pytest.mark.parametrize("status", [502, 503, 504])
def test_an_error_of_a_proxy_means_that_the_arena_is_away(answer: Callable[..., str], status: int) -> None:
    site = Site(answer(status))
    with pytest.raises(Away, match=rf"does not answer just now \(HTTP {status}\)\. Please try again in a minute\."):
        site.get("account/", OwnAccount)


def test_a_body_too_large_for_a_proxy_is_a_sentence(answer: Callable[..., str]) -> None:
    with pytest.raises(UserError, match=r"This is too large for http://127.0.0.1:\d+\. Please send less\."):
        Site(answer(413)).get("account/", OwnAccount)


def test_a_redirect_names_the_new_url(answer: Callable[..., str]) -> None:
    site = Site(answer(301, "https://arena.example/api/v1/account/"))
    with pytest.raises(UserError, match=r"leads to https://arena\.example: give that URL\."):
        site.get("account/", OwnAccount)


@pytest.mark.parametrize("location", ["", "/login"])
def test_an_unexpected_answer_is_a_sentence(answer: Callable[..., str], location: str) -> None:
    with pytest.raises(UserError, match=r"is not understood here \(HTTP 302\)"):
        Site(answer(302, location)).get("account/", OwnAccount)


def test_a_broken_upload_may_be_too_large() -> None:
    with serving(HTTPServer(("127.0.0.1", 0), Hasty)) as url:
        site = Site(url)
        with pytest.raises(Away, match=r"broke off while this was sent: .+\. If it is large, send less; else try"):
            site.post("versions/", NewToken, files=ARCHIVE)
        with pytest.raises(Away, match="cannot be reached: "):
            site.post("login/", NewToken, json={"username": "hana"})


@pytest.fixture
def tls(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the URL of a site with a certificate of its own authority, and that of the authority (a file)."""
    certified = certificate(tmp_path)
    server = HTTPServer(("127.0.0.1", 0), Hasty)
    server.socket = server_context(certified).wrap_socket(server.socket, server_side=True)
    with serving(server) as url:
        yield url.replace("http:", "https:"), certified


def test_an_unknown_authority_is_named_as_the_reason(tls: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    url, certified = tls
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    monkeypatch.delenv("CURL_CA_BUNDLE", raising=False)
    with pytest.raises(UserError, match=r"is not accepted: self.signed certificate\. .*REQUESTS_CA_BUNDLE=") as refusal:
        Site(url).post("login/", NewToken, json={})
    assert not isinstance(refusal.value, Away), "nothing to wait for"
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certified))
    with pytest.raises(Away, match="broke off while this was sent"):
        Site(url).post("versions/", NewToken, files=ARCHIVE)
