"""Exceptions of all apps; their types say whether the user or the platform is at fault."""

from __future__ import annotations

from collections.abc import Mapping


class InputError(ValueError):
    """A user's input cannot be accepted. ``str(error)`` is a whole sentence that says what to change."""


class FieldsError(InputError):
    """Several fields of a form or a request cannot be accepted."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__(" ".join(dict.fromkeys(fields.values())))
        self.fields = dict(fields)
        """A whole sentence for each field, by its name."""


class IllegalTransition(Exception):  # noqa: N818 - the word for it in every text on state machines
    """A row cannot change to this state: a bug, or another transaction has changed the row first."""


class StoreAway(Exception):  # noqa: N818 - says what has happened
    """The stores of bots and replays cannot be used now. ``str(error)`` is a whole sentence that says what to do."""
