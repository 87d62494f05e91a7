"""When two names are the same to people, whatever their capitals."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.db import models

KEY_LENGTH_MAX = 120
"""Of a name of 40 characters: without capitals one can become three."""


def name_key(name: str) -> str:
    """Return what all names have in common that differ in capitals or in the form of their letters alone.

    Made here and not by the database: SQLite knows the capitals of the Latin alphabet only, PostgreSQL those of its
    locale. The folding of the Unicode standard (3.13, caseless matching in the compatibility form).
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class NameKeyField(models.CharField):  # type: ignore[type-arg]  # it takes none when the site runs
    """A column that always holds the key of the row's ``name``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": KEY_LENGTH_MAX, "editable": False, "blank": True, **options})

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key to store."""
        key = name_key(model_instance.name)  # type: ignore[attr-defined]  # the models that have this field have names
        setattr(model_instance, self.attname, key)
        return key
