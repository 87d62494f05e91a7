"""Who can sign in, and what administrators may change of accounts."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache, caches
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


def test_an_account_disabled_while_its_new_password_is_hashed_stays_disabled(
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


def test_wrong_passwords_of_strangers_do_not_lock_a_known_browser(
    client: Client, alice: User, settings: Settings
) -> None:
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
def test_a_user_whose_name_has_non_ascii_letters_signs_in_and_is_remembered(
    client: Client, name: str, settings: Settings
) -> None:
    """Sign-up allows the letters a-z only, the forms of administrators allow all letters."""
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


def test_a_new_email_address_needs_the_password(client: Client, alice: User) -> None:
    client.force_login(alice)  # a session, as somebody has it who has found a browser open
    asked = client.post("/accounts/email/", {"email": "evil@example.com", "action_add": ""})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not EmailAddress.objects.exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"email": "alice@example.com", "action_add": ""})
    assert EmailAddress.objects.get().email == "alice@example.com"


def test_changes_of_accounts_are_in_the_audit_log(admins: Client) -> None:
    """Also the making of administrators, and the deletion of accounts."""
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


def test_changes_of_email_addresses_and_groups_are_in_the_audit_log(admins: Client, alice: User) -> None:
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
    """The browser of an administrator who may change accounts, e-mail addresses and groups, and nothing else."""
    helper = make_user("helper", is_staff=True)
    rights = Permission.objects.filter(content_type__model__in=["user", "emailaddress", "group"])
    helper.user_permissions.set(rights)
    return signed_in(helper)


@pytest.mark.parametrize("rest", ["change", "password", "delete"])
def test_an_administrator_of_accounts_cannot_change_administrators(helpers: Client, chief: User, rest: str) -> None:
    new = {"usable_password": "true", "post": "yes", **{f"password{n}": "a battery staple" for n in (1, 2)}}
    assert helpers.post(f"/admin/accounts/user/{chief.pk}/{rest}/", new).status_code == 403
    assert User.objects.get(username="chief").check_password(PASSWORD)


def test_an_administrator_of_accounts_cannot_mark_an_email_address_as_confirmed(helpers: Client, alice: User) -> None:
    address = EmailAddress.objects.create(user=alice, email="alice@example.com")
    helpers.post("/admin/account/emailaddress/", {"action": "make_verified", "_selected_action": [address.pk]})
    address.refresh_from_db()
    assert not address.verified


def test_an_administrator_of_accounts_cannot_make_administrators(helpers: Client, alice: User) -> None:
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


def test_a_huge_form_field_is_refused(client: Client) -> None:
    """The attack: two megabytes of percent signs take seconds to parse."""
    body = "login=" + "%" * 100_000
    answer = client.post("/accounts/login/", body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400


def test_no_administrator_makes_a_token_for_somebody_else(admins: Client) -> None:
    assert admins.get("/admin/knox/authtoken/add/").status_code == 404


def test_only_administrators_create_accounts_when_sign_up_is_closed(
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


def test_the_own_profile_links_to_email_addresses_and_password(client: Client) -> None:
    """A user who signed up without an e-mail address must find where to add one, to be able to reset a password."""
    client.force_login(make_user("alice"))
    text = client.get("/mine/").content.decode()
    for url in ("/accounts/email/", "/accounts/password/change/"):
        assert f'href="{url}"' in text
