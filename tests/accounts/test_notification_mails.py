"""Notifications by mail: who gets them, and that each is sent once, even when the mail server fails."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.mails import mail_send
from accounts.models import Notification, User
from accounts.services.notifications import (
    NOTIFICATIONS_AT_ONCE_MAX,
    notification_mails_send,
    notification_mails_set,
)
from ladder.models import Bot, BotVersion
from ladder.news import BUILT
from ladder.services.notifications import notification_create
from ladder.services.versions import version_transition
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = pytest.mark.django_db

BY_MAIL = "/notifications/mail/"


class Away(EmailBackend):
    """A mail backend that always fails."""

    def send_messages(self, messages: Any) -> int:
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


@pytest.fixture(autouse=True)
def fresh() -> None:
    cache.clear()


@pytest.fixture
def confirmed(alice: User) -> User:
    """Alice, with a confirmed mail address."""
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    return alice


@pytest.fixture
def reader(confirmed: User) -> User:
    """Alice, who has turned mails on."""
    notification_mails_set(reader=confirmed, language="en")
    confirmed.refresh_from_db()
    return confirmed


def tell(bot: Bot, occasion: str = "once") -> None:
    notification_create(kind=BUILT, bot=bot, occasion=occasion, version=7, number=3, outcome="plays")


def due() -> int:
    return Notification.objects.filter(mail_due=True).count()


# --- Turning mails on and off -----------------------------------------------------------------------------------------


def test_mails_are_turned_on_and_off_on_the_page(alices: Client, confirmed: User) -> None:
    assert "Send them by mail, too" in alices.get("/notifications/").text
    alices.post(BY_MAIL, {"wanted": "yes"}, headers={"Accept-Language": "ja"})
    assert User.objects.get(pk=confirmed.pk).mail_language == "ja"
    told = "They go to alice@example.com by mail, too, but for those about bots that you follow."
    assert told in alices.get("/notifications/").text
    alices.post(BY_MAIL)
    assert User.objects.get(pk=confirmed.pk).mail_language == ""


@pytest.mark.parametrize("verified", [None, False])
def test_mails_need_a_confirmed_mail_address(alices: Client, alice: User, verified: bool | None) -> None:
    if verified is not None:
        EmailAddress.objects.create(user=alice, email="victim@example.com", primary=True, verified=verified)
    assert "confirm an e-mail address</a>" in alices.get("/notifications/").text
    answer = alices.post(BY_MAIL, {"wanted": "yes"}, follow=True)
    assert "Please confirm an e-mail address first." in answer.text
    assert User.objects.get(pk=alice.pk).mail_language == ""


def test_anonymous_visitors_are_sent_to_sign_in(client: Client) -> None:
    assert client.post(BY_MAIL)["Location"].startswith("/accounts/login/")


# --- What is sent -----------------------------------------------------------------------------------------------------


def test_a_probation_is_reported_by_mail(reader: User, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://arena.example"
    version = make_version(make_bot(owner=reader))
    version_transition(version=version, to=BotVersion.State.PROBATION)
    notification_mails_send()
    (told,) = mail.outbox
    assert told.to == ["alice@example.com"]
    assert told.subject.startswith("Moat v1 is on probation: it failed again and again")
    assert f"https://arena.example/versions/{version.pk}/\n" in told.body
    assert told.body.endswith("https://arena.example/notifications/")
    notification_mails_send()
    assert len(mail.outbox) == 1, "once each"


def test_mails_are_in_the_readers_language(reader: User) -> None:
    notification_mails_set(reader=reader, language="ru")
    tell(make_bot(owner=reader))
    notification_mails_send()
    assert "Вы получили это письмо" in mail.outbox[0].body


def test_readers_who_did_not_turn_mails_on_get_none(confirmed: User) -> None:
    tell(make_bot(owner=confirmed))
    notification_mails_set(reader=confirmed, language="en")
    assert notification_mails_send() == 0, "only from now on"


@pytest.mark.parametrize("change", ["mails off", "address gone", "account closed"])
def test_readers_who_turned_mails_off_get_none(reader: User, change: str) -> None:
    tell(make_bot(owner=reader))
    match change:
        case "mails off":
            notification_mails_set(reader=reader, language="")
        case "address gone":
            EmailAddress.objects.all().delete()
        case "account closed":
            User.objects.update(is_active=False)
    assert (notification_mails_send(), due()) == (0, 0)


def test_administrators_get_mails_about_house_bots_if_turned_on(reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(is_staff=True)
    make_user("chief", is_staff=True)
    bot = make_bot("House", make_user("house"), is_house=True, declared_rating=1_000.0)
    version_transition(version=make_version(bot), to=BotVersion.State.PROBATION)
    assert Notification.objects.count() == 2
    assert notification_mails_send() == 1
    assert mail.outbox[0].to == ["alice@example.com"]


# --- When the mail server fails ---------------------------------------------------------------------------------------


def test_a_failing_mail_server_loses_no_mail_and_causes_a_pause(reader: User, settings: Settings) -> None:
    for number in range(3):
        tell(make_bot(f"Bot {number}", reader), str(number))
    settings.EMAIL_BACKEND = "tests.accounts.test_notification_mails.Away"
    assert (notification_mails_send(), due()) == (0, 3)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert (notification_mails_send(), due()) == (0, 3), "a pause, since each try may block the process"
    cache.clear()  # as after some minutes
    assert (notification_mails_send(), due()) == (3, 0)


def test_one_call_sends_a_limited_number_of_mails(reader: User) -> None:
    bot = make_bot(owner=reader)
    for number in range(NOTIFICATIONS_AT_ONCE_MAX + 1):
        tell(bot, str(number))
    assert [notification_mails_send() for _ in range(3)] == [NOTIFICATIONS_AT_ONCE_MAX, 1, 0]


def test_two_processes_never_send_a_mail_twice(reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        tell(make_bot(f"Bot {number}", reader), str(number))

    def while_another_sends(**about: Any) -> None:
        monkeypatch.setattr("accounts.services.notifications.mail_send", mail_send)
        notification_mails_send()
        mail_send(**about)

    monkeypatch.setattr("accounts.services.notifications.mail_send", while_another_sends)
    notification_mails_send()
    assert sorted(told.subject.split(" v3")[0] for told in mail.outbox) == ["Bot 0", "Bot 1"]


def test_old_notifications_are_not_mailed(reader: User) -> None:
    tell(make_bot(owner=reader))
    Notification.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert (notification_mails_send(), due()) == (0, 0)
