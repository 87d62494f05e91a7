"""Two sign-ups at the same moment, both of which find the name free."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from tests.at_once import while_uncommitted
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db(transaction=True)  # not `database`: SQLite has one transaction at a time


@pytest.mark.parametrize("first", ["Zoe", "zOE"])
def test_the_second_sign_up_reads_that_the_name_is_taken(
    client: Client, first: str, django_db_blocker: DjangoDbBlocker
) -> None:
    """It happens on a double click. With two names that differ only in case, neither user could sign in any more."""
    form = {"username": "Zoe", "password1": "a battery staple", "password2": "a battery staple"}

    def sign_up() -> str:
        return client.post("/accounts/signup/", form, follow=True).content.decode()

    page = while_uncommitted(lambda: make_user(first), sign_up, django_db_blocker)
    assert "A user with that username already exists." in page
    assert User.objects.get().username == first
