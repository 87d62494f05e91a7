"""Heartbeats: keys of the broker that a worker overwrites and the site reads, so that no result waits behind them.

A heartbeat says what is true now, so only the newest of a lease, or of a worker, is of use. As messages, those of a
site that fell behind stood before the results that it was to record. A key is overwritten, and expires by itself.

The site answers a worker whose lease has ended by a key as well: the worker then sends no more heartbeats of that
lease, and ends its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from redis import Redis

from wire.jobs import LEASE_SECONDS, WireMessage
from wire.live import token_hash
from wire.signing import broker_user, host_of, signature_of

HEARTBEAT_PREFIX = "beat."
OVER_PREFIX = "over."
HEARTBEAT_KEPT_SECONDS = round(LEASE_SECONDS)
"""When the key of a heartbeat expires: it then renews no lease any more."""
OVER_KEPT_SECONDS = 1_800
"""For how long a worker may learn that a lease has ended: as long as a job may wait in a queue."""
HEARTBEAT_BYTES_MAX = 16_384
"""The site reads no longer value; a worker's beat with all its languages has some hundred bytes."""


class ReceivedHeartbeat(NamedTuple):
    """A heartbeat as a worker has written it; its receiver checks the signature (``wire.transport.receives``)."""

    task: str
    body: bytes
    signature: bytes


def heartbeat_prefix(host: str) -> str:
    """Return the prefix of a host's heartbeat keys; its broker user may write to no other heartbeats.

    ``host`` is a name as in ``wire.live.live_prefix``.

    The attack: a host overwrites the heartbeats of another host's workers, which the site then takes for dead.
    """
    return f"{HEARTBEAT_PREFIX}{host}."


def over_key(lease_token: str) -> str:
    """Return the name of the key that says that a lease has ended.

    Every worker may ask for it. It learns nothing by that, since it must know the token.
    """
    return OVER_PREFIX + token_hash(lease_token)


def heartbeat_write(broker: Redis, broker_url: str, task: str, message: WireMessage) -> bool:
    """Overwrite the key of a heartbeat, and return whether the site says that its lease has ended.

    The message is of a lease (``lease_token``) or of a whole worker. The user of ``broker_url``, as whom ``broker`` is
    connected, signs it.

    Raises:
        redis.exceptions.NoPermissionError: the user has the rights of an earlier release.
        redis.exceptions.RedisError: the broker could not be reached, or refused the write.
    """
    body = msgspec.json.encode(message)
    token = getattr(message, "lease_token", "")
    of = token_hash(token or message.worker)  # type: ignore[attr-defined]  # every message to the site names its worker
    key = f"{heartbeat_prefix(host_of(broker_user(broker_url)))}{task}.{of}"
    value = b"\n".join((task.encode(), body, msgspec.json.encode(signature_of(broker_url, task, body))))
    with broker.pipeline(transaction=False) as pipe:
        pipe.set(key, value, ex=HEARTBEAT_KEPT_SECONDS)
        if token:
            pipe.exists(over_key(token))
        return bool(pipe.execute()[1:] == [1])


def is_over(broker: Redis, lease_token: str) -> bool:
    """Return whether the site says that a lease has ended.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached.
    """
    return bool(broker.exists(over_key(lease_token)))


def over_write(broker: Redis, lease_tokens: Sequence[str]) -> None:
    """Tell the workers of leases that these have ended.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached, or refused the write.
    """
    with broker.pipeline(transaction=False) as pipe:
        for token in lease_tokens:
            pipe.set(over_key(token), b"", ex=OVER_KEPT_SECONDS)
        pipe.execute()


def heartbeats_take(broker: Redis, cursor: int, *, count: int) -> tuple[int, list[ReceivedHeartbeat]]:
    """Take the heartbeats among some keys of the broker: each is returned once, also to two managers at the same time.

    Args:
        broker: a connection of the site's broker user.
        cursor: 0 for the first call, then the cursor that the previous call has returned.
        count: about how many keys are looked at.

    Returns:
        The cursor for the next call, 0 if all keys have been looked at; and the well-formed heartbeats.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached.
    """
    cursor, keys = broker.scan(cursor, match=f"{HEARTBEAT_PREFIX}*", count=count)
    with broker.pipeline() as pipe:  # a transaction: no other manager reads between these commands
        for key in keys:
            pipe.getrange(key, 0, HEARTBEAT_BYTES_MAX)
            pipe.delete(key)
        values: list[bytes] = pipe.execute()[::2]
    found = [value.split(b"\n", 2) for value in values if len(value) <= HEARTBEAT_BYTES_MAX]
    return cursor, [
        ReceivedHeartbeat(lines[0].decode(errors="replace"), *lines[1:]) for lines in found if len(lines) == 3
    ]
