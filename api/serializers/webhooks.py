"""Serializers of webhooks."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.news_kinds import topic_choices
from api.serializers.fields import ComputedRows, RowSerializer, TextField
from webhooks.models import URL_LENGTH_MAX, Delivery, Hook
from webhooks.selectors.hooks import DELIVERIES_SHOWN, deliveries_of
from webhooks.services.deliveries import FAILURES_MAX


class HookSerializer(RowSerializer[Hook]):
    """A webhook."""

    groups = serializers.ListField(
        child=serializers.ChoiceField(choices=topic_choices()), help_text="What is sent to it."
    )

    class Meta:
        model = Hook
        fields = ["id", "url", "groups", "created_at", "failures", "off_at"]
        extra_kwargs = {
            "failures": {"help_text": "How many tries have failed since the last that succeeded."},
            "off_at": {"help_text": f"When it was turned off, after {FAILURES_MAX} failures in a row; null: it is on."},
        }


class NewHookSerializer(HookSerializer):
    """A new webhook, with its secret."""

    secret = serializers.CharField(help_text="By which messages are signed. It cannot be read again later.")

    class Meta(HookSerializer.Meta):
        fields = [*HookSerializer.Meta.fields, "secret"]


class DeliverySerializer(RowSerializer[Delivery]):
    """A message to a webhook."""

    kind = serializers.CharField(help_text="The message's `type`: the kind of its notification, or `test`.")
    fault = serializers.CharField(
        help_text=f"Why the last try failed: {', '.join(f'`{fault}`' for fault in Delivery.Fault)}; empty: it did not."
    )

    class Meta:
        model = Delivery
        fields = ["id", "kind", "created_at", "tries", "tried_at", "due_at", "is_delivered", "status", "fault"]
        extra_kwargs = {
            "due_at": {"help_text": "When it is sent next; null: it was delivered, or given up."},
            "status": {"help_text": "HTTP status of the last answer; null: there was none."},
        }


class WholeHookSerializer(HookSerializer):
    """A webhook with its newest messages."""

    deliveries = ComputedRows(
        lambda hook: deliveries_of(hook=hook),
        child=DeliverySerializer(),
        help_text=f"The {DELIVERIES_SHOWN} newest messages.",
    )

    class Meta(HookSerializer.Meta):
        fields = [*HookSerializer.Meta.fields, "deliveries"]


class HookSentSerializer(serializers.Serializer[Any]):
    """A webhook that is to be made, and the groups of messages that are sent to it."""

    url = TextField(max_length=URL_LENGTH_MAX, help_text="Begins with `https://`; a public host.")
    groups = serializers.ListField(
        child=serializers.ChoiceField(choices=topic_choices()), min_length=1, max_length=len(topic_choices())
    )
