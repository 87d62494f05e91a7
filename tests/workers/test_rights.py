"""What a worker that was taken over may do at the broker with its user, and what it may not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from deploy.broker import Broker
from workers.rights import broker_rights, kept_keys

REFUSED = redis.exceptions.NoPermissionError


@pytest.fixture
def hosts(broker: Broker, broker_url: str) -> Iterator[tuple[redis.Redis, redis.Redis]]:
    """Two hosts, each with a user of its own."""
    with redis.Redis.from_url(broker_url) as site:
        port = broker.site_url.rpartition(":")[2]
        for user in ("host-a", "host-b"):
            site.execute_command("ACL", "SETUSER", user, "reset", "on", ">secret", *broker_rights(user))
        clients = [redis.Redis.from_url(f"redis://{user}:secret@127.0.0.1:{port}") for user in ("host-a", "host-b")]
        yield clients[0], clients[1]
        for client in clients:
            client.close()
        site.execute_command("ACL", "DELUSER", "host-a", "host-b")


@pytest.mark.parametrize("key", kept_keys("host-b").values())
def test_what_another_host_works_on_is_hidden(hosts: tuple[redis.Redis, redis.Redis], key: str) -> None:
    """The jobs in there carry lease tokens and signed addresses: with them it could answer in the other's place."""
    mine, theirs = hosts
    theirs.hset(key, "tag", "job with a token")
    with pytest.raises(REFUSED):
        mine.hgetall(key)
    with pytest.raises(REFUSED):
        mine.delete(key)
    mine.hset(kept_keys("host-a")["unacked_key"], "tag", "my job")


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
    """It can add reports. It cannot read, change or lose those that wait."""
    assert hosts[1].lpush("report", "a finished match") == 1
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)
    assert hosts[0].llen("report") == 1


@pytest.mark.parametrize(
    "command",
    [
        ("XRANGE", "live.secret", "-", "+"),
        ("XREAD", "STREAMS", "live.secret", "0"),
        ("DEL", "live.secret"),
        ("XTRIM", "live.secret", "MAXLEN", 0),
        ("XADD", "report", "*", "lines", "forged"),
        ("SCAN", 0),  # would tell which matches are played: who knows a stream's name can add to it
        ("RANDOMKEY",),
    ],
    ids=lambda command: command[0],
)
def test_live_streams_can_be_added_to_and_nothing_else(
    hosts: tuple[redis.Redis, redis.Redis], command: tuple[str | int, ...]
) -> None:
    hosts[1].xadd("live.secret", {"lines": "a turn"})
    assert hosts[1].expire("live.secret", 120)
    with pytest.raises(REFUSED):
        hosts[0].execute_command(*command)


def test_no_message_is_huge(hosts: tuple[redis.Redis, redis.Redis]) -> None:
    """Half a gigabyte in one message would fill whoever reads it."""
    with pytest.raises(redis.RedisError):
        hosts[0].lpush("report", b"x" * (17 << 20))
    assert hosts[1].llen("report") == 0
