"""Two-factor authentication: a code is needed, and cannot be guessed, replayed or bypassed."""

from __future__ import annotations

import json
import re
import time

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts.models import AuditEntry, User
from arena.settings import base
from tests.ladder.makers import make_user
from tests.two_factor import code_now, code_of, code_wrong, two_factor_on
from tests.visitors import is_in, signed_in

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"
ACTIVATE = "/accounts/2fa/totp/activate/"
CODE = "/accounts/2fa/authenticate/"


@pytest.fixture
def codes(alice: User) -> list[str]:
    """The recovery codes of Alice, who has two-factor authentication."""
    return two_factor_on(alice)


@pytest.fixture
def half(client: Client, codes: list[str]) -> Client:
    """A browser in which Alice's password was typed, and no code yet."""
    assert password_typed(client).headers["Location"] == CODE
    return client


def password_typed(client: Client, name: str = "alice", password: str = PASSWORD) -> HttpResponse:
    return client.post("/accounts/login/", {"login": name, "password": password})


def code_typed(client: Client, code: str) -> bool:
    """Type a code after the password; return whether that signs in."""
    client.post(CODE, {"code": code})
    return is_in(client)


def activated(client: Client) -> str:
    """Turn two-factor authentication on as a user without an e-mail address; return the page of recovery codes."""
    asked = client.get(ACTIVATE)
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/"), "a browser left open is not enough"
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get(ACTIVATE)
    assert "<svg " in page.text
    assert "data:" not in page.text, "the content security policy would show nothing"
    secret = page.context["form"].secret
    done = client.post(ACTIVATE, {"code": code_of(secret)}, follow=True)
    assert done.redirect_chain == [("/accounts/2fa/recovery-codes/", 302)]
    return done.text


def test_two_factors_are_turned_on_used_and_turned_off(alice: User, alices: Client) -> None:
    cache.clear()
    papers = re.findall(r"^(?:<pre.*>)?(\d{8})$", activated(alices), re.MULTILINE)
    assert len(papers) == 10
    alices.post("/accounts/logout/")
    for periods, code in ((1, ""), (0, papers[0])):
        password_typed(alices)
        assert not is_in(alices)
        assert code_typed(alices, code or code_now(alice, periods))
        alices.post("/accounts/logout/")
    password_typed(alices)
    code_typed(alices, papers[1])
    alices.post("/accounts/reauthenticate/", {"password": PASSWORD})
    alices.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    alices.post("/accounts/logout/")
    password_typed(alices)
    assert is_in(alices)


@pytest.mark.parametrize("path", ["/mine/", "/upload/", "/api/tokens/", "/accounts/2fa/", ACTIVATE, "/admin/"])
def test_a_password_alone_reaches_no_page(half: Client, path: str) -> None:
    assert half.get(path).status_code == 302
    assert half.get("/api/v1/account/").status_code == 401
    assert half.get("/accounts/2fa/recovery-codes/download/").status_code == 302


def test_no_browser_caches_a_page_with_secrets(alice: User, alices: Client) -> None:
    alices.post("/accounts/reauthenticate/", {"password": PASSWORD})
    pages = [alices.get(url) for url in (ACTIVATE, "/accounts/email/", "/accounts/2fa/")]
    two_factor_on(alice)
    pages += [alices.get(f"/accounts/2fa/recovery-codes/{rest}") for rest in ("", "download/")]
    assert [page.status_code for page in pages] == [200] * 5
    assert [
        page.request["PATH_INFO"] for page in pages if "no-store" not in page.headers.get("Cache-Control", "")
    ] == []


def test_guessing_codes_is_limited_within_minutes(half: Client, alice: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS
    assert not any(code_typed(half, code_wrong(alice)) for _ in range(5))
    refused = half.post(CODE, {"code": code_now(alice)})
    assert "Too many failed login attempts" in refused.text
    assert not is_in(half)


def test_guessing_codes_is_limited_within_a_day_from_all_ip_addresses_together(
    half: Client, alice: User, codes: list[str], settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**base.ACCOUNT_RATE_LIMITS, "login_failed": "", "login": ""}  # as if time passed
    for _ in range(20):
        assert not code_typed(half, code_wrong(alice))
        half.post("/accounts/logout/")
        password_typed(half)
    assert not code_typed(half, code_now(alice))
    assert not code_typed(half, codes[0])


def test_a_strangers_wrong_codes_do_not_lock_a_known_browser(
    half: Client, alice: User, codes: list[str], settings: Settings
) -> None:
    assert code_typed(half, codes[0])
    half.post("/accounts/logout/")
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "", "code": "2/d/key"}
    thief = Client()
    password_typed(thief)
    for code in (code_wrong(alice), code_wrong(alice), codes[1]):
        assert not code_typed(thief, code)
    password_typed(half)
    assert code_typed(half, codes[1])
    half.post("/accounts/logout/")
    password_typed(half)
    for code in (code_wrong(alice), code_wrong(alice), codes[2]):
        assert not code_typed(half, code), "guesses in the known browser are counted, too"


def test_right_codes_do_not_count_against_the_limit(client: Client, alice: User, settings: Settings) -> None:
    codes = two_factor_on(alice)
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "", "code": "2/d/key"}
    for code in codes[:4]:
        password_typed(client)
        assert code_typed(client, code)
        client.post("/accounts/logout/")


def test_guessing_is_limited_where_a_code_confirms_an_action(alice: User, alices: Client, settings: Settings) -> None:
    two_factor_on(alice)
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "", "code": "2/d/key"}
    wrong, sent = code_wrong(alice), "/accounts/2fa/reauthenticate/"
    assert ["Incorrect code" in alices.post(sent, {"code": wrong}).text for _ in range(3)] == [True, True, False]


def test_a_code_cannot_be_used_twice(half: Client, alice: User) -> None:
    """Also not after the 30 seconds for which allauth remembers it, nor written with spaces."""
    seen = code_now(alice)
    assert code_typed(half, seen)
    for spelt in (seen, f"{seen[:3]} {seen[3:]}"):
        cache.delete(f"allauth.mfa.totp.used?user={alice.pk}&code={seen}")
        thief = Client()
        password_typed(thief)
        assert not code_typed(thief, spelt)


def test_a_recovery_code_is_good_once(half: Client, codes: list[str]) -> None:
    assert code_typed(half, codes[3])
    half.post("/accounts/logout/")
    password_typed(half)
    assert not code_typed(half, codes[3])


def test_a_code_that_has_just_expired_is_accepted_and_an_older_one_is_not(
    half: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)  # or a period might end between the code and its typing
    assert not code_typed(half, code_now(alice, -3))
    assert code_typed(half, code_now(alice, -1))


def test_a_password_reset_by_mail_does_not_bypass_the_code(client: Client, alice: User, codes: list[str]) -> None:
    User.objects.update(email="alice@example.com")
    client.post("/accounts/password/reset/", {"email": "alice@example.com"})
    (link,) = re.findall(r"http://127.0.0.1:8000(/\S+)", str(mail.outbox[0].body))
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": "a battery staple", "password2": "a battery staple"})
    assert not is_in(client)
    assert password_typed(client, password="a battery staple").headers["Location"] == CODE
    assert not is_in(client)


def test_no_dump_shows_a_secret(alice: User, codes: list[str], settings: Settings) -> None:
    rows = {row.type: row for row in Authenticator.objects.all()}
    stored = json.dumps([row.data for row in rows.values()])
    assert stored.count("gAAAA") == 2, "of Fernet, both"
    settings.SECRET_KEY = "another one"
    client = Client()
    password_typed(client)
    text = client.post(CODE, {"code": codes[0]}).text
    assert "cannot read the key of your authenticator app" in text
    assert not is_in(client)


@pytest.fixture
def chief() -> Client:
    """The browser of an administrator who may do everything, where administrators need two factors."""
    return signed_in(make_user("chief", is_staff=True, is_superuser=True))


@pytest.mark.parametrize("path", ["/fleet/", "/fleet/audit/", "/metrics", "/admin/", "/admin/accounts/user/"])
def test_administrators_are_redirected_to_set_up_two_factors_where_required(
    chief: Client, settings: Settings, path: str
) -> None:
    assert chief.get(path).status_code == 200
    settings.ADMIN_MFA_REQUIRED = True
    response = chief.get(path, follow=True)
    assert ACTIVATE in [url for url, _ in response.redirect_chain]
    assert "Administrators of this arena need two-factor authentication." in response.text
    two_factor_on(User.objects.get())
    assert chief.get(path).status_code == 200


def test_an_administrator_who_must_set_up_two_factors_can(chief: Client, settings: Settings) -> None:
    settings.ADMIN_MFA_REQUIRED = True
    cache.clear()
    activated(chief)
    assert chief.get("/admin/").status_code == 200
    assert chief.get("/fleet/").status_code == 200


def test_other_users_are_not_asked_to_set_up_two_factors(alices: Client, settings: Settings) -> None:
    settings.ADMIN_MFA_REQUIRED = True
    assert alices.get("/fleet/").status_code == 404
    assert alices.get("/admin/login/").status_code == 403


def test_an_administrator_turns_two_factors_off_for_a_user_who_lost_phone_and_codes(chief: Client, alice: User) -> None:
    two_factor_on(alice)
    assert chief.get("/admin/accounts/user/?q=alice").context["cl"].result_list[0].has_two_factors
    act = {"action": "two_factor_off", "_selected_action": [alice.pk], "reason": "Known to me."}
    chief.post("/admin/accounts/user/", act)
    assert not Authenticator.objects.exists()
    assert AuditEntry.objects.values_list("actor_name", "act", "target", "reason").get() == (
        "chief",
        "account_two_factor_off",
        "alice",
        "Known to me.",
    )
    assert "has no two-factor authentication" in chief.post("/admin/accounts/user/", act, follow=True).text


def test_the_right_to_change_accounts_is_not_enough_to_turn_two_factors_off(alice: User, codes: list[str]) -> None:
    helper = make_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(content_type__model__in=["user", "authenticator"]))
    client = signed_in(helper)
    client.post("/admin/accounts/user/", {"action": "two_factor_off", "_selected_action": [alice.pk]})
    assert Authenticator.objects.count() == 2
    assert client.get("/admin/mfa/authenticator/").status_code == 404


def test_the_command_line_turns_two_factors_off(
    alice: User, codes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("two_factor_off", "Alice", "--reason", "My phone is in the lake.")
    assert capsys.readouterr().out == "alice signs in by the password alone now.\n"
    assert AuditEntry.objects.values_list("actor_name", "target", "reason").get() == (
        "command line",
        "alice",
        "My phone is in the lake.",
    )
    with pytest.raises(CommandError, match="has no two-factor authentication"):
        call_command("two_factor_off", "alice")
    with pytest.raises(CommandError, match="no account of the name bob"):
        call_command("two_factor_off", "bob")


def test_the_app_shows_its_codes_under_the_users_name(alices: Client) -> None:
    alices.post("/accounts/reauthenticate/", {"password": PASSWORD})
    url = alices.get(ACTIVATE).context["totp_url"]
    assert re.fullmatch(r"otpauth://totp/alice\?secret=[A-Z2-7]{32}&issuer=Banzuke", url)
