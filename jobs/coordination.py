"""What managers ask the broker itself, and the notes that they leave each other in it.

Each note expires, and with the broker's data all are gone: nothing may be lost or done wrong for that, only done twice.
It expires by a clock, and stays for hours where that is set back by hours: so each tells when it was left.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Set
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from celery import Celery
from redis import Redis

from wire.jobs import SITE_KEY

MANAGER_FAULT_KEY = "manager.fault"
"""Why a manager did not do its work just now, in a sentence."""
_FAULT_SECONDS = 30


@contextmanager
def listening(app: Celery, name: str, *, pause_seconds: float) -> Iterator[bool]:
    """Say whether the site has listened to reports without a pause until now; note that it has at the end of the block.

    The note lies in the broker and expires: when the broker, or whoever calls this in its turn, was away for longer,
    it is gone. So is it when the broker has lost its data, which is a pause, too. A block that fails leaves none: the
    database may be away, and then nobody is heard either. A clock that was set back ends what came before it: leases
    that were given by the old time would last until it has come again.

    Args:
        app: the listener's Celery application.
        name: of the note; one for each caller that asks at times of its own.
        pause_seconds: how long between two calls is a pause.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    broker, note = _broker(app.conf.broker_url), f"listening.{name}"
    left_at = broker.get(note)
    yield left_at is not None and not _is_to_come(left_at, slack_seconds=pause_seconds)
    broker.set(note, time.time(), px=round(pause_seconds * 1_000))


@contextmanager
def in_turn(app: Celery, name: str, *, seconds_max: float, rest: float) -> Iterator[bool]:
    """Say whether the caller may do something that takes long: nobody else is at it, and it has rested since the last.

    By a note in the broker that expires: when it is lost, or whoever does it takes longer, two may be at it at once.

    Args:
        app: the caller's Celery application.
        name: of what is done.
        seconds_max: so long whoever does it is waited for, who may have died.
        rest: so many times as long as it took nobody does it again.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    broker, note, begun = _broker(app.conf.broker_url), f"turn.{name}", time.monotonic()
    if (left_at := broker.get(note)) and _is_to_come(left_at, slack_seconds=seconds_max):
        broker.delete(note)
    mine = bool(broker.set(note, time.time(), nx=True, px=round(seconds_max * 1_000)))
    try:
        yield mine
    finally:
        if mine:
            broker.set(note, time.time(), px=max(round(rest * (time.monotonic() - begun) * 1_000), 1))


def missing_still(app: Celery, queue: str, missing: Set[int], *, for_seconds: float, within_seconds: float) -> set[int]:
    """Note in the broker what is missing from a queue now, and return what has been for so long.

    By time, not by how often somebody has looked: a busy site may look twice in one moment.

    Args:
        app: the caller's Celery application.
        queue: its name.
        missing: keys of rows.
        for_seconds: how long something must have been missing, at every look since.
        within_seconds: how old the note before may be.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    broker, key, now = _broker(app.conf.broker_url), f"missing.{queue}", time.time()
    note = broker.get(key)
    before = msgspec.json.decode(note if isinstance(note, bytes) else b"{}", type=dict[int, float])
    since = {pk: before.get(pk, now) for pk in missing}
    broker.set(key, msgspec.json.encode(since), px=round(within_seconds * 1_000))
    # A time that is to come is one from before the clock was set back.
    return {pk for pk, first in since.items() if abs(now - first) >= for_seconds}


def manager_fault_note(app: Celery, sentence: str) -> None:
    """Note in the broker why a manager did not do its work, for questions within half a minute.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    _broker(app.conf.broker_url).set(MANAGER_FAULT_KEY, sentence, ex=_FAULT_SECONDS)


def queue_length(app: Celery, queue: str) -> int:
    """Return how many messages wait in a queue, those already with a worker not counted.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    return int(_broker(app.conf.broker_url).llen(queue))


def user_keys(app: Celery, user: str) -> list[str]:
    """Return the key of each password of a user of the broker (``wire.signing``); none if there is no such user.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    told: Any = _broker(app.conf.broker_url).acl_getuser(user)
    return list(told["passwords"]) if told else []


def site_key_tell(app: Celery, key: bytes) -> None:
    """Tell workers the public key of the site.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached, or did not take it.
    """
    _broker(app.conf.broker_url).set(SITE_KEY, key)


def _is_to_come(left_at: Any, *, slack_seconds: float) -> bool:
    """Tell whether a note was left at a time that is to come: the clock was set back since.

    Args:
        left_at: what it says.
        slack_seconds: so far apart the clocks of managers may be.
    """
    return float(left_at) > time.time() + slack_seconds


@cache
def _broker(url: str) -> Redis:
    """Return a client of the broker, kept: to connect takes longer than to ask."""
    return Redis.from_url(url, socket_connect_timeout=5)
