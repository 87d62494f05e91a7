"""The cache in the broker in which all web processes count together: sign-ins, uploads, API requests, transfers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

AWAY_SECONDS = 5.0
"""How long a broker that failed is not asked again: a frozen one would delay every request."""

log = structlog.get_logger(__name__)
T = TypeVar("T")


class SharedCache(BaseCache):
    """Django's cache in Redis; while Redis is away each process counts in its own memory.

    Otherwise nobody could sign in, upload or use the API while the broker is away. Not to count at all would allow an
    attack: somebody guesses passwords meanwhile. Supports the methods that limits and codes need: ``add``, ``get``,
    ``set``, ``delete``.
    """

    away_until = 0.0
    """When Redis is asked again, by the monotonic clock. On the class, since each thread has an instance of its own."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._shared = RedisCache(server, params)
        # One for each key prefix, so that many entries of one kind cannot evict those of another.
        self._own = LocMemCache(f"broker-away.{self.key_prefix}", {**params, "OPTIONS": {}})

    def add(self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Set a value unless the key has one; return whether it was set."""
        return self._call(lambda cache: cache.add(key, value, timeout, version))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value of a key, or the default."""
        return self._call(lambda cache: cache.get(key, default, version))

    def set(self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Set the value of a key."""
        self._call(lambda cache: cache.set(key, value, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Delete a key; return whether it existed."""
        return self._call(lambda cache: cache.delete(key, version))

    def _call(self, operation: Callable[[BaseCache], T]) -> T:
        """Run an operation on the cache in Redis, or on the process's own while Redis is away."""
        if time.monotonic() >= SharedCache.away_until:
            try:
                return operation(self._shared)
            except RedisError as error:
                SharedCache.away_until = time.monotonic() + AWAY_SECONDS
                log.warning("shared_cache_away", error=repr(error))
        return operation(self._own)
