from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from deploy.broker import Broker, broker_running, main
from deploy.settings import CannotStart
from tests.waiting import wait_until


def test_messages_survive_a_restart(tmp_path: Path) -> None:
    passwords = {"site_password": "s", "player_password": "p"}
    with broker_running(tmp_path, **passwords) as running:
        redis.Redis.from_url(running.site_url).lpush("play", "job")
    with broker_running(tmp_path, **passwords) as running:
        assert redis.Redis.from_url(running.site_url).lrange("play", 0, -1) == [b"job"]


def test_the_broker_listens_on_loopback_and_ends_with_its_block(tmp_path: Path) -> None:
    with broker_running(tmp_path, site_password="s", player_password="p") as running:
        process = psutil.Process(running.process.pid)
        assert {connection.laddr.ip for connection in process.net_connections()} == {"127.0.0.1"}
    assert not process.is_running()


def test_the_broker_requires_a_password(broker: Broker) -> None:
    port = broker.site_url.rpartition(":")[2].partition("/")[0]
    with pytest.raises(redis.AuthenticationError):
        redis.Redis(port=int(port), retry=Retry(NoBackoff(), 0)).ping()


def test_a_broken_log_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("a file where a folder must be")
    refused = pytest.raises(CannotStart, match=r"The broker does not start; .*broker\.log")
    with refused, broker_running(tmp_path, site_password="s", player_password="p"):
        pytest.fail("started on a broken log")


def test_an_access_list_is_written_or_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.argv", ["deploy.broker", str(tmp_path / "users.acl")])
    monkeypatch.setenv("BROKER_PASSWORD", "s")
    monkeypatch.setenv("PLAYER_PASSWORD", "")
    with pytest.raises(SystemExit, match="both passwords in the environment: BROKER_PASSWORD="):
        main()
    assert not (tmp_path / "users.acl").exists()
    monkeypatch.setenv("PLAYER_PASSWORD", "p")
    main()
    assert "user player on #" in (tmp_path / "users.acl").read_text()
    monkeypatch.setattr("sys.argv", ["deploy.broker", str(tmp_path / "missing" / "users.acl")])
    with pytest.raises(SystemExit, match=r"acl cannot be written \(No such file or directory\); make its folder"):
        main()


def unread(connection: socket.socket) -> None:
    """Request a megabyte three hundred times and read no reply."""
    connection.sendall(b"GET site.key\r\n" * 300)


def unended(connection: socket.socket) -> None:
    """Send the beginning of a request without its end."""
    connection.sendall(b"*3\r\n$5\r\nLPUSH\r\n$6\r\nreport\r\n$16000000\r\n" + bytes(15_000_000))


@pytest.mark.parametrize("deed", [unread, unended])
def test_client_buffers_of_a_player_are_limited(tmp_path: Path, deed: Callable[[socket.socket], None]) -> None:
    """The attack: buffers of connections, which do not count for the limit of stored messages, fill the memory."""
    with ExitStack() as stack:
        running = stack.enter_context(broker_running(tmp_path, site_password="s", player_password="p", memory_mib=64))
        site = redis.Redis.from_url(running.site_url)
        site.set("site.key", "x" * (1 << 20))
        for _ in range(12):
            connection = socket.create_connection(("127.0.0.1", int(urlsplit(running.site_url).port or 0)))
            stack.enter_context(connection).sendall(b"AUTH player p\r\n")
            assert connection.recv(100) == b"+OK\r\n"
            with suppress(OSError):  # the broker closes the connection
                deed(connection)
        wait_until(lambda: site.info("memory")["used_memory"] < 32 << 20, lambda: site.info("memory"), seconds=20)
        assert site.info("stats")["evicted_clients"] > 0


@pytest.mark.parametrize(
    "command",
    [
        ("LPUSH", "manage", "forged"),  # orders to the managing worker
        ("RPOP", "report"),  # other workers' results
        ("LRANGE", "report", 0, -1),  # their lease tokens
        ("PUBLISH", "/0.celery.pidbox", "shutdown"),  # remote control
        ("KEYS", "*"),
        ("FLUSHALL",),
        ("CONFIG", "SET", "dir", "/"),  # the usual way from Redis to the files of its machine
        ("ACL", "LIST"),
        ("SHUTDOWN",),
        ("EVAL", "return redis.call('rpop', 'report')", 0),
    ],
    ids=lambda command: command[0],
)
@pytest.mark.usefixtures("broker_url")
def test_player_may_do_nothing_else(broker: Broker, command: tuple[str | int, ...]) -> None:
    with pytest.raises(redis.ResponseError, match=r"(?i)no permission|can't run|not allowed|ACL failure"):
        redis.Redis.from_url(broker.player_url).execute_command(*command)
