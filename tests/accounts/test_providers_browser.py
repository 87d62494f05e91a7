"""Sign-in by OpenID Connect in a real browser, at a real provider in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.selectors.users import verified_domains
from tests.accounts.openid import OpenIDProvider, agree, openid_running
from tests.browsing import EACH_LANGUAGE, confirm, expect_fits, expect_fits_and_is_accessible, sign_in
from tests.two_factor import code_now, two_factor_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIDProvider]:
    with openid_running(tmp_path_factory.mktemp("provider")) as provider:
        yield provider


@pytest.fixture
def school(running: OpenIDProvider, settings: Settings, live_server: LiveServer, page: Page) -> OpenIDProvider:
    """A provider that the arena offers, where 17 is Carol and has a verified address."""
    page.route(re.compile("^https:"), lambda route: route.fulfill(content_type="text/css"))  # its page's style sheet
    running.register(settings, live_server.url)
    running.user("17", preferred_username="carol", email="Carol@School.example", email_verified=True, name="Carol Real")
    return running


def begin(page: Page, sub: str = "17", url: str = "/accounts/login/") -> None:
    """Sign in by the provider."""
    page.goto(url)
    page.get_by_role("button", name="Continue with School").click()
    agree(page, sub)


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()


def test_sign_up_sign_in_again_and_disconnect(page: Page, school: OpenIDProvider) -> None:
    begin(page, url="/accounts/signup/?next=/mine/")
    expect(page.get_by_role("heading", name="Choose a user name")).to_be_visible()
    expect(page.get_by_label("Username")).to_have_value("carol")
    expect(page.get_by_label("Email")).to_have_value("carol@school.example")
    page.get_by_label("Username").fill("a b")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("Please choose a user name").first).to_be_visible()
    page.get_by_label("Username").fill("caz")
    page.get_by_role("button", name="Sign up").click()
    expect(page).to_have_url(f"{page.url.partition('/accounts/')[0].removesuffix('/mine/')}/mine/")
    carol = User.objects.get()
    assert (carol.username, carol.first_name, carol.has_usable_password()) == ("caz", "", False)
    assert verified_domains(user=carol) == {"school.example"}
    assert SocialAccount.objects.get().extra_data == {"name": "carol"}, "nothing else is kept"

    sign_out(page)
    begin(page)
    page.get_by_role("link", name="caz").click()
    page.get_by_role("link", name="Ways to sign in").click()
    page.get_by_role("button", name="Disconnect School").click()
    expect(page.get_by_text("Nobody could sign in to your account any more.")).to_be_visible()
    page.get_by_role("link", name="Set a password").click()
    page.get_by_label("Password:").fill("a long and winding road")
    page.get_by_label("Password (again)").fill("a long and winding road")
    page.get_by_role("button", name="Set Password").click()
    page.goto("/accounts/connections/")
    page.get_by_role("button", name="Disconnect School").click()
    page.get_by_label("Password").fill("a long and winding road")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("The third-party account has been disconnected.")).to_be_visible()
    assert not SocialAccount.objects.exists()
    assert "carol@school.example" in [address for sent in mail.outbox for address in sent.to]


@pytest.mark.test_all
def test_an_account_is_connected_by_its_owner_alone(page: Page, school: OpenIDProvider, alice: User) -> None:
    """The attack: a provider's user has, or claims to have, the address of somebody else's account."""
    EmailAddress.objects.create(user=alice, email="carol@school.example", primary=True, verified=True)
    begin(page)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("You have an account with this address already.")).to_be_visible()
    assert not SocialAccount.objects.exists()

    sign_in(page)
    page.goto("/accounts/connections/")
    page.get_by_role("button", name="Connect with School").click()
    confirm(page)
    agree(page, "17")
    expect(page.get_by_text("The third-party account has been connected.")).to_be_visible()
    assert SocialAccount.objects.get().user == alice
    sign_out(page)
    two_factor_on(alice)
    begin(page)
    page.get_by_label("Code").fill(code_now(alice))
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_role("link", name="alice")).to_be_visible()


@pytest.mark.test_all
@pytest.mark.parametrize("said", [False, "false", None])
def test_an_address_that_the_provider_has_not_verified_proves_nothing(
    page: Page, school: OpenIDProvider, alice: User, said: object
) -> None:
    """The attack: somebody types alice's address at a provider that lets its users type any."""
    EmailAddress.objects.create(user=alice, email="alice@school.example", primary=True, verified=True)
    claims = {} if said is None else {"email_verified": said}
    school.user("666", preferred_username="alice", email="alice@school.example", **claims)
    begin(page, "666")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("A user with that username already exists.")).to_be_visible()
    page.get_by_label("Username").fill("mallory")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name="mallory")).to_be_visible()
    assert verified_domains(user=User.objects.get(username="mallory")) == set()
    assert SocialAccount.objects.get().user.username == "mallory"


@pytest.mark.test_all
def test_a_user_without_a_password_signs_in_again_before_critical_actions(
    page: Page, school: OpenIDProvider, settings: Settings
) -> None:
    begin(page)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name="carol")).to_be_visible()
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    page.goto("/accounts/password/set/")
    expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    page.get_by_role("button", name="Continue with School").click()
    page.wait_for_url(re.compile("prompt=login"))
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
    agree(page, "17")
    expect(page.get_by_role("button", name="Set Password")).to_be_visible()


@pytest.mark.test_all
def test_a_visitor_who_refuses_at_the_provider_stays_outside(page: Page, school: OpenIDProvider) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Continue with School").click()
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_text("You have stopped the sign-in")).to_be_visible()
    page.get_by_role("link", name="begin again").click()
    expect(page.get_by_role("button", name="Continue with School")).to_be_visible()


@pytest.mark.test_all
def test_a_provider_that_is_down_is_told_in_a_sentence(
    browser: Browser, live_server: LiveServer, school: OpenIDProvider, settings: Settings
) -> None:
    settings.SIGN_IN_OPENID = {**settings.SIGN_IN_OPENID, "url": "http://127.0.0.1:9"}
    context = browser.new_context(base_url=live_server.url)  # its console shows the status 503
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Continue with School").click()
    expect(page.get_by_role("heading", name="School does not answer")).to_be_visible()
    context.close()


@EACH_LANGUAGE
def test_every_page_is_accessible_and_fits(page: Page, school: OpenIDProvider, language: str) -> None:
    begin(page)
    page.set_extra_http_headers({"Accept-Language": language})
    urls = ["login/", "signup/", "connections/signup/", "connections/cancelled/"]
    expect_pages(page, urls, language)
    page.goto("/accounts/connections/signup/")
    page.locator("main form button").click()
    expect(page.locator(".nav-user")).to_be_visible()
    expect_pages(page, ["connections/", "connections/confirm/?next=/mine/"], language)


def expect_pages(page: Page, urls: list[str], language: str) -> None:
    for url in urls:
        page.goto(f"/accounts/{url}")
        if language == "en":
            expect_fits_and_is_accessible(page)
        else:
            expect_fits(page, 1280)
            expect_fits(page, 360)
