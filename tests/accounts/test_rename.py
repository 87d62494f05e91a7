"""Another user name, by the user: the rules of sign-up, the log, and what stays."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import AuditEntry, User
from accounts.services.accounts import account_rename
from common.errors import InputError
from ladder.models import Bot
from tests.browsing import confirm, expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_bot, make_user, make_version
from tests.visitors import is_in, signed_in

pytestmark = pytest.mark.django_db
RENAME = "/accounts/rename/"
PASSWORD = "correct horse"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bob", "already exists"),
        ("BOB", "already exists"),
        ("alice", "your name already"),
        ("House", "can not be used"),
        ("a b", "Please choose a user name"),
        ("аlice", "Please choose a user name"),  # a Cyrillic letter that looks like an a
        ("closed 7", "Please choose a user name"),
        ("x" * 31, "Please choose a user name"),
        ("..", "Please choose a user name"),
    ],
)
def test_names_are_refused_as_at_sign_up(alice: User, name: str, why: str) -> None:
    make_user("bob")
    with pytest.raises(InputError, match=why):
        account_rename(user=alice, name=name)
    assert User.objects.get(pk=alice.pk).username == "alice"
    assert not AuditEntry.objects.exists()


def test_reserved_accounts_keep_their_names() -> None:
    with pytest.raises(InputError, match="keeps its name"):
        account_rename(user=make_user("house"), name="home")


def test_capitals_of_the_own_name_can_change(alice: User) -> None:
    account_rename(user=alice, name="Alice")
    assert User.objects.get(pk=alice.pk).username == "Alice"


def test_everything_but_the_name_stays(
    alice: User, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    version = make_version(make_bot(owner=alice))
    here = signed_in(alice)
    with django_capture_on_commit_callbacks(execute=True):
        account_rename(user=alice, name="carol")
    assert is_in(here)
    assert Bot.objects.get(pk=version.bot_id).owner.username == "carol"
    told = AuditEntry.objects.get()
    assert (told.actor_name, told.act, told.target) == ("alice", "account_rename", "alice: carol")
    assert client.get("/users/alice/").status_code == 404
    assert "Moat" in client.get("/users/carol/").text
    assert "called alice until now" in mail.outbox[0].body
    assert mail.outbox[0].to == ["alice@example.com"]
    cache.clear()
    for name, entered in (("alice", False), ("carol", True)):
        visitor = Client()
        visitor.post("/accounts/login/", {"login": name, "password": PASSWORD})
        assert is_in(visitor) == entered
    assert make_user("alice").pk != alice.pk, "the old name is free"


def test_a_browser_left_open_is_not_enough(alice: User) -> None:
    cache.clear()
    here = signed_in(alice)
    assert here.post(RENAME, {"name": "carol"}).headers["Location"].startswith("/accounts/reauthenticate/")
    assert User.objects.get(pk=alice.pk).username == "alice"


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_user_takes_another_name(browser: Browser, site_url: str) -> None:
    cache.clear()
    make_user("alice")
    make_user("bob")
    with browser.new_context(base_url=site_url, locale="en") as context:
        page = context.new_page()
        sign_in(page)
        page.goto("/mine/")
        page.get_by_role("link", name="Change my user name").click()
        expect_fits_and_is_accessible(page)
        field = page.get_by_label("New user name")
        field.fill("bob")
        page.get_by_role("button", name="Change my user name").click()
        confirm(page)
        expect(page.get_by_text("already exists")).to_be_visible()
        field.fill("carol")
        field.press("Enter")
        expect(page.get_by_text("Your name is carol now.")).to_be_visible()
        expect(page.get_by_role("link", name="carol", exact=True)).to_be_visible()
