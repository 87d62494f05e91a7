"""Fields that more than one serializer of requests has."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from common.text import typed


class TextField(serializers.CharField):
    """A text that somebody typed: characters that nobody sees are no part of it (``common.text.typed``)."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the valid value; a text that is empty to the eye counts as empty."""
        return super().run_validation(typed(data) if isinstance(data, str) else data)
