"""What a message to a hook says, and its signature, after the specification Standard Webhooks.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime
from typing import Any

import msgspec
from django.utils.translation import override

from accounts.mails import public_url
from games.words import ENGLISH
from webhooks.models import Delivery

_TEST = "This is a test: the hook works."


def message_body(delivery: Delivery) -> bytes:
    """Return the JSON of a message; it is the same for each try (1 query unless its notification is fetched)."""
    notification = delivery.notification
    if notification is None:
        data: dict[str, Any] = {"text": _TEST, "url": public_url("/hooks/"), "values": {}}
    else:
        with override(ENGLISH):
            text, url = notification.text, public_url(notification.url)
        data = {"text": text, "url": url, "values": notification.values}
    return msgspec.json.encode({"type": delivery.kind, "timestamp": delivery.created_at, "data": data})


def message_headers(delivery: Delivery, *, body: bytes, at: datetime) -> dict[str, str]:
    """Return the headers, with the signature, for sending a message with this ``body`` at the time ``at``.

    The attack: somebody who has read one message sends it again later, or another one with its signature. So the
    signature covers id, time and body, and receivers refuse old times.
    """
    identity, timestamp = f"banzuke_{delivery.pk}", str(int(at.timestamp()))
    signed = b".".join((identity.encode(), timestamp.encode(), body))
    signature = base64.b64encode(hmac.new(delivery.hook.key, signed, hashlib.sha256).digest()).decode()
    return {
        "Content-Type": "application/json",
        "User-Agent": "Banzuke-Webhooks/1",
        "webhook-id": identity,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }
