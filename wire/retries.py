"""Sends a message again where kombu or Celery would drop it.

A message that could not be handled, because the database is away, is sent once more. If the broker is away, too, Celery
drops it, and the result of a match would be lost. Here it goes back into its queue.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import structlog
from celery import Task
from celery.exceptions import Reject

from wire.message_filter import LINES

Sent = TypeVar("Sent")

log = structlog.get_logger()


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

    serializer = LINES

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
