"""A double click in a form of the admin: the second request passes validation before the first one commits."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import AuditEntry, User
from tests.at_once import while_uncommitted
from tests.ladder.makers import make_user
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db(transaction=True)  # not `database`: SQLite has one transaction at a time

PASSWORDS = {"usable_password": "true", "password1": "a battery staple", "password2": "a battery staple"}


@pytest.fixture
def admins() -> Client:
    """The client of a superuser."""
    return signed_in(make_user("chief", is_staff=True, is_superuser=True))


def mistakes(page: HttpResponse) -> str:
    assert page.status_code == 200
    return str(page.context["adminform"].form.errors)


@pytest.mark.parametrize("first", ["Zoe", "zOE"])
def test_a_second_account_with_one_name_is_a_form_error(
    admins: Client, first: str, django_db_blocker: DjangoDbBlocker
) -> None:
    page = while_uncommitted(
        lambda: make_user(first),
        lambda: admins.post("/admin/accounts/user/add/", {"username": "Zoe", **PASSWORDS}),
        django_db_blocker,
    )
    assert "already exists" in mistakes(page)
    assert User.objects.exclude(username="chief").get().username == first
    assert not AuditEntry.objects.exists()


def test_a_second_group_or_mail_address_is_a_form_error(
    admins: Client, alice: User, django_db_blocker: DjangoDbBlocker
) -> None:
    page = while_uncommitted(
        lambda: Group.objects.create(name="friends"),
        lambda: admins.post("/admin/auth/group/add/", {"name": "friends"}),
        django_db_blocker,
    )
    assert "already exists" in mistakes(page)
    address = {"user": alice.pk, "email": "alice@example.com"}
    page = while_uncommitted(
        lambda: EmailAddress.objects.create(user=alice, email="alice@example.com"),
        lambda: admins.post("/admin/account/emailaddress/add/", address),
        django_db_blocker,
    )
    assert "already exists" in mistakes(page)
