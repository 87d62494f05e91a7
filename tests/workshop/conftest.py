"""Fixtures of the tests of the workshop."""

from tests.ladder.conftest import enqueued
from tests.matches.conftest import away

__all__ = ["away", "enqueued"]
