"""Keeps a worker from going deaf when the broker dies in the very moment of an acknowledgement.

Celery logs that it could not acknowledge and goes on; but kombu's books still hold the message as taken. With one
message at a time (prefetch 1) the worker would wait for ever until it has room for a next one, alive and deaf (seen in
celery issues 8990 and 9054). Here the books are closed in any case. The broker hands the message out again when its
time has come, and what comes twice does no harm.
"""

from __future__ import annotations

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """What a connection has taken and not yet acknowledged."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message.

        Raises:
            redis.exceptions.ConnectionError: the broker does not know of it; the worker is free for the next all the
                same.
        """
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def acknowledge_safely() -> None:
    """Have all connections of this process made with these books."""
    redis.Channel.QoS = QoS
