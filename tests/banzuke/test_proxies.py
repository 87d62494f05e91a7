"""What stands before an arena answers in its place: the command tells that in words of its own."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from banzuke.site import Account, Away, NewToken, Site
from banzuke.text import UserError
from tests.certificates import certificate, server_context
from tests.serving import serving

ARCHIVE = {"upload": ("bot.zip", bytes(8 << 20))}


class Proxy(BaseHTTPRequestHandler):
    """Answers as proxies do while the arena is away, or what they themselves refuse."""

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
    """Takes a part of what is sent and hangs up, as a server does that has refused the rest."""

    def do_POST(self) -> None:
        self.rfile.read(1)
        # Ends at once, with a reset and not in order: else what is still on its way would be waited for.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True


@pytest.fixture
def answer() -> Iterator[Callable[..., str]]:
    """Set what the proxy answers; returns its address."""
    with serving(HTTPServer(("127.0.0.1", 0), Proxy)) as address:

        def set_answer(status: int, location: str = "") -> str:
            Proxy.status, Proxy.location = status, location
            return address

        yield set_answer


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxy_whose_arena_is_away_is_asked_later(answer: Callable[..., str], status: int) -> None:
    site = Site(answer(status))
    with pytest.raises(Away, match=rf"does not answer just now \(HTTP {status}\)\. Please try again in a minute\."):
        site.get("account/", Account)


def test_what_a_proxy_finds_too_large_is_called_so(answer: Callable[..., str]) -> None:
    with pytest.raises(UserError, match=r"This is too large for http://127.0.0.1:\d+\. Please send less\."):
        Site(answer(413)).get("account/", Account)


def test_an_arena_that_has_moved_names_its_address(answer: Callable[..., str]) -> None:
    site = Site(answer(301, "https://arena.example/api/v1/account/"))
    with pytest.raises(UserError, match=r"leads to https://arena\.example: give that address\."):
        site.get("account/", Account)


@pytest.mark.parametrize("location", ["", "/login"])
def test_whatever_else_is_no_arena(answer: Callable[..., str], location: str) -> None:
    with pytest.raises(UserError, match=r"is not understood here \(HTTP 302\)"):
        Site(answer(302, location)).get("account/", Account)


def test_what_breaks_off_in_the_middle_may_be_too_large() -> None:
    with serving(HTTPServer(("127.0.0.1", 0), Hasty)) as address:
        site = Site(address)
        with pytest.raises(Away, match=r"broke off while this was sent: .+\. If it is large, send less; else try"):
            site.post("versions/", NewToken, files=ARCHIVE)
        with pytest.raises(Away, match="cannot be reached: "):
            site.post("login/", NewToken, json={"username": "hana"})


@pytest.fixture
def tls(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A site with a certificate of its own: its address, and the file of whoever has signed it."""
    certified = certificate(tmp_path)
    server = HTTPServer(("127.0.0.1", 0), Hasty)
    server.socket = server_context(certified).wrap_socket(server.socket, server_side=True)
    with serving(server) as address:
        yield address.replace("http:", "https:"), certified


def test_an_unknown_authority_is_named_as_the_reason(tls: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    address, certified = tls
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    monkeypatch.delenv("CURL_CA_BUNDLE", raising=False)
    with pytest.raises(UserError, match=r"is not accepted: self.signed certificate\. .*REQUESTS_CA_BUNDLE=") as refusal:
        Site(address).post("login/", NewToken, json={})
    assert not isinstance(refusal.value, Away), "nothing to wait for"
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certified))
    with pytest.raises(Away, match="broke off while this was sent"):
        Site(address).post("versions/", NewToken, files=ARCHIVE)
