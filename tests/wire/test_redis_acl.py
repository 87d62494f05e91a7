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


def test_no_message_is_huge(hosts: tuple[redis.Redis, redis.Redis]) -> None:
    """The attack: a message of half a gigabyte fills the memory of its reader."""
    with pytest.raises(redis.RedisError):
        hosts[0].lpush("report", b"x" * (17 << 20))
    assert hosts[1].llen("report") == 0


def test_a_host_of_others_has_no_right_to_the_jobs_of_private_contests(broker: Broker, broker_url: str) -> None:
    port = broker.site_url.rpartition(":")[2]
    with redis.Redis.from_url(broker_url) as site:
        for user in ("guest-a", "host-a"):
            site.execute_command("ACL", "SETUSER", user, "reset", "on", ">secret", *acl_rules(user))
        site.lpush("own.try", "a program")
        with redis.Redis.from_url(f"redis://guest-a:secret@127.0.0.1:{port}") as guest:
            for command in (
                ("BRPOP", "own.try", 1),
                ("RPOP", "own.try"),
                ("LLEN", "own.try"),
                ("BRPOP", "try", "own.try", 1),
            ):
                with pytest.raises(REFUSED):
                    guest.execute_command(*command)
            assert guest.brpop(["play", "try"], timeout=0.01) is None  # type: ignore[arg-type]
        with redis.Redis.from_url(f"redis://host-a:secret@127.0.0.1:{port}") as own:
            assert own.rpop("own.try") == b"a program"
        site.execute_command("ACL", "DELUSER", "guest-a", "host-a")


REFUSED_COMMANDS: list[tuple[str | int, ...]] = [
    # A worker can add reports, but not read, change or delete those that wait.
    *(("DEL", "report"), ("UNLINK", "report"), ("LTRIM", "report", 1, 0), ("RENAME", "report", "play")),
    *(("LSET", "report", 0, "forged"), ("LMOVE", "report", "play", "LEFT", "LEFT"), ("EXPIRE", "report", 1)),
    *(("SET", "report", "no list any more"), ("LRANGE", "report", 0, -1)),
    # It can only add to live streams, and only to those of its own host. SCAN would show the names of others.
    *(("XRANGE", "live.b.match", "-", "+"), ("XREAD", "STREAMS", "live.b.match", "0"), ("DEL", "live.b.match")),
    *(("XTRIM", "live.b.match", "MAXLEN", 0), ("XADD", "report", "*", "lines", "forged")),
    *(("SCAN", 0), ("RANDOMKEY",), ("EXPIRE", "live.b.match", 0)),
    *(("XADD", "live.b.match", "*", "lines", "forged"), ("XADD", "live..match", "*", "lines", "forged")),
    # A worker whose pings another host takes away would end itself.
    *(("LPUSH", "echo.host-b.play@pi", "an echo that was none"), ("RPOP", "echo.host-b.play@pi")),
    *(("DEL", "echo.host-b.play@pi"), ("LPUSH", "echo.player.play@pi", "an echo that was none")),
    ("LPUSH", "play.echo.host-b.play@pi", "an echo that was none"),
    # The attack: a worker replaces the key of the site, and signs jobs with its own.
    *(("SET", "site.key", "mine"), ("DEL", "site.key"), ("EXPIRE", "site.key", 0)),
    # The attack: keys that nobody reads or deletes fill the broker.
    *(("LPUSH", "report.mine", "x"), ("SADD", "_kombu.binding.mine", "x"), ("HSET", "unacked", "x", "x")),
    # The attack: a key of another type under the queue's name makes every use of the queue fail, for ever.
    *(("SET", "play", "x"), ("SADD", "play", "x"), ("HSET", "build", "a", "b"), ("XADD", "play", "*", "a", "b")),
    # The attack: a script keeps the broker busy, which answers nobody any more and cannot be stopped.
    *(("EVAL", "while true do end", 0), ("EVAL_RO", "while true do end", 0), ("EVALSHA", "0" * 40, 0)),
    *(("SCRIPT", "LOAD", "return 1"), ("SCRIPT", "FLUSH"), ("FUNCTION", "FLUSH"), ("FCALL", "f", 0)),
    ("FUNCTION", "LOAD", "#!lua name=mine\nredis.register_function('f', function() return 1 end)"),
    # The attack: a worker learns the names of streams, and writes into the live matches of others.
    ("CLIENT", "TRACKING", "ON", "BCAST"),
]


@pytest.mark.parametrize("command", REFUSED_COMMANDS, ids=str)
def test_a_worker_can_do_no_more_than_it_must(
    hosts: tuple[redis.Redis, redis.Redis], broker_url: str, command: tuple[str | int, ...]
) -> None:
    mine, others = hosts
    assert others.lpush("report", "a finished match") == 1
    others.xadd("live.b.match", {"lines": "a turn"})
    assert others.expire("live.b.match", 120)
    assert others.lpush("echo.host-b.play@pi", "an echo") == 1
    with redis.Redis.from_url(broker_url) as site:
        site.set("site.key", b"key")
    with pytest.raises(REFUSED):
        mine.execute_command(*command)
    assert mine.llen("report") == 1
    assert mine.get("site.key") == b"key"
    assert others.lpush("play", "a job") == 1
