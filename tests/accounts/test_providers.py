"""Sign-in by GitHub, at a stand-in for its servers, and what holds for every provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.services.closing import account_close
from tests.serving import QuietHandler, serving
from tests.visitors import is_in, signed_in

pytestmark = pytest.mark.django_db

LOGIN, CALLBACK, SIGN_UP = "/accounts/github/login/", "/accounts/github/callback/", "/accounts/connections/signup/"
ADDRESSES = [
    {"email": "octo@work.example", "primary": False, "verified": True},
    {"email": "octo@example.com", "primary": True, "verified": True},
]
ANSWERS = {
    "/token": {"access_token": "a token"},
    "/user": {"id": 42, "login": "octo", "name": "Real Name", "email": "public@example.com"},
    "/emails": ADDRESSES,
}


class GitHubServer(QuietHandler):
    """Answers as GitHub does to each code and token."""

    def respond(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(json.dumps(ANSWERS[self.path]).encode(), kind="application/json")


@pytest.fixture
def github(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """GitHub is offered, and its servers are a stand-in."""
    settings.SIGN_IN_GITHUB = {"client_id": "an id", "secret": "a secret"}
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), GitHubServer)) as url:
        for name, path in {"access_token_url": "token", "profile_url": "user", "emails_url": "emails"}.items():
            monkeypatch.setattr(GitHubOAuth2Adapter, name, f"{url}/{path}")
        yield


def come_back(client: Client, **fields: str) -> object:
    """Begin to sign in, and return the page to which GitHub sends the user back."""
    leaving = client.post(LOGIN, fields)
    state = parse_qs(urlsplit(leaving.context["url"]).query)["state"][0]
    return client.get(CALLBACK, {"code": "a code", "state": state}, follow=True)


def test_github_signs_up_and_in(client: Client, github: None) -> None:
    come_back(client, next="/mine/")
    created = client.post(SIGN_UP, {"username": "octo", "email": "octo@example.com"})
    assert created.headers["Location"] == "/mine/"
    octo = User.objects.get()
    assert (octo.username, octo.first_name, octo.last_name) == ("octo", "", "")
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("octo@example.com", True)]
    assert SocialAccount.objects.get().extra_data == {"name": "octo"}
    other = Client()
    come_back(other)
    assert is_in(other)


def test_an_address_that_the_user_leaves_out_is_not_kept(client: Client, github: None) -> None:
    come_back(client)
    client.post(SIGN_UP, {"username": "octo", "email": ""})
    assert User.objects.get().email == ""
    assert not EmailAddress.objects.exists()


def test_another_address_than_the_verified_one_is_not_verified(client: Client, github: None) -> None:
    come_back(client)
    client.post(SIGN_UP, {"username": "octo", "email": "other@example.com"})
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("other@example.com", False)]


def test_a_verified_address_never_signs_in_to_the_account_that_has_it(
    client: Client, github: None, alice: User
) -> None:
    """The attack: a provider hands over somebody else's account, since it says that its user has the address."""
    EmailAddress.objects.create(user=alice, email="octo@example.com", primary=True, verified=True)
    come_back(client)
    assert not is_in(client)
    assert not SocialAccount.objects.exists()


def test_connecting_adds_the_verified_address(github: None, alice: User, settings: Settings) -> None:
    settings.ACCOUNT_REAUTHENTICATION_REQUIRED = False
    come_back(signed_in(alice), process="connect")
    assert SocialAccount.objects.get().user == alice
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [("octo@example.com", True, True)]


@pytest.mark.parametrize("next_url", ["https://evil.example/", "//evil.example/"])
def test_a_sign_in_leads_to_pages_of_this_site_only(client: Client, github: None, alice: User, next_url: str) -> None:
    SocialAccount.objects.create(user=alice, provider="github", uid="42")
    ended = come_back(client, next=next_url)
    assert ended.redirect_chain == [("/", 302)]  # type: ignore[attr-defined]  # of Django's test client


def test_a_closed_sign_up_and_a_disabled_account_stay_closed(
    client: Client, github: None, alice: User, settings: Settings
) -> None:
    settings.SIGN_UP_CLOSED = True
    assert "the sign up is currently closed" in come_back(client).content.decode()  # type: ignore[attr-defined]
    assert "the sign up is currently closed" not in client.get(SIGN_UP, follow=True).text
    SocialAccount.objects.create(user=alice, provider="github", uid="42")
    come_back(client)
    assert is_in(client)
    User.objects.update(is_active=False)
    other = Client()
    come_back(other)
    assert not is_in(other)


def test_sign_ins_and_sign_ups_are_limited(client: Client, github: None, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip", "signup": "1/h/ip"}
    come_back(client)
    assert client.post(LOGIN).status_code == 429
    assert [client.post(SIGN_UP, {"username": "a b"}).status_code for _ in range(2)] == [200, 429]


def test_an_answer_that_nobody_asked_for_is_refused_in_a_sentence(client: Client, github: None) -> None:
    """The attack: a link signs its reader in to the attacker's account, who then sees what is uploaded there."""
    refused = client.get(CALLBACK, {"code": "a code", "state": "made up"})
    assert refused.status_code == 401
    assert "did not confirm who you are" in refused.text


@pytest.mark.parametrize("answer", [{"id": None}, {}, [], "x"])
def test_an_answer_that_cannot_be_read_is_told_in_a_sentence(
    client: Client, github: None, answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ANSWERS, "/user", answer)
    monkeypatch.setitem(ANSWERS, "/emails", [])
    page = come_back(client)
    assert "did not confirm who you are" in page.content.decode()  # type: ignore[attr-defined]


def test_closing_an_account_disconnects_it(alice: User) -> None:
    SocialAccount.objects.create(user=alice, provider="github", uid="42", extra_data={"name": "octo"})
    account_close(user=alice, actor=alice)
    assert not SocialAccount.objects.exists()


def test_nothing_is_shown_of_providers_that_are_not_offered(client: Client, alice: User) -> None:
    assert "Without a password" not in client.get("/accounts/login/").text
    assert "Ways to sign in" not in signed_in(alice).get("/mine/").text
    assert {client.post(url).status_code for url in (LOGIN, CALLBACK, "/accounts/openid/login/")} == {404}


def test_a_provider_that_is_no_longer_offered_can_be_disconnected_only(alice: User, settings: Settings) -> None:
    """The attack: another provider calls somebody else by the number of the former one."""
    settings.ACCOUNT_REAUTHENTICATION_REQUIRED = False
    old = SocialAccount.objects.create(user=alice, provider="https://old.example", uid="1", extra_data={"name": "al"})
    browser = signed_in(alice)
    assert "https://old.example" in browser.get("/accounts/connections/").text
    browser.post("/accounts/connections/", {"account": old.pk})
    assert not SocialAccount.objects.exists()


def test_saving_an_account_without_a_password_ends_no_session(alice: User) -> None:
    alice.set_unusable_password()
    alice.save()
    browser = signed_in(alice)
    User.objects.get().save()
    assert is_in(browser)
