"""Whether the parts that the site cannot work without can be reached."""

from __future__ import annotations

import redis
from django.conf import settings
from django.db import DatabaseError, connection

from ladder.files.storage import ROOM_MIB_MIN, stores_have_room, stores_try
from workers.clock import clock_fault

TIMEOUT_SECONDS = 2
BROKER_FULL = (
    "its memory is full and it takes no messages; a host fills it, or it needs more (the administrators' guide says how"
    " to tell)"
)
BROKER_CROWDED = (
    "others hold all of its connections; a host, or somebody else who can reach it, takes them (the administrators'"
    " guide says how to stop that)"
)


def health_problems() -> list[str]:
    """Return one short line for each part that cannot be reached."""
    return [line for line in (_database_problem(), *parts_problems()) if line]


def parts_problems() -> list[str]:
    """Return the same without the database, for pages that could not be made without it."""
    return [line for line in (_broker_problem() or _clock_problem(), _storage_problem()) if line]


def _database_problem() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"database: {type(error).__name__}"
    return ""


def _broker_problem() -> str:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS) as client:
            # Written, since one that is full, or may only be read, answers a ping and takes no message.
            client.set("health", "", ex=TIMEOUT_SECONDS)
    except redis.OutOfMemoryError:
        return f"broker: {BROKER_FULL}"
    except (redis.RedisError, ValueError) as error:  # ValueError: no address is configured
        # The library has no class of its own for this one.
        return f"broker: {BROKER_CROWDED if 'max number of clients' in str(error) else type(error).__name__}"
    return ""


def _clock_problem() -> str:
    """Return whether what the site sends would be expired before a worker has it, or the other way round."""
    fault = clock_fault(settings.REDIS_URL)
    return f"clock: {fault}" if fault else ""


def _storage_problem() -> str:
    try:
        stores_try()
    except OSError as error:
        return f"storage: {error.strerror or type(error).__name__}"
    return "" if stores_have_room() else f"storage: less than {ROOM_MIB_MIN} MiB are free, no work is handed out"
