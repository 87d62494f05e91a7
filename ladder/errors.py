"""The error that is the user's: everything else that goes wrong is a bot's fault or ours."""

from __future__ import annotations


class InputError(ValueError):
    """What somebody sent cannot be taken. ``str(error)`` is a whole sentence that says what to change."""
