"""Where all web processes count together, in the broker: sign-ins, uploads, requests to the API, workers' files."""

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
"""So long a broker that could not be used is not asked again: one that is frozen would hold up every request."""

log = structlog.get_logger(__name__)
T = TypeVar("T")


class SharedCache(BaseCache):
    """Django's cache in Redis; while that is away each process counts for itself.

    Without this nobody could sign in, upload or ask the API as long as the broker is away. Nor may it count nothing
    then: the attack is to guess passwords meanwhile. Has what limits and codes need: ``add``, ``get``, ``set``,
    ``delete``.
    """

    away_until = 0.0
    """By the monotonic clock; of the process, whose threads have a cache each."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._shared = RedisCache(server, params)
        # One for each kind of count: who makes many of one must not push out those of another.
        self._own = LocMemCache(f"broker-away.{self.key_prefix}", {**params, "OPTIONS": {}})

    def add(self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Set a value unless there is one."""
        return self._of_either(lambda cache: cache.add(key, value, timeout, version))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return a value."""
        return self._of_either(lambda cache: cache.get(key, default, version))

    def set(self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Set a value."""
        self._of_either(lambda cache: cache.set(key, value, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget a value."""
        return self._of_either(lambda cache: cache.delete(key, version))

    def _of_either(self, ask: Callable[[BaseCache], T]) -> T:
        if time.monotonic() >= SharedCache.away_until:
            try:
                return ask(self._shared)
            except RedisError as error:
                SharedCache.away_until = time.monotonic() + AWAY_SECONDS
                log.warning("shared_cache_away", error=repr(error))
        return ask(self._own)
