"""A second click on the button that turns two-factor authentication on."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from tests.at_once import while_uncommitted
from tests.two_factor import code_of, two_factor_on

pytestmark = pytest.mark.django_db(transaction=True)  # not `database`: SQLite has one transaction at a time

ACTIVATE = "/accounts/2fa/totp/activate/"


def test_a_second_click_shows_the_recovery_codes_of_the_first(
    alice: User, alices: Client, django_db_blocker: DjangoDbBlocker
) -> None:
    alices.post("/accounts/reauthenticate/", {"password": "correct horse"})
    secret = alices.get(ACTIVATE).context["form"].secret
    page = while_uncommitted(
        lambda: two_factor_on(alice),
        lambda: alices.post(ACTIVATE, {"code": code_of(secret)}, follow=True),
        django_db_blocker,
    )
    assert page.redirect_chain == [("/accounts/2fa/recovery-codes/", 302)]
    assert page.status_code == 200
