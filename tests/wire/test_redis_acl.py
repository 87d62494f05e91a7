"""The rights of a worker's broker user, which a worker that was taken over could use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from deploy.broker import Broker
from wire.redis_acl import acl_rules

REFUSED = redis.exceptions.NoPermissionError


@pytest.fixture
def hosts(broker: Broker, broker_url: str) -> Iterator[tuple[redis.Redis, redis.Redis]]:
    """Two hosts, each with a user of its own."""
    with redis.Redis.from_url(broker_url) as site:
        port = broker.site_url.rpartition(":")[2]
        for user in ("host-a", "host-b"):
            site.execute_command("ACL", "SETUSER", user, "reset", "on", ">secret", *acl_rules(user))
        clients = [redis.Redis.from_url(f"redis://{user}:secret@127.0.0.1:{port}") for user in ("host-a", "host-b")]
        yield clients[0], clients[1]
        for client in clients:
            client.close()
        site.execute_command("ACL", "DELUSER", "host-a", "host-b")


@pytest.mark.parametrize(
    "command",
    [
        ("DEL", "report"),
        ("UNLINK", "report"),
        ("LTRIM", "report", 1, 0),
        ("RENAME", "report", "play"),
        ("LSET", "report", 0, "forged"),
        ("LMOVE", "report", "play", "LEFT", "LEFT"),
        ("EXPIRE", "report", 1),
        ("SET", "report", "no list any more"),
        ("LRANGE", "report", 0, -1),
    ],
    ids=lambda command: command[0],
)
def test_reports_of_others_are_safe(hosts: tuple[redis.Redis, redis.Redis], command: tuple[str | int, ...]) -> None:
    """A worker can add reports, but not read, change or delete those that wait."""
    assert hosts[1].lpush("report", "a finished match") == 1
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)
    assert hosts[0].llen("report") == 1


@pytest.mark.parametrize(
    "command",
    [
        ("XRANGE", "live.b.match", "-", "+"),
        ("XREAD", "STREAMS", "live.b.match", "0"),
        ("DEL", "live.b.match"),
        ("XTRIM", "live.b.match", "MAXLEN", 0),
        ("XADD", "report", "*", "lines", "forged"),
        ("SCAN", 0),  # would show the names of streams, to which it could then add
        ("RANDOMKEY",),
    ],
    ids=lambda command: command[0],
)
def test_a_worker_can_only_add_to_live_streams(
    hosts: tuple[redis.Redis, redis.Redis], command: tuple[str | int, ...]
) -> None:
    hosts[1].xadd("live.b.match", {"lines": "a turn"})
    assert hosts[1].expire("live.b.match", 120)
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)


@pytest.mark.parametrize(
    "command",
    [
        ("XADD", "live.b.match", "*", "lines", "forged"),
        ("XADD", "live..match", "*", "lines", "forged"),  # of workers with a shared broker user
        ("EXPIRE", "live.b.match", 0),
        ("LPUSH", "echo.host-b.play@pi", "an echo that was none"),
        ("RPOP", "echo.host-b.play@pi"),  # the other worker would miss its pings, and end
        ("DEL", "echo.host-b.play@pi"),
        ("LPUSH", "echo.player.play@pi", "an echo that was none"),
        ("LPUSH", "play.echo.host-b.play@pi", "an echo that was none"),
    ],
    ids=str,
)
def test_a_worker_cannot_touch_streams_and_pings_of_another_host(
    hosts: tuple[redis.Redis, redis.Redis], command: tuple[str | int, ...]
) -> None:
    hosts[1].xadd("live.b.match", {"lines": "a turn"})
    assert hosts[1].lpush("echo.host-b.play@pi", "an echo") == 1
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)


@pytest.mark.parametrize(
    "command", [("SET", "site.key", "mine"), ("DEL", "site.key"), ("EXPIRE", "site.key", 0)], ids=str
)
def test_the_key_of_the_site_is_read_and_not_written(
    hosts: tuple[redis.Redis, redis.Redis], broker_url: str, command: tuple[str | int, ...]
) -> None:
    """The attack: a worker replaces the key, and signs jobs with its own."""
    with redis.Redis.from_url(broker_url) as site:
        site.set("site.key", b"key")
    assert hosts[0].get("site.key") == b"key"
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)


@pytest.mark.parametrize(
    "command",
    [("LPUSH", "report.mine", "x"), ("SADD", "_kombu.binding.mine", "x"), ("HSET", "unacked", "x", "x")],
    ids=str,
)
def test_a_worker_cannot_write_other_keys(hosts: tuple[redis.Redis, redis.Redis], command: tuple[str, ...]) -> None:
    """The attack: keys that nobody reads or deletes fill the broker."""
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)


def test_no_message_is_huge(hosts: tuple[redis.Redis, redis.Redis]) -> None:
    """The attack: a message of half a gigabyte fills the memory of its reader."""
    with pytest.raises(redis.RedisError):
        hosts[0].lpush("report", b"x" * (17 << 20))
    assert hosts[1].llen("report") == 0


@pytest.mark.parametrize(
    "command",
    [
        ("EVAL", "while true do end", 0),  # the broker answers nobody any more, and cannot be stopped
        ("EVAL_RO", "while true do end", 0),
        ("EVALSHA", "0" * 40, 0),
        ("SCRIPT", "LOAD", "return 1"),
        ("SCRIPT", "FLUSH"),
        ("FUNCTION", "LOAD", "#!lua name=mine\nredis.register_function('f', function() return 1 end)"),
        ("FUNCTION", "FLUSH"),
        ("FCALL", "f", 0),
    ],
    ids=lambda command: "-".join(map(str, command[:2])),
)
def test_a_worker_may_run_no_scripts(hosts: tuple[redis.Redis, redis.Redis], command: tuple[str | int, ...]) -> None:
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)


def test_a_worker_cannot_track_which_keys_are_written(hosts: tuple[redis.Redis, redis.Redis]) -> None:
    """The attack: a worker that knows the names of streams writes into the live matches of others."""
    with pytest.raises(REFUSED):
        hosts[0].execute_command("CLIENT", "TRACKING", "ON", "BCAST")


@pytest.mark.parametrize(
    "command",
    [("SET", "play", "x"), ("SADD", "play", "x"), ("HSET", "build", "a", "b"), ("XADD", "play", "*", "a", "b")],
    ids=lambda command: command[0],
)
def test_nothing_can_stand_in_the_place_of_a_queue(
    hosts: tuple[redis.Redis, redis.Redis], command: tuple[str | int, ...]
) -> None:
    """The attack: a key of another type under the queue's name makes every use of the queue fail, for ever."""
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)
    assert hosts[1].lpush("play", "a job") == 1
