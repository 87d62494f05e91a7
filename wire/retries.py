"""Retries where kombu or Celery would lose a message.

A message that cannot be handled because the database is away is sent once more (Celery's ``retry``). If the broker is
away, too, Celery drops the message, and a match's result would be lost; here the message goes back into its queue.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import structlog
from celery import Task
from celery.exceptions import Reject

from wire.message_filter import SERIALIZER

Sent = TypeVar("Sent")

log = structlog.get_logger()


def send_by_open_channel(send: Callable[[], Sent]) -> Sent:
    """Call ``send``, and call it once more if it raises AttributeError.

    Kombu raises AttributeError when the connection is closed while a message is being sent, as when the broker dies
    (its issue 659 describes the race). The second call gets a new channel.
    """
    try:
        return send()
    except AttributeError:
        log.warning("sent_again", exc_info=True)
        return send()


class RequeuedTask(Task):  # type: ignore[type-arg]  # the stubs' alone
    """A task whose message goes back into its queue if it can be neither handled nor sent once more."""

    serializer = SERIALIZER

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Send a message, by another channel if the connection of the first was closed.

        A router or firewall that forgets idle connections breaks the one to the database, for which the task is
        retried, and the one to the broker, by which the retry is sent: without this the result of a match was lost.

        Raises:
            kombu.exceptions.OperationalError: the broker could not be reached.
        """
        return send_by_open_channel(partial(super().apply_async, *args, **options))

    def retry(self, *args: Any, **options: Any) -> Any:
        """Send the message of the running task once more.

        Raises:
            Retry: the message was sent.
            Reject: the message could not be sent, and goes back into its queue.
        """
        try:
            return super().retry(*args, **options)
        except Reject as reject:
            raise Reject(reject.args[0], requeue=True) from reject
