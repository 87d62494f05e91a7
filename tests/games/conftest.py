"""Registers the toy game ``rps`` for the tests of the games, too."""

from tests.core.conftest import rps

__all__ = ["rps"]
