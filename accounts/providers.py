"""Sign-in by OpenID Connect and GitHub: which providers there are, and what of their answers is believed and kept."""

from __future__ import annotations

from typing import Any

import requests
import structlog
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.github.provider import GitHubProvider
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from common.validators import validate_username

log = structlog.get_logger(__name__)

PROVIDER_SECONDS = 5
"""How many seconds the site waits for one answer of a provider."""


class OpenIDUrls(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth brings no types
    """The URLs of one sign-in by OpenID Connect."""

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """Return the URL to which the provider sends users back, the same for each provider."""
        return request.build_absolute_uri(reverse("openid_callback"))

    @property
    def basic_auth(self) -> bool:
        """Whether the site sends its secret in a header: the rule of a provider that names no way (Discovery, 3)."""
        return "client_secret_post" not in self.openid_config.get("token_endpoint_auth_methods_supported", ())


class OpenID(OpenIDConnectProvider):  # type: ignore[misc]  # allauth brings no types
    """A provider that speaks OpenID Connect. Its identity (``app.provider_id``) is its URL.

    The attack: an arena changes to another provider, which calls somebody else by the number that the former one gave
    to an administrator. Accounts are found by provider and number.
    """

    oauth2_adapter_class = OpenIDUrls

    def get_login_url(self, request: HttpRequest, **kwargs: Any) -> str:
        """Return the URL that begins a sign-in."""
        return reverse("openid_login")

    def extract_uid(self, data: dict[str, Any]) -> str:
        """Return the number or name by which the provider knows the user.

        Raises:
            OAuth2Error: the answers name nobody, or two users (OpenID Connect Core, 5.3.2).
        """
        names = {part["sub"] for part in data.values() if part}
        if len(names) != 1:
            raise OAuth2Error("The provider's answers name different users.")
        return _uid(names.pop())

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        """Return the user's e-mail address, verified only if the provider says so.

        The attack: a provider lets its users type any address, and sends ``"email_verified": "false"``, which is true
        for Python. Some providers send the text ``"true"``.
        """
        claims = _claims(data)
        is_verified = claims.get("email_verified") in (True, "true")
        return [EmailAddress(email=email, verified=is_verified, primary=True)] if (email := claims.get("email")) else []

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return what is stored of the provider's answer: the name by which its owner sees the account."""
        claims = _claims(data)
        return {"name": str(claims.get("preferred_username") or claims.get("email") or claims["sub"])}


class GitHub(GitHubProvider):  # type: ignore[misc]  # allauth brings no types
    """GitHub as a provider of sign-in."""

    def extract_uid(self, data: dict[str, Any]) -> str:
        """Return the number of the user.

        Raises:
            OAuth2Error: the answer has none.
        """
        return _uid(data["id"])

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        """Return the user's primary e-mail address at GitHub in a list; [] if there is none."""
        addresses: list[EmailAddress] = super().extract_email_addresses(data)
        return [address for address in addresses if address.primary]

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return what is stored of the provider's answer: the name by which its owner sees the account."""
        return {"name": str(data.get("login") or data["id"])}


Provider = OpenID | GitHub


class _Session(requests.Session):
    """Requests to a provider, with a time limit."""

    def request(self, *args: Any, **options: Any) -> requests.Response:
        """Send a request and return the response."""
        return super().request(*args, **{"timeout": PROVIDER_SECONDS, **options})


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth brings no types
    """allauth's adapter, for the providers of the settings, with our rules for names and addresses."""

    error_messages = {
        **DefaultSocialAccountAdapter.error_messages,
        "no_password": gettext_lazy("Nobody could sign in to your account any more. Please set a password first."),
    }

    def list_providers(self, request: HttpRequest) -> list[Provider]:
        """Return the providers that the arena offers, without a query."""
        return [provider for name in PROVIDERS if (provider := provider_of(request, name))]

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Provider:
        """Return the provider whose class's id or own id ``provider`` is.

        One that the arena does not offer any more is made without its secrets, for accounts that are still connected.
        """
        for known in self.list_providers(request):
            if provider in (known.id, known.sub_id) and client_id in (None, known.app.client_id):
                return known
        if provider == GitHub.id:
            return GitHub(request, app=SocialApp(provider=GitHub.id, name=GitHub.name))
        app = SocialApp(provider=OpenID.id, provider_id=provider, name=provider, settings={"server_url": provider})
        return OpenID(request, app=app)

    def get_requests_session(self) -> requests.Session:
        """Return a session for requests to a provider."""
        return _Session()

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """Return the new user with a suggested user name and address, and nothing else, such as the real name."""
        user: User = sociallogin.user
        user.username = _name_suggested(str(data.get("username") or ""))
        user.email = sociallogin.email_addresses[0].email if sociallogin.email_addresses else ""
        return user

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> User:
        """Create the account and return it; of the provider's addresses it keeps only the one that the form has."""
        chosen = form.cleaned_data.get("email") if form else ""
        sociallogin.email_addresses = [known for known in sociallogin.email_addresses if known.email == chosen]
        user: User = super().save_user(request, sociallogin, form=form)
        return user

    def validate_disconnect(self, account: SocialAccount, accounts: Any) -> None:
        """Refuse to disconnect the last provider that the arena still offers from an account without a password.

        Raises:
            ValidationError: nobody could sign in to the account any more.
        """
        offered = _offered(self.request)
        others = accounts.exclude(pk=account.pk).filter(provider__in=offered)
        if account.provider in offered and not account.user.has_usable_password() and not others.exists():
            raise self.validation_error("no_password")

    def on_authentication_error(
        self, request: HttpRequest, provider: Provider, error: Any = None, exception: Any = None, **options: Any
    ) -> None:
        """Log why a sign-in has failed, and answer with the page that says what to do.

        Raises:
            ImmediateHttpResponse: holds this page, except if the user has cancelled.
        """
        if error == "cancelled":
            return
        is_away = isinstance(exception, requests.RequestException)
        log.warning("provider_failed", provider=provider.sub_id, away=is_away, error=repr(exception or error)[:500])
        page = {"provider": provider, "is_away": is_away}
        raise ImmediateHttpResponse(
            render(request, "socialaccount/authentication_error.html", page, status=503 if is_away else 401)
        )


def _offered(request: HttpRequest) -> list[str]:
    """Return the identities of the providers that the arena offers."""
    return [provider.sub_id for provider in ProviderAdapter().list_providers(request)]


def provider_of(request: HttpRequest, name: str) -> Provider | None:
    """Return a provider of ``PROVIDERS`` for a request, or None if the arena does not offer it."""
    if name == "github" and (chosen := settings.SIGN_IN_GITHUB):
        app = SocialApp(provider=GitHub.id, name=GitHub.name, client_id=chosen["client_id"], secret=chosen["secret"])
        return GitHub(request, app=app)
    if name == "openid" and (chosen := settings.SIGN_IN_OPENID):
        app = SocialApp(provider=OpenID.id, provider_id=chosen["url"], name=chosen["name"])
        app.client_id, app.secret, app.settings = chosen["client_id"], chosen["secret"], {"server_url": chosen["url"]}
        return OpenID(request, app=app)
    return None


PROVIDERS = ("openid", "github")
"""The names of the providers, as URLs have them."""


def address_verify(*, request: HttpRequest, sociallogin: Any, **options: Any) -> None:
    """Add the address that a provider has verified to the account that its owner has connected with the provider.

    A receiver of allauth's signal. An address that another account has verified stays with that account.
    """
    user = sociallogin.user
    for known in sociallogin.email_addresses:
        if known.verified and not EmailAddress.objects.is_verified(known.email):
            address, _created = EmailAddress.objects.get_or_create(user=user, email=known.email)
            address.set_verified()
            address.set_as_primary(conditional=True)


def provider_required(user: User) -> bool:
    """Return whether an account has neither a password nor a second factor, but a provider that the arena offers."""
    if get_account_adapter().get_reauthentication_methods(user):
        return False
    return bool(SocialAccount.objects.filter(user=user, provider__in=_offered(context.request)).exists())


def address_taken(provider: str) -> str:
    """Return the sentence for a reader who owns an address with which there is an account already."""
    return _(
        "You have an account with this address already. Sign in to it and connect it with %(provider)s, or leave the"
        " address out."
    ) % {"provider": provider}


def _uid(known_as: object) -> str:
    """Return the number or name by which a provider knows a user, as a text.

    The attack: a provider answers null for several users, and all of them get the account "None".

    Raises:
        OAuth2Error: ``known_as`` is neither a number nor a text, or is empty.
    """
    if not isinstance(known_as, str | int) or not str(known_as):
        raise OAuth2Error("The provider's answer names nobody.")
    return str(known_as)


def _claims(data: dict[str, Any]) -> dict[str, Any]:
    claims: dict[str, Any] = data.get("userinfo") or data["id_token"]
    return claims


def _name_suggested(name: str) -> str:
    """Return the name that a provider knows, without the domain of an address; empty if it is not allowed here."""
    name = name.partition("@")[0]
    try:
        validate_username(name)
    except ValidationError:
        return ""
    return name
