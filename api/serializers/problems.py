"""Serializers of error answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class FieldErrorSerializer(serializers.Serializer[Any]):
    """An error in one field of what was sent."""

    field = serializers.CharField(help_text="The field's name; empty for an error that concerns several fields.")
    detail = serializers.CharField(help_text="A sentence.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="URL that explains this kind of problem.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence for people that says what to do next.")
    # DRF's metaclass removes fields from the class, so that this does not override the property Serializer.errors.
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]
