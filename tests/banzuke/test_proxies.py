"""Proxies answer in place of an arena: the command explains their answers in its own words."""

from __future__ import annotations

import socket
import struct
from http.server import HTTPServer
from pathlib import Path

import pytest

from banzuke.api_types import Account, NewToken
from banzuke.site import Away, Site
from banzuke.text import UserError
from tests.certificates import certificate, server_context
from tests.serving import QuietHandler, serving

ARCHIVE = {"upload": ("bot.zip", bytes(8 << 20))}


class Proxy(QuietHandler):
    """Answers as a proxy does while the arena is away, or when the proxy refuses a request."""

    status = 502
    location = ""

    def respond(self) -> None:
        self.answer(b"<html>nginx</html>", status=self.status, location=self.location)


class Hasty(QuietHandler):
    """Reads a part of the body and closes the connection, like a server that refuses the rest."""

    def respond(self) -> None:
        self.rfile.read(1)
        # Close by a reset, which does not wait for data that is still being sent.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True


@pytest.mark.parametrize(
    ("status", "location", "error", "sentence"),
    [
        *(
            (status, "", Away, rf"does not answer just now \(HTTP {status}\)\. Please try again in a minute\.")
            for status in (502, 503, 504)
        ),
        (413, "", UserError, r"This is too large for http://127.0.0.1:\d+\. Please send less\."),
        (301, "https://arena.example/api/v1/account/", UserError, r"leads to https://arena\.example: give that URL\."),
        (302, "", UserError, r"is not understood here \(HTTP 302\)"),
        (302, "/login", UserError, r"is not understood here \(HTTP 302\)"),
    ],
)
def test_an_answer_of_a_proxy_is_explained(
    status: int, location: str, error: type[UserError], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Proxy, "status", status)
    monkeypatch.setattr(Proxy, "location", location)
    with serving(HTTPServer(("127.0.0.1", 0), Proxy)) as url, pytest.raises(error, match=sentence):
        Site(url).get("account/", Account)


def test_a_broken_upload_may_be_too_large() -> None:
    with serving(HTTPServer(("127.0.0.1", 0), Hasty)) as url:
        site = Site(url)
        with pytest.raises(Away, match=r"broke off while this was sent: .+\. If it is large, send less; else try"):
            site.post("versions/", NewToken, files=ARCHIVE)
        with pytest.raises(Away, match="cannot be reached: "):
            site.post("login/", NewToken, json={"username": "hana"})


def test_an_unknown_authority_is_named_as_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certified = certificate(tmp_path)
    server = HTTPServer(("127.0.0.1", 0), Hasty)
    server.socket = server_context(certified).wrap_socket(server.socket, server_side=True)
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    monkeypatch.delenv("CURL_CA_BUNDLE", raising=False)
    words = r"is not accepted: self.signed certificate\. .*REQUESTS_CA_BUNDLE="
    with serving(server) as url:
        site = Site(url.replace("http:", "https:"))
        with pytest.raises(UserError, match=words) as refusal:
            site.post("login/", NewToken, json={})
        assert not isinstance(refusal.value, Away), "nothing to wait for"
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certified))
        with pytest.raises(Away, match="broke off while this was sent"):
            Site(site.url).post("versions/", NewToken, files=ARCHIVE)
