"""Fixtures of the tests of contests."""

from tests.ladder.conftest import enqueued

__all__ = ["enqueued"]
