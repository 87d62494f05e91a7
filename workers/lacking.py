"""What a worker lacks for a job, and another worker may have."""

from __future__ import annotations

from core.message import Message
from sandbox.api import PlatformFault


class Lacking(PlatformFault):
    """This worker lacks a language, the game's rules or memory, which another worker may have."""

    def __init__(self, why: Message, what: str) -> None:
        super().__init__(why)
        self.what = what
        """Name of the language, ``RULES`` or ``MEMORY``."""


def lacked(error: Exception) -> str:
    """Return ``Lacking.what`` of an error; empty for other errors."""
    return error.what if isinstance(error, Lacking) else ""
