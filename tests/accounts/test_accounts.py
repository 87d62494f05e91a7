"""Who may come in, and how an account stays its owner's."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache, caches
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import Settings

from accounts.models import AuditEntry, User
from tests.ladder.makers import make_user
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"


@pytest.fixture
def chief() -> User:
    return make_user("chief", is_staff=True, is_superuser=True)


@pytest.fixture
def admins(chief: User) -> Client:
    return signed_in(chief)


def test_administrators_sign_in_by_the_form_that_counts_guesses(
    client: Client, chief: User, settings: Settings
) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/m/ip"}
    for _ in range(3):
        client.post("/admin/login/", {"username": "chief", "password": "guess"}, follow=True)
        client.post("/accounts/login/", {"login": "chief", "password": "guess"})
    asked = client.post("/admin/login/?next=/admin/", {"username": "chief", "password": PASSWORD})
    assert asked.headers["Location"] == "/accounts/login/?next=%2Fadmin%2F"
    assert client.get("/admin/").status_code == 302
    cache.clear()
    entered = client.post("/accounts/login/", {"login": "chief", "password": PASSWORD, "next": "/admin/"})
    assert (entered.status_code, entered.headers["Location"]) == (302, "/admin/")
    assert client.get("/admin/").status_code == 200


def test_who_is_turned_off_while_his_new_password_is_hashed_stays_so(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    hash_it = User.set_password

    def turned_off(user: User, password: str) -> None:
        User.objects.update(is_active=False, uploads_stopped="Copied bots.")
        hash_it(user, password)

    monkeypatch.setattr(User, "set_password", turned_off)
    new = {"oldpassword": PASSWORD, "password1": "a battery staple", "password2": "a battery staple"}
    client.post("/accounts/password/change/", new)
    alice.refresh_from_db()
    assert alice.check_password("a battery staple")
    assert (alice.is_active, alice.uploads_stopped) == (False, "Copied bots.")


def test_guesses_of_others_keep_nobody_out_where_he_has_been(client: Client, alice: User, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/300s/key"}

    def enters(browser: Client, password: str = PASSWORD, name: str = "alice") -> bool:
        browser.post("/accounts/logout/")
        return browser.post("/accounts/login/", {"login": name, "password": password}).status_code == 302

    stranger = Client()
    assert enters(client)
    assert enters(stranger, name=make_user("mallory").username), "who is known as somebody else"
    assert not any(enters(stranger, "guess") for _ in range(3))
    assert not enters(stranger), "guesses of strangers are counted"
    assert enters(client, name="Alice")
    assert not any(enters(client, "guess") for _ in range(3))
    assert not enters(client), "and those in a browser that is known, too"


@pytest.mark.parametrize("name", ["日本", "Иван", "alice+bob@example.com"])
def test_whoever_has_a_name_of_other_letters_signs_in_and_is_known(
    client: Client, name: str, settings: Settings
) -> None:
    """Sign-up takes the letters a-z alone, administrators' forms all."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "1/300s/key"}
    make_user(name)
    form = {"login": name, "password": PASSWORD}
    entered = client.post("/accounts/login/", form)
    assert all(cookie.OutputString().isascii() for cookie in entered.cookies.values()), "as headers have to be"
    client.post("/accounts/logout/")
    for _ in range(2):
        Client().post("/accounts/login/", form | {"password": "guess"})
    assert client.post("/accounts/login/", form).status_code == 302


def test_another_address_needs_the_password(client: Client, alice: User) -> None:
    client.force_login(alice)  # a session, as somebody has it who has found a browser open
    asked = client.post("/accounts/email/", {"email": "evil@example.com", "action_add": ""})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not EmailAddress.objects.exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"email": "alice@example.com", "action_add": ""})
    assert EmailAddress.objects.get().email == "alice@example.com"


def test_capitals_make_no_other_user(alice: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user("ALICE")


def test_what_is_done_to_accounts_stands_in_the_audit_log(admins: Client) -> None:
    """Whom somebody has made an administrator, too, and who has been deleted since."""
    made = {"username": "mallory", "usable_password": "true", **{f"password{n}": "a battery staple" for n in (1, 2)}}
    admins.post("/admin/accounts/user/add/", made)
    mallory = User.objects.get(username="mallory")
    page = f"/admin/accounts/user/{mallory.pk}"
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    admins.post(f"{page}/change/", {"username": "mallory", "is_active": "on", "is_staff": "on", **joined})
    passwords = {"usable_password": "true", **{f"password{n}": "another battery" for n in (1, 2)}}
    admins.post(f"{page}/password/", passwords)
    admins.post(f"{page}/delete/", {"post": "yes"})
    assert list(AuditEntry.objects.order_by("pk").values_list("actor_name", "act", "target", "reason")) == [
        ("chief", "user_add", "mallory", "Added."),
        ("chief", "user_change", "mallory", "Changed Staff status and Date joined."),
        ("chief", "user_change", "mallory", "Changed password."),
        ("chief", "user_delete", "mallory", ""),
    ]


def test_so_does_what_is_done_to_addresses_and_groups(admins: Client, alice: User) -> None:
    admins.post("/admin/account/emailaddress/add/", {"user": alice.pk, "email": "evil@example.com"})
    admins.post("/admin/auth/group/add/", {"name": "friends"})
    group = Group.objects.get()
    admins.post("/admin/auth/group/", {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"})
    assert list(AuditEntry.objects.order_by("pk").values_list("act", "target")) == [
        ("emailaddress_add", "evil@example.com"),
        ("group_add", "friends"),
        ("group_delete", "friends"),
    ]


@pytest.fixture
def helpers() -> Client:
    """The browser of an administrator who was given the accounts, addresses and groups, and no more."""
    helper = make_user("helper", is_staff=True)
    rights = Permission.objects.filter(content_type__model__in=["user", "emailaddress", "group"])
    helper.user_permissions.set(rights)
    return signed_in(helper)


@pytest.mark.parametrize("rest", ["change", "password", "delete"])
def test_who_may_change_accounts_changes_no_administrators(helpers: Client, chief: User, rest: str) -> None:
    new = {"usable_password": "true", "post": "yes", **{f"password{n}": "a battery staple" for n in (1, 2)}}
    assert helpers.post(f"/admin/accounts/user/{chief.pk}/{rest}/", new).status_code == 403
    assert User.objects.get(username="chief").check_password(PASSWORD)


def test_nor_says_of_an_address_that_it_is_proven(helpers: Client, alice: User) -> None:
    address = EmailAddress.objects.create(user=alice, email="alice@example.com")
    helpers.post("/admin/account/emailaddress/", {"action": "make_verified", "_selected_action": [address.pk]})
    address.refresh_from_db()
    assert not address.verified


def test_nor_makes_one_of_anybody(helpers: Client, alice: User) -> None:
    page = f"/admin/accounts/user/{alice.pk}/change/"
    assert helpers.get(page).status_code == 200
    rights = {"is_staff": "on", "is_superuser": "on", "is_active": "on"}
    saved = helpers.post(
        page, {"username": "alicia", "date_joined_0": "2026-01-01", "date_joined_1": "00:00", **rights}
    )
    alice.refresh_from_db()
    assert (saved.status_code, alice.username, alice.is_staff, alice.is_superuser) == (302, "alicia", False, False)
    assert helpers.get("/admin/auth/group/add/").status_code == 403
    assert helpers.get("/admin/account/emailaddress/add/").status_code == 403


@pytest.mark.parametrize("name", ["..", "_-"])
def test_a_name_that_no_address_can_hold_is_refused(client: Client, name: str) -> None:
    page = client.post("/accounts/signup/", {"username": name, "password1": "a battery", "password2": "a battery"})
    assert "Please choose a user name" in page.content.decode()


def test_a_field_is_no_file(client: Client) -> None:
    """Two megabytes of percent signs, as anybody may send them, took seconds to read."""
    body = "login=" + "%" * 100_000
    answer = client.post("/accounts/login/", body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400


def test_no_administrator_makes_a_token_for_somebody_else(admins: Client) -> None:
    assert admins.get("/admin/knox/authtoken/add/").status_code == 404


def test_what_a_name_may_be_and_what_an_address_is_for_stand_on_the_form(client: Client) -> None:
    text = client.get("/accounts/signup/").content.decode()
    assert "up to 30 letters a-z, digits, and the signs . - _" in text
    assert "If you forget your password, a link for a new one is sent there." in text


def test_where_sign_ups_are_closed_administrators_alone_make_accounts(
    client: Client, admins: Client, settings: Settings
) -> None:
    sign_up = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}
    assert "Sign up</a>" in client.get("/games/").text
    settings.SIGN_UP_CLOSED = True
    caches["pages"].clear()
    assert "Sign up</a>" not in client.get("/games/").text
    assert "the sign up is currently closed" in client.post("/accounts/signup/", sign_up).text
    assert not User.objects.filter(username="bob").exists()
    admins.post("/admin/accounts/user/add/", {**sign_up, "usable_password": "true"})
    assert User.objects.filter(username="bob").exists()


def test_the_own_page_leads_to_addresses_and_password(client: Client) -> None:
    """Who signed up without an address found nowhere to give one, and no way back without a password."""
    client.force_login(make_user("alice"))
    text = client.get("/mine/").content.decode()
    for address in ("/accounts/email/", "/accounts/password/change/"):
        assert f'href="{address}"' in text
