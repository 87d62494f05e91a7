"""The base class of serializers for database rows in answers."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, TypeVar

from django.db.models import Model
from rest_framework import serializers

RowT = TypeVar("RowT", bound=Model)


class RowSerializer(serializers.ModelSerializer[RowT]):
    """A read-only serializer of a model's row, whose fields the OpenAPI schema marks as required.

    The library marks a column with a default as optional, as it is in a form. An answer always has all fields, and a
    generated client should not have to handle a match without a state.
    """

    def include_extra_kwargs(
        self, kwargs: MutableMapping[str, Any], extra_kwargs: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Return the arguments for the field of a column, with ``read_only`` added."""
        return super().include_extra_kwargs(kwargs, {**extra_kwargs, "read_only": True})
