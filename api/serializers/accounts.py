"""Serializers of logins and tokens."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import OptionalText, TextField


class LoginSerializer(serializers.Serializer[Any]):
    """Name and password of the user for whom a token is made."""

    username = TextField(max_length=150)
    password = serializers.CharField(max_length=128, trim_whitespace=False)
    code = OptionalText(
        max_length=40,
        help_text="From the authenticator app, or a recovery code; if the account has two-factor authentication.",
    )


class NewTokenSerializer(serializers.Serializer[Any]):
    """A new token, with its secret."""

    token = serializers.CharField(help_text="Shown this once.")
    expires_at = serializers.DateTimeField()


class TokenSerializer(serializers.Serializer[Any]):
    """A token of the caller, without its secret."""

    begins_with = serializers.CharField(source="token_key")
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry")
