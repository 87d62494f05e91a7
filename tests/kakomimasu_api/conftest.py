"""Fixtures of the tests of the API."""

from tests.exhibitions.conftest import streams

__all__ = ["streams"]
