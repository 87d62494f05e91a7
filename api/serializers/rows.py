"""Rows as they are answered."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, TypeVar

from django.db.models import Model
from rest_framework import serializers

RowT = TypeVar("RowT", bound=Model)


class RowSerializer(serializers.ModelSerializer[RowT]):
    """A row that is only ever answered: each of its fields is always there, and the description says so.

    For the library a column with a default is one that may be left out, as in a form. In an answer none is, and who
    generates a client would have to ask of every match whether it has a state.
    """

    def include_extra_kwargs(
        self, kwargs: MutableMapping[str, Any], extra_kwargs: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Return what a column's field is made with."""
        return super().include_extra_kwargs(kwargs, {**extra_kwargs, "read_only": True})
