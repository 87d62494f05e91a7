"""Webhooks: what is sent, how it is signed, what is never reached, and when a hook is turned off."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.news_kinds import news_kind, notification_choices, topic_choices
from accounts.services.closing import account_close
from common.errors import InputError
from deploy.settings import ROOT
from jobs.celery_app import app
from ladder.news import PROMOTED
from ladder.services.notifications import notification_create
from tests.api.conftest import client_of
from tests.ladder.makers import make_user
from tests.webhooks.conftest import Receiver
from tests.webhooks.makers import BUILD, built, make_hook
from webhooks.models import Delivery, Hook
from webhooks.sending import ANSWER_BYTES_MAX, is_public
from webhooks.services import deliveries
from webhooks.services.deliveries import (
    FAILURES_MAX,
    KEPT_DAYS,
    RETRY_SECONDS,
    deliveries_forget,
    deliveries_send,
    delivery_test,
)
from webhooks.services.hooks import HOOKS_MAX
from webhooks.tasks import deliveries_send_task

pytestmark = pytest.mark.django_db


def retry_now() -> None:
    Delivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now())


def verified(secret: str, headers: dict[str, str], body: bytes) -> Any:
    """Run the function that docs/play/webhooks.md shows."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs/play/webhooks.md").read_text(), re.DOTALL)
    assert code
    names: dict[str, Any] = {}
    exec(code[1], names)  # noqa: S102 - the page's own lines
    return names["verified"](secret, headers, body)


def test_a_build_is_told_by_a_message_that_the_documented_lines_verify(receiver: Receiver) -> None:
    hook = make_hook(receiver.url)
    built(hook)
    built(hook)  # reported twice
    assert deliveries_send() == 1
    assert deliveries_send() == 0
    [(headers, body)] = receiver.taken
    told = verified(hook.secret, headers, body)
    assert told["type"] == "built"
    assert told["data"]["text"] == "Moat v1 is active: it was built, and has played its check match."
    assert told["data"]["url"].startswith("http")
    assert told["data"]["values"]["name"] == "Moat"
    for wrong in (
        (hook.secret, headers, body + b" "),
        (hook.secret, headers | {"webhook-timestamp": "1"}, body),
        ("whsec_" + base64.b64encode(b"x" * 32).decode(), headers, body),
    ):
        with pytest.raises(ValueError, match=r"\."):
            verified(*wrong)
    old = {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) - 3600)}
    signed = f"{old['webhook-id']}.{old['webhook-timestamp']}.".encode() + body
    tag = base64.b64encode(hmac.new(hook.key, signed, hashlib.sha256).digest()).decode()
    with pytest.raises(ValueError, match="old"):
        verified(hook.secret, old | {"webhook-signature": f"v1,{tag}"}, body)


def test_a_hook_gets_what_it_was_made_for_and_nothing_of_others() -> None:
    owner = make_user("alice")
    hooks = {group: make_hook(groups=[group], owner=owner) for group in dict(topic_choices())}
    stranger = make_hook(groups=[*hooks], owner=make_user("bob"))
    built(hooks["build"])
    built(hooks["build"], kind="probation")
    notification_create(kind=PROMOTED, bot=owner.bots.get(), occasion="up", league=2)
    built(hooks["contest"], kind="contest_over")
    kinds = {group: [row.kind for row in hook.deliveries.all()] for group, hook in hooks.items()}
    expected = {"build": ["built"], "probation": ["probation"], "tournament": [], "contest": ["contest_over"]}
    assert kinds == expected
    assert not stranger.deliveries.exists()
    begun = {kind for kind, _title in notification_choices() if kind.startswith("tournament_")}
    assert {getattr(news_kind(kind).topic, "name", "") for kind in begun} == {"tournament"}


def test_a_message_is_tried_again_and_given_up(receiver: Receiver) -> None:
    hook = make_hook(receiver.url)
    receiver.status = 500
    built(hook)
    for tries, wait in enumerate(RETRY_SECONDS, start=1):
        assert deliveries_send() == 0
        row = Delivery.objects.get()
        assert (row.tries, row.status, row.fault) == (tries, 500, "status")
        assert row.due_at
        assert row.due_at - row.tried_at == timedelta(seconds=wait)
        assert deliveries_send() == 0, "not due yet"
        retry_now()
    deliveries_send()
    row = Delivery.objects.get()
    assert (row.tries, row.due_at, row.is_delivered) == (len(RETRY_SECONDS) + 1, None, False)
    assert len({headers["webhook-id"] for headers, _ in receiver.taken}) == 1
    assert len({body for _, body in receiver.taken}) == 1
    receiver.status = 200
    built(hook, "next")
    assert deliveries_send() == 1
    hook.refresh_from_db()
    assert hook.failures == 0


def test_a_hook_that_fails_is_turned_off_and_its_owner_told(receiver: Receiver, client: Client) -> None:
    hook = make_hook(receiver.url)
    receiver.status = 302  # to itself: it is not followed
    Hook.objects.update(failures=FAILURES_MAX - 1)
    built(hook)
    built(hook, "another")
    deliveries_send()
    assert len(receiver.taken) == 1
    hook.refresh_from_db()
    assert hook.off_at
    assert not Delivery.objects.exclude(due_at=None).exists()
    built(hook, "later")
    assert Delivery.objects.count() == 2
    delivery_test(hook=hook)
    deliveries_send()
    assert len(receiver.taken) == 2, "a test is sent nevertheless"
    client.force_login(hook.owner)
    page = client.get("/notifications/").text
    assert f"Your webhook to 127.0.0.1 was turned off, since {FAILURES_MAX} tries in a row have failed." in page
    client.post(f"/hooks/{hook.pk}/resume/")
    built(hook, "after all")
    receiver.status = 200
    assert deliveries_send() == 1


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" + b"x" * 10**6, ""),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "unreachable"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * (2 * ANSWER_BYTES_MAX), "unreachable"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000, "unreachable"),
    ],
    ids=["long body", "no http", "long head", "endless"],
)
def test_answers_of_any_kind_are_borne(receiver: Receiver, head: bytes, fault: str) -> None:
    receiver.head = head
    delivery_test(hook=make_hook(receiver.url))
    deliveries_send()
    row = Delivery.objects.get()
    assert (row.fault, row.is_delivered, row.due_at) == (fault, fault == "", None)


def test_a_receiver_that_never_answers_is_left_and_holds_up_nobody(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("webhooks.sending.SECONDS_MAX", 1)
    owner = make_user("alice")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        dead = make_hook(f"https://127.0.0.1:{silent.getsockname()[1]}/", owner=owner)
        alive = make_hook(receiver.url, owner=owner)
        built(dead)
        assert deliveries_send() == 1
    assert dead.deliveries.get().fault == "no_answer"
    assert alive.deliveries.get().is_delivered


def test_a_name_that_is_looked_up_for_ever_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    given_up, looked_up = threading.Event(), []

    def look_up(*_args: Any, **_kwargs: Any) -> list[Any]:
        looked_up.append(given_up.wait(20))
        return []

    monkeypatch.setattr("webhooks.sending.SECONDS_MAX", 0.1)
    monkeypatch.setattr("socket.getaddrinfo", look_up)
    delivery_test(hook=make_hook())
    deliveries_send()
    assert looked_up == [], "the lookup goes on"
    given_up.set()
    assert Delivery.objects.get().fault == "no_answer"


def test_a_certificate_of_nobody_is_refused(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webhooks.sending.tls_context", ssl.create_default_context)
    delivery_test(hook=make_hook(receiver.url))
    deliveries_send()
    assert Delivery.objects.get().fault == "certificate"
    assert not receiver.taken


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        "0.0.0.0",  # noqa: S104 - nothing is bound
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1"),
        *("::ffff:10.0.0.1", "::ffff:8.8.8.8", "2002:a00:1::", "2001:0:a00:1::", "64:ff9b::a00:1", "64:ff9b:1::1"),
    ],
)
def test_no_address_inside_is_public(address: str) -> None:
    """The attack: a url leads into the arena's own network, in any spelling of its addresses."""
    assert not is_public(address)


def test_public_addresses_are_public() -> None:
    assert all(map(is_public, ("93.184.215.14", "2606:4700:4700::1111")))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]"])
def test_nothing_is_sent_to_a_host_inside(host: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webhooks.sending.is_public", is_public)
    url = receiver.url.replace("127.0.0.1", host)
    hook = Hook.objects.create(owner=make_user("alice"), url=url, groups=BUILD)
    delivery_test(hook=hook)
    deliveries_send()
    assert Delivery.objects.get().fault == "private"
    assert not receiver.taken


def test_a_name_with_a_private_address_beside_a_public_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: a name has both, or another one by the time of the connection."""

    async def resolved(*_args: Any, **_kwargs: Any) -> list[Any]:
        return [(2, 1, 6, "", (address, 443)) for address in ("93.184.215.14", "10.0.0.1")]

    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.getaddrinfo", resolved)
    delivery_test(hook=make_hook())
    deliveries_send()
    assert Delivery.objects.get().fault == "private"


def test_an_international_host_name_is_looked_up_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = []

    async def resolved(_loop: object, host: str, *_args: Any, **_kwargs: Any) -> list[Any]:
        looked_up.append(host)
        return [(2, 1, 6, "", ("10.0.0.1", 443))]

    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.getaddrinfo", resolved)
    delivery_test(hook=make_hook("https://\u043f\u0440\u0438\u043c\u0435\u0440.example/"))
    deliveries_send()
    assert looked_up == ["xn--e1afmkfd.example"]


@pytest.mark.parametrize(
    "url",
    [
        *("http://ci.example/", "ftp://ci.example/", "https://", "https://ci.example/#x", "https://a:b@ci.example/"),
        *("https://ci.example:99999/", "https://ci example/", "javascript:alert(1)", f"https://ci.example/{'x' * 500}"),
        *("https://ci.example/\r\nX: y", "https://ci.example/\0"),
    ],
)
def test_only_plain_https_urls_are_taken(url: str) -> None:
    with pytest.raises(InputError, match="https://"):
        make_hook(url)


def test_the_page_shows_the_secret_once(client: Client) -> None:
    owner = make_user("alice")
    client.force_login(owner)
    made = client.post("/hooks/", {"url": "https://ci.example/x", "groups": ["build", "tournament"]})
    hook = Hook.objects.get()
    assert hook.groups == ["build", "tournament"]
    assert hook.secret in made.text
    assert hook.secret not in client.get("/hooks/").text
    assert "no-store" in made.headers["Cache-Control"]
    assert client.post("/hooks/", {"url": "https://ci.example/x"}).status_code == 422
    client.post(f"/hooks/{hook.pk}/test/")
    assert Delivery.objects.get().kind == "test"
    other = Client()
    other.force_login(make_user("bob"))
    for act in ("test", "resume", "delete"):
        assert other.post(f"/hooks/{hook.pk}/{act}/").status_code == 404
    client.post(f"/hooks/{hook.pk}/delete/")
    assert not Hook.objects.exists()


def test_programs_manage_hooks_by_the_api(receiver: Receiver) -> None:
    api = client_of(make_user("alice"))
    sent = json.dumps({"url": receiver.url, "groups": ["probation", "build"]})
    made = api.post("/api/v1/hooks/", sent, content_type="application/json")
    assert made.status_code == 201
    hook = Hook.objects.get()
    assert (made.json()["secret"], made.json()["groups"]) == (hook.secret, ["build", "probation"])
    assert "secret" not in api.get("/api/v1/hooks/").json()[0]
    api.post(f"/api/v1/hooks/{hook.pk}/test/")
    deliveries_send()
    [row] = api.get(f"/api/v1/hooks/{hook.pk}/").json()["deliveries"]
    assert (row["kind"], row["is_delivered"], row["status"], row["tries"]) == ("test", True, 204, 1)
    assert verified(hook.secret, *receiver.taken[0])["type"] == "test"
    for number in range(HOOKS_MAX - 1):
        sent = json.dumps({"url": f"https://ci.example/{number}", "groups": ["build"]})
        assert api.post("/api/v1/hooks/", sent, content_type="application/json").status_code == 201
    assert api.post("/api/v1/hooks/", sent, content_type="application/json").status_code == 422
    assert api.delete(f"/api/v1/hooks/{hook.pk}/").status_code == 204


def test_a_closed_account_and_old_deliveries_leave_nothing(
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    hook = make_hook()
    delivery_test(hook=hook)
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=KEPT_DAYS + 1))
    delivery_test(hook=hook)
    deliveries_forget()
    assert Delivery.objects.count() == 1
    with django_capture_on_commit_callbacks(execute=True):
        account_close(user=hook.owner, actor=hook.owner)
    assert not Hook.objects.exists()


def test_two_processes_send_a_message_once(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    delivery_test(hook=make_hook(receiver.url))
    both = list(Delivery.objects.select_related("hook", "notification"))
    monkeypatch.setattr(deliveries, "deliveries_due", lambda **_: both)
    assert [deliveries_send(), deliveries_send()] == [1, 0]
    assert len(receiver.taken) == 1


@pytest.mark.django_db(transaction=True)
def test_the_timetable_has_a_manager_send_what_is_due(
    receiver: Receiver, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", broker_url)
    deliveries_send_task()
    assert not [thread for thread in threading.enumerate() if thread.name == "webhooks"]
    delivery_test(hook=make_hook(receiver.url))
    deliveries_send_task()
    for thread in threading.enumerate():
        if thread.name == "webhooks":
            thread.join(20)
    assert Delivery.objects.get().is_delivered
