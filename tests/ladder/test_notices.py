"""Notifications by mail: for whom they are wanted, once each, while the mail server is away, too."""

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
from ladder.models import Bot, BotVersion
from ladder.services.notices import NOTICES_AT_ONCE_MAX, notices_send, notices_want
from ladder.services.notifications import notification_create
from ladder.services.versions import version_transition
from ladder.tasks import notices_send_task
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = pytest.mark.django_db

Kind = Notification.Kind
BY_MAIL = "/notifications/mail/"


class Away(EmailBackend):
    """A mail server that is not there."""

    def send_messages(self, messages: Any) -> int:
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


@pytest.fixture(autouse=True)
def fresh() -> None:
    cache.clear()


@pytest.fixture
def addressed(alice: User) -> User:
    """Alice, with an e-mail address that is hers."""
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    return alice


@pytest.fixture
def reader(addressed: User) -> User:
    """Alice, who wants mails."""
    notices_want(reader=addressed, language="en")
    addressed.refresh_from_db()
    return addressed


def tell(bot: Bot, occasion: str = "once") -> None:
    notification_create(kind=Kind.BUILT, bot=bot, occasion=occasion, version=7, number=3, outcome="plays")


def due() -> int:
    return Notification.objects.filter(mail_due=True).count()


# --- Whether somebody wants them --------------------------------------------------------------------------------------


def test_they_are_turned_on_and_off_on_the_page(alices: Client, addressed: User) -> None:
    assert "Send them by mail, too" in alices.get("/notifications/").text
    alices.post(BY_MAIL, {"wanted": "yes"}, headers={"Accept-Language": "ja"})
    assert User.objects.get(pk=addressed.pk).mail_language == "ja"
    assert "They go to alice@example.com by mail, too." in alices.get("/notifications/").text
    alices.post(BY_MAIL)
    assert User.objects.get(pk=addressed.pk).mail_language == ""


@pytest.mark.parametrize("verified", [None, False])
def test_nobody_fills_the_mailbox_of_somebody_else(alices: Client, alice: User, verified: bool | None) -> None:
    if verified is not None:
        EmailAddress.objects.create(user=alice, email="victim@example.com", primary=True, verified=verified)
    assert "confirm an e-mail address</a>" in alices.get("/notifications/").text
    answer = alices.post(BY_MAIL, {"wanted": "yes"}, follow=True)
    assert "Please confirm an e-mail address first." in answer.text
    assert User.objects.get(pk=alice.pk).mail_language == ""


def test_strangers_are_sent_to_sign_in(client: Client) -> None:
    assert client.post(BY_MAIL)["Location"].startswith("/accounts/login/")


# --- What is sent -----------------------------------------------------------------------------------------------------


def test_a_probation_is_told_by_mail(reader: User, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://arena.example"
    version = make_version(make_bot(owner=reader))
    version_transition(version=version, to=BotVersion.State.PROBATION)
    notices_send_task()
    (told,) = mail.outbox
    assert told.to == ["alice@example.com"]
    assert told.subject.startswith("Moat v1 is on probation: it failed again and again")
    assert f"https://arena.example/versions/{version.pk}/\n" in told.body
    assert told.body.endswith("https://arena.example/notifications/")
    notices_send_task()
    assert len(mail.outbox) == 1, "once each"


def test_they_come_in_the_readers_language(reader: User) -> None:
    notices_want(reader=reader, language="ru")
    tell(make_bot(owner=reader))
    notices_send()
    assert "Вы получили это письмо" in mail.outbox[0].body


def test_who_wants_none_gets_none(addressed: User) -> None:
    tell(make_bot(owner=addressed))
    notices_want(reader=addressed, language="en")
    assert notices_send() == 0, "only from now on"


@pytest.mark.parametrize("change", ["mails off", "address gone", "account closed"])
def test_who_wants_none_any_more_gets_none(reader: User, change: str) -> None:
    tell(make_bot(owner=reader))
    match change:
        case "mails off":
            notices_want(reader=reader, language="")
        case "address gone":
            EmailAddress.objects.all().delete()
        case "account closed":
            User.objects.update(is_active=False)
    assert (notices_send(), due()) == (0, 0)


def test_of_house_bots_those_administrators_are_told_who_want_it(reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(is_staff=True)
    make_user("chief", is_staff=True)
    bot = make_bot("House", make_user("house"), is_house=True, declared_rating=1_000.0)
    version_transition(version=make_version(bot), to=BotVersion.State.PROBATION)
    assert Notification.objects.count() == 2
    assert notices_send() == 1
    assert mail.outbox[0].to == ["alice@example.com"]


# --- When something is away -------------------------------------------------------------------------------------------


def test_a_mail_server_that_is_away_loses_none_and_is_left_alone_for_a_while(reader: User, settings: Settings) -> None:
    for number in range(3):
        tell(make_bot(f"Bot {number}", reader), str(number))
    settings.EMAIL_BACKEND = "tests.ladder.test_notices.Away"
    assert (notices_send(), due()) == (0, 3)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert (notices_send(), due()) == (0, 3), "it may hang, and the manager with it"
    cache.clear()  # as after some minutes
    assert (notices_send(), due()) == (3, 0)


def test_a_manager_that_has_much_to_tell_comes_back_to_its_reports(reader: User) -> None:
    bot = make_bot(owner=reader)
    for number in range(NOTICES_AT_ONCE_MAX + 1):
        tell(bot, str(number))
    assert [notices_send() for _ in range(3)] == [NOTICES_AT_ONCE_MAX, 1, 0]


def test_two_managers_send_none_twice(reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        tell(make_bot(f"Bot {number}", reader), str(number))

    def while_another_sends(**about: Any) -> None:
        monkeypatch.setattr("ladder.services.notices.mail_send", mail_send)
        notices_send()
        mail_send(**about)

    monkeypatch.setattr("ladder.services.notices.mail_send", while_another_sends)
    notices_send()
    assert sorted(told.subject.split(" v3")[0] for told in mail.outbox) == ["Bot 0", "Bot 1"]


def test_yesterdays_news_are_none(reader: User) -> None:
    tell(make_bot(owner=reader))
    Notification.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert (notices_send(), due()) == (0, 0)
