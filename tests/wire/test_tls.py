"""A broker behind real TLS: which certificates each library accepts, and the advice for those refused."""

from __future__ import annotations

import asyncio
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from redis import Redis, RedisError
from redis.asyncio import Redis as AsyncRedis

from deploy.broker import Broker
from tests.certificates import certificate, server_context
from wire.tls import broker_error, broker_fault, options_fault, with_authorities
from wire.transport import application
from workers.artifacts import AUTHORITIES
from workers.environment import broker_url, environment_fault


def copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


class Front(socketserver.BaseRequestHandler):
    """Speaks TLS with a client, and none with the broker."""

    context: ssl.SSLContext
    port: int

    def handle(self) -> None:
        with (
            suppress(OSError),
            self.context.wrap_socket(self.request, server_side=True) as inside,
            socket.create_connection(("127.0.0.1", self.port)) as broker,
        ):
            threading.Thread(target=copy, args=(broker, inside), daemon=True).start()
            copy(inside, broker)


@pytest.fixture
def fronted(broker: Broker, tmp_path: Path) -> Iterator[Callable[[str], tuple[str, Path]]]:
    """Start a TLS proxy before the broker, with a certificate for a name; return URL and certificate file."""
    begins, _, rest = broker.site_url.replace("redis://", "rediss://").rpartition(":")
    fronts = ExitStack()

    def front(name: str = "IP:127.0.0.1") -> tuple[str, Path]:
        file = certificate(tmp_path, name)
        parts = {"context": server_context(file), "port": int(rest.partition("/")[0])}
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), type("Front", (Front,), parts))
        server.daemon_threads, server.block_on_close = True, False
        fronts.callback(server.server_close)
        fronts.callback(server.shutdown)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return f"{begins}:{server.server_address[1]}/0", file

    with fronts:
        yield front


def by_celery(address: str) -> None:
    with application("test", address) as app, app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)


def by_pages(address: str) -> None:
    async def ping() -> None:
        async with AsyncRedis.from_url(address) as client:
            await client.ping()

    asyncio.run(ping())


def by_others(address: str) -> None:
    with Redis.from_url(address) as client:
        client.ping()


ASKING = (by_celery, by_pages, by_others)


@pytest.mark.parametrize("ask", ASKING)
def test_an_authority_is_believed_where_it_is_named_and_for_its_name_alone(
    fronted: Callable, ask: Callable[[str], None]
) -> None:
    """The attack: somebody in between gets the password. Kombu accepted any certificate without TLS options."""
    address, file = fronted()
    with pytest.raises(Exception, match="CERTIFICATE_VERIFY_FAILED"):
        ask(address)
    ask(f"{address}?ssl_ca_certs={file}")
    address, file = fronted("DNS:elsewhere.example")
    with pytest.raises(Exception, match="certificate is not valid for"):
        ask(f"{address}?ssl_ca_certs={file}")


def test_a_worker_believes_the_same_authority_for_site_and_broker(
    fronted: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, file = fronted()
    monkeypatch.setenv("REDIS_URL", address)
    monkeypatch.setenv(AUTHORITIES, str(file))
    for ask in ASKING:
        ask(broker_url())
    monkeypatch.setenv("REDIS_URL", "redis://broker")
    assert broker_url() == "redis://broker"
    assert with_authorities("rediss://broker/0?ssl_ca_certs=/own", "/other") == "rediss://broker/0?ssl_ca_certs=/own"
    assert with_authorities("rediss://broker/0?ssl_cert_reqs=required", "/") == (
        "rediss://broker/0?ssl_cert_reqs=required&ssl_ca_path=/"
    )


def test_advice_on_tls_is_given(fronted: Callable, broker: Broker) -> None:
    address, file = fronted()
    assert broker_fault(f"{address}?ssl_ca_certs={file}") == ""
    assert broker_fault(address).endswith("the end of REDIS_URL: ?ssl_ca_certs=/path/to/ca.pem.")
    assert "begin REDIS_URL with rediss://." in broker_fault(address.replace("rediss:", "redis:"))
    elsewhere, file = fronted("DNS:elsewhere.example")
    assert "Name it in REDIS_URL as its certificate does" in broker_fault(f"{elsewhere}?ssl_ca_certs={file}")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate has expired", "Renew its certificate."),
        ("[SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED]", "&ssl_keyfile=/path/to/client.key."),
        ("Timeout connecting to server", "If it speaks no TLS there, begin REDIS_URL with redis://."),
    ],
)
def test_advice_on_other_errors_is_given(words: str, remedy: str) -> None:
    assert broker_error("rediss://broker", RedisError(words)).endswith(remedy)
    assert broker_error("redis://broker", RedisError("Connection refused.")) == "Connection refused."


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("rediss://u:pw@broker/0?ssl_ca_cert=/ca.pem", "has ssl_ca_cert behind its ?, which is none of: ssl_ca_certs,"),
        ("rediss://u:pw@broker/0?ssl_cert_reqs=CERT_REQUIRED", "has another ssl_cert_reqs than required, optional"),
        ("redis://u:pw@broker/0?ssl_cert_reqs=required", "begin it with rediss://"),
        ("rediss://u:pw@broker/0?ssl_ca_certs=/no/ca.pem", "/no/ca.pem as ssl_ca_certs, which cannot be read"),
        (f"rediss://u:pw@broker/0?ssl_ca_certs={__file__}", "that are no certificates"),
    ],
)
def test_invalid_options_are_reported_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, address: str, fault: str
) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    told = environment_fault() or ""
    assert told.startswith("REDIS_URL ")
    assert fault in told
    assert "pw" not in told
    assert options_fault("rediss://broker/0?ssl_ca_certs=/no/ca.pem", files_here=False) == "", "of another machine"
