"""Sends messages to urls that users chose, and reaches nothing but public hosts.

The attack: a user takes a url inside the arena's own network (a database, the broker, the metadata service of a cloud),
so that the arena sends requests there, and learns from errors and times what is there. So: only https, only hosts all
of whose addresses are public; the connection goes to the address that was looked at, not to the name once more, which
might have another address by then; redirects are not followed; of the answer only the status is read.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import certifi
import h11
from django.utils.encoding import iri_to_uri

SECONDS_MAX = 10
"""How long looking up the host, connecting, sending and the answer's status may take together."""
ANSWER_BYTES_MAX = 16 * 1024
"""An answer whose status line and headers are longer than this is read no further."""
HTTPS_PORT = 443
_CHUNK_BYTES = 4 * 1024
_UNICAST = IPv6Network("2000::/3")
"""All public IPv6 addresses of single hosts; the prefixes by which gateways reach IPv4 addresses are outside."""


class NotPublic(Exception):  # noqa: N818 - says what the address is
    """A host has an address that is not public."""


class NoHttp(Exception):  # noqa: N818 - says what the answer is
    """The answer is not HTTP, or its status line and headers are longer than ``ANSWER_BYTES_MAX``."""


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet.

    IPv6 addresses that hold an IPv4 address are not: a gateway would lead to that one.
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address) and (ip not in _UNICAST or ip.sixtofour or ip.teredo):
        return False
    return ip.is_global and not ip.is_multicast


async def message_post(url: str, *, headers: Mapping[str, str], body: bytes) -> int:
    """Send a message by POST, within ``SECONDS_MAX``, and return the HTTP status of the answer.

    Args:
        url: begins with ``https://``.
        headers: of the message, besides ``Host``, ``Content-Length`` and the like.
        body: JSON.

    Raises:
        NotPublic: the host has an address that is not public.
        NoHttp: the answer is not HTTP.
        TimeoutError: it took too long.
        ssl.SSLError: the host has no valid certificate.
        OSError: the host is unknown, or cannot be reached.
    """
    async with asyncio.timeout(SECONDS_MAX):
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port or HTTPS_PORT
        address = await _public_address(host, port)
        reader, writer = await asyncio.open_connection(address, port, ssl=tls_context(), server_hostname=host)
        try:
            target = iri_to_uri((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
            named = host if port == HTTPS_PORT else f"{host}:{port}"
            fields = {"Host": named, "Content-Length": str(len(body)), "Connection": "close", **headers}
            http = h11.Connection(h11.CLIENT, max_incomplete_event_size=ANSWER_BYTES_MAX)
            request = h11.Request(method="POST", target=target, headers=list(fields.items()))
            for event in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(http.send(event) or b"")
            await writer.drain()
            return await _status(http, reader)
        finally:
            # Not closed politely: a receiver could keep the connection by never saying goodbye.
            writer.transport.abort()


async def _public_address(host: str, port: int) -> str:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(row[4][0]) for row in found]
    # All of them. The attack: a name has a public address beside a private one, and the second try takes that.
    if not all(map(is_public, addresses)):
        raise NotPublic
    return addresses[0]


def tls_context() -> ssl.SSLContext:
    """Return the context by which certificates of receivers are verified: by the authorities that certifi knows."""
    return ssl.create_default_context(cafile=certifi.where())


async def _status(http: h11.Connection, reader: asyncio.StreamReader) -> int:
    try:
        received = 0
        while received <= ANSWER_BYTES_MAX:
            event = http.next_event()
            if isinstance(event, h11.Response):
                return int(event.status_code)
            if event is h11.NEED_DATA:
                data = await reader.read(_CHUNK_BYTES)
                received += len(data)
                http.receive_data(data)
            elif not isinstance(event, h11.InformationalResponse):
                break
    except h11.RemoteProtocolError as error:
        raise NoHttp from error
    raise NoHttp


def is_taken(status: int) -> bool:
    """Return whether an answer says that the message was taken: only 2xx does."""
    return HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
