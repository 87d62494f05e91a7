"""What a message says, and how it is signed: the same on each try, in English, by a key that no column has."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation
from pytest_django import Settings

from tests.ladder.makers import make_user
from tests.webhooks.makers import built, make_hook
from webhooks.messages import message_body, message_headers
from webhooks.models import Delivery, Hook
from webhooks.services.deliveries import delivery_test

pytestmark = pytest.mark.django_db


def told() -> dict[str, Any]:
    """Return the message of the only delivery."""
    message: dict[str, Any] = json.loads(message_body(Delivery.objects.get()))
    return message


def test_a_message_is_the_same_in_every_language_and_on_every_try() -> None:
    """Programs read it: a reader's language, or that of the worker process, changes no byte of it."""
    built(make_hook())
    delivery = Delivery.objects.get()
    bodies = set()
    for language in ("en", "ja", "ru"):
        with translation.override(language):
            bodies.add(message_body(delivery))
    Delivery.objects.update(tries=3, tried_at=timezone.now())
    bodies.add(message_body(Delivery.objects.get()))
    assert len(bodies) == 1


def test_a_message_has_type_time_sentence_url_and_values(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://arena.example"
    hook = make_hook()
    built(hook)
    message = told()
    version = hook.owner.bots.get().versions.get()
    assert sorted(message) == ["data", "timestamp", "type"]
    assert message["type"] == "built"
    assert message["data"]["url"].startswith("https://arena.example/")
    assert message["data"]["text"].endswith(".")
    assert message["data"]["values"]["version"] == version.pk
    assert message["data"]["values"]["bot"] == version.bot_id


def test_a_test_says_so_and_leads_to_the_page_of_webhooks(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://arena.example"
    delivery_test(hook=make_hook())
    message = told()
    assert message["type"] == "test"
    assert message["data"] == {
        "text": "This is a test: the hook works.",
        "url": "https://arena.example/hooks/",
        "values": {},
    }


def test_the_signature_covers_id_time_and_body() -> None:
    """The attack: a message that was read is sent again later, or another one with its signature."""
    hook = make_hook()
    delivery = delivery_test(hook=hook)
    now = timezone.now()

    def signature(**changes: Any) -> str:
        chosen: dict[str, Any] = {"delivery": delivery, "body": b"{}", "at": now, **changes}
        return message_headers(chosen["delivery"], body=chosen["body"], at=chosen["at"])["webhook-signature"]

    own = signature()
    assert own == signature(), "nothing random is in it"
    others = {
        signature(body=b"{ }"),
        signature(at=now + timedelta(seconds=1)),
        signature(delivery=delivery_test(hook=hook)),
    }
    assert own not in others
    assert len(others) == 3


def test_the_headers_are_those_of_the_specification() -> None:
    hook = make_hook()
    delivery, now = delivery_test(hook=hook), timezone.now()
    headers = message_headers(delivery, body=b"{}", at=now)
    assert headers["webhook-id"] == f"banzuke_{delivery.pk}"
    assert headers["webhook-timestamp"] == str(int(now.timestamp()))
    assert headers["Content-Type"] == "application/json"
    version, _, tag = headers["webhook-signature"].partition(",")
    signed = f"banzuke_{delivery.pk}.{int(now.timestamp())}.".encode() + b"{}"
    assert version == "v1"
    assert base64.b64decode(tag) == hmac.new(hook.key, signed, hashlib.sha256).digest()


def test_each_hook_has_a_key_of_its_own_of_256_bits() -> None:
    owner = make_user("alice")
    one, other = make_hook(owner=owner), make_hook(owner=owner)
    assert one.key != other.key
    assert len(one.key) == len(other.key) == 32
    assert one.secret == "whsec_" + base64.b64encode(one.key).decode()


def test_no_column_has_the_key(settings: Settings) -> None:
    """The attack: somebody reads a backup of the database, and sends messages in the arena's name."""
    hook = make_hook()
    before = hook.key
    row = " ".join(map(str, Hook.objects.filter(pk=hook.pk).values_list().get()))
    for form in (before.hex(), base64.b64encode(before).decode(), hook.secret):
        assert form not in row
    settings.SECRET_KEY = "another arena's secret, with the same database"
    assert Hook.objects.get().key != before


def test_a_hook_and_a_message_name_themselves_by_the_host_alone() -> None:
    """The url may have a secret in its path: it is not written to logs."""
    hook = make_hook("https://ci.example:8443/secret-path?token=1")
    assert str(hook) == f"hook {hook.pk} to ci.example"
    assert "secret-path" not in str(delivery_test(hook=hook))
