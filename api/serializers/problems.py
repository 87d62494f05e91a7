"""What went wrong."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class FieldErrorSerializer(serializers.Serializer[Any]):
    """What is wrong with a field."""

    field = serializers.CharField(help_text="Its name; empty for what concerns several.")
    detail = serializers.CharField(help_text="A sentence.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="Address of what this kind of problem means.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence for people that says what to do next.")
    # Fields are taken out of the class, so that this hides nothing at run time.
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]
