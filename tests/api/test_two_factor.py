"""Two-factor authentication when programs log in."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from knox.models import AuthToken
from pytest_django import Settings

from accounts.models import User
from arena.settings import base
from tests.ladder.makers import make_user, make_version
from tests.two_factor import code_now, code_wrong, two_factor_on

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def codes(alice: User) -> list[str]:
    return two_factor_on(alice)


def login(password: str = PASSWORD, **code: str) -> Any:
    sent = {"username": "alice", "password": password, **code}
    return Client().post("/api/v1/login/", sent, content_type="application/json")


@pytest.mark.parametrize("code", [{}, {"code": ""}])
def test_a_password_alone_makes_no_token(codes: list[str], code: dict[str, str]) -> None:
    problem = login(**code).json()
    assert (problem["status"], problem["type"]) == (422, "/api/#code-wanted")
    assert problem["detail"].startswith("This account has two-factor authentication. Send the code")
    assert not AuthToken.objects.exists()


def test_a_code_with_a_wrong_password_reveals_nothing(alice: User, codes: list[str]) -> None:
    for code in (code_now(alice), ""):
        assert "do not belong together" in login("wrong", code=code).json()["detail"]


def test_a_code_of_the_app_or_a_recovery_code_makes_a_token_once(alice: User, codes: list[str]) -> None:
    for code in (code_now(alice), codes[0]):
        assert [login(code=code).status_code for _ in range(2)] == [201, 422]
    assert AuthToken.objects.count() == 2


def test_guesses_are_counted_together_with_those_at_the_site(
    alice: User, codes: list[str], client: Client, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    for _ in range(3):
        client.post("/accounts/2fa/authenticate/", {"code": code_wrong(alice)})
    assert [login(code=code_wrong(alice)).json()["detail"] for _ in range(2)] == ["Incorrect code."] * 2
    assert "Too many failed login attempts" in login(code=code_now(alice)).json()["detail"]
    assert not AuthToken.objects.exists()


def test_a_user_without_two_factor_authentication_sends_no_code(alice: User) -> None:
    assert login().status_code == 201
    assert login(code="123456").status_code == 201


def test_administrators_are_told_to_set_it_up_where_they_need_it(settings: Settings) -> None:
    staff = make_user("chief", is_staff=True)
    _, token = AuthToken.objects.create(user=staff)
    sent = {"Authorization": f"Bearer {token}"}
    probation = make_version(state="probation")
    settings.ADMIN_MFA_REQUIRED = True
    refused = Client().get("/api/v1/fleet/", headers=sent).json()
    assert (refused["status"], refused["type"]) == (403, "/api/#forbidden")
    assert refused["detail"].startswith("Administrators of this arena need two-factor authentication.")
    assert Client().post(f"/api/v1/versions/{probation.pk}/resume/", headers=sent).status_code == 404
    assert Client().get("/api/v1/account/", headers=sent).status_code == 200
    two_factor_on(staff)
    assert Client().get("/api/v1/fleet/", headers=sent).status_code == 200
    assert Client().post(f"/api/v1/versions/{probation.pk}/resume/", headers=sent).status_code == 200
