"""Whose error it is: the user's, or ours where a state machine is asked for what it has not."""

from __future__ import annotations


class InputError(ValueError):
    """What somebody sent cannot be taken. ``str(error)`` is a whole sentence that says what to change."""


class IllegalTransition(Exception):  # noqa: N818 - the word for it in every text on state machines
    """A row cannot go from its state to the wanted one: a mistake of ours, or somebody else was faster."""


class StoreAway(Exception):  # noqa: N818 - says what has happened
    """Bots and replays cannot be stored or read just now. ``str(error)`` is a whole sentence that says what to do."""
