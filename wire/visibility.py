"""What becomes of a message that was taken, when the broker is away in that very moment.

Celery logs that it could not acknowledge and goes on; but kombu's books still hold the message as taken. With one
message at a time (prefetch 1) the worker would wait for ever until it has room for a next one, alive and deaf (seen in
celery issues 8990 and 9054). Here the books are closed in any case. The broker hands the message out again when its
time has come, and what comes twice does no harm.

A message that could not be handled because the database is away is sent once more. If the broker is away, too, Celery
drops it, and the result of a match would be lost. Here it goes back into its queue.

A broker whose memory is full takes no note of what was taken, which is out of its queue by then. Kombu would lose it,
and its connection with it; here it is handled all the same, which is what makes room.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import structlog
from celery import Task
from celery.exceptions import Reject
from kombu.transport import redis, virtual
from redis import OutOfMemoryError, Redis

Sent = TypeVar("Sent")

log = structlog.get_logger()


class QoS(redis.QoS):
    """What a connection has taken and not yet acknowledged."""

    def append(self, message: Any, delivery_tag: str) -> None:
        """Note a message as taken; where the broker is full, in this process alone.

        The attack this stops: a host fills the broker with reports, and whoever takes one loses it and begins anew, so
        that nobody ever makes room. One that is only noted here is lost if this process dies in the midst of it; its
        match is played again.
        """
        try:
            super().append(message, delivery_tag)
        except OutOfMemoryError:
            virtual.QoS.append(self, message, delivery_tag)

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message.

        Raises:
            redis.exceptions.ConnectionError: the broker does not know of it; the worker is free for the next all the
                same.
        """
        with self._closing(delivery_tag):
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give a message back, or drop it.

        Raises:
            redis.exceptions.ConnectionError: as above.
        """
        with self._closing(delivery_tag):
            super().reject(delivery_tag, requeue)

    @contextmanager
    def _closing(self, delivery_tag: str) -> Iterator[None]:
        try:
            yield
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def by_a_live_channel(send: Callable[[], Sent]) -> Sent:
    """Send a message, and once more by another channel if the connection of the first was closed under it.

    That can be when the broker dies; kombu says AttributeError then (its issue 659 tells of the same race). The
    producer goes back to its pool without that channel.
    """
    try:
        return send()
    except AttributeError:
        log.warning("sent_again", exc_info=True)
        return send()


class KeptTask(Task):  # type: ignore[type-arg]  # the stubs' alone
    """A task whose message is kept when it can be neither handled nor sent once more."""

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Send a message, by another channel if the first is dead.

        Where a line has forgotten all connections, that to the database fails first, and the one on which the message
        would go back next: the result of a match was lost.

        Raises:
            kombu.exceptions.OperationalError: the broker could not be reached.
        """
        return by_a_live_channel(partial(super().apply_async, *args, **options))

    def retry(self, *args: Any, **options: Any) -> Any:
        """Send the message once more.

        Raises:
            Retry: it was sent.
            Reject: it could not be sent, and goes back into its queue.
        """
        try:
            return super().retry(*args, **options)
        except Reject as reject:
            raise Reject(reject.args[0], requeue=True) from reject


@contextmanager
def mutex(client: Redis, name: str, expire: int) -> Iterator[None]:
    """Be the only one of a broker's user to look for what was taken and never acknowledged.

    Kombu's own lets go by a script, and who plays may run none (``wire.redis_acl``). Should two look at once after
    all, each message still goes back once: that is a transaction.

    Raises:
        MutexHeld: another one does, or the broker is full: nothing could go back.
    """
    mine = secrets.token_bytes(16)
    try:
        is_mine = client.set(name, mine, nx=True, ex=expire)
    except OutOfMemoryError:
        is_mine = False
    if not is_mine:
        raise redis.MutexHeld
    try:
        yield
    finally:
        if client.get(name) == mine:
            client.delete(name)


def acknowledge_safely() -> None:
    """Have all connections of this process made with these books."""
    redis.Channel.QoS = QoS
    redis.Mutex = mutex
