"""Notices, when a row is saved that a form has shown, that somebody else has changed it in between."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from django.db.models import Model
from django.utils.translation import gettext as _

from common.errors import InputError


class EditedError(InputError):
    """A row was changed since the form that is to change it was shown; nothing is overwritten."""

    def __init__(self, names: Sequence[str], mark: str) -> None:
        super().__init__(
            _(
                "This was changed in the meantime, by somebody else or in another tab, and nothing is overwritten. What"
                " you typed is still here: save once more if it is to replace what is there now."
            )
        )
        self.names = names
        """The fields that were changed."""
        self.mark = mark
        """The mark of the row as it is now (``edit_mark``)."""


def edit_mark(*, row: Model, names: Iterable[str]) -> str:
    """Return a text that stands for the values of a row's fields ``names``; a form hands it back when it is sent."""
    return ",".join(f"{name}={_digest(getattr(row, name))}" for name in names)


def edit_check(*, row: Model, names: Iterable[str], mark: str) -> None:
    """Check that the fields ``names`` of a row, locked until it is saved, are still as a form has shown them.

    ``mark`` is the ``edit_mark`` that was shown; empty: no form has shown the row, and everything may be
    overwritten.

    Raises:
        EditedError: some of the fields have changed.
    """
    now = edit_mark(row=row, names=names)
    shown = mark.split(",")
    if mark and (changed := [part.partition("=")[0] for part in now.split(",") if part not in shown]):
        raise EditedError(changed, now)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:12]
