"""Pages of allauth that we change: turning on two-factor authentication, and sign-in by a provider."""

from __future__ import annotations

from typing import Any

import requests
from allauth.account.decorators import reauthentication_required
from allauth.account.utils import get_next_redirect_url
from allauth.core.ratelimit import consume_or_429
from allauth.mfa.totp.views import activate_totp
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2Adapter, OAuth2CallbackView
from allauth.socialaccount.views import signup
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from accounts.providers import Provider, provider_of

_UNREADABLE = (OAuth2Error, requests.RequestException, ImproperlyConfigured, KeyError, TypeError, ValueError)
"""What allauth raises when a provider is away, or answers something that it cannot read."""


# The attack: on a shared machine somebody presses Back after the owner has signed out, and reads the secret.
@never_cache
def totp_activate(request: HttpRequest) -> HttpResponse:
    """Turn two-factor authentication on; a second click shows the recovery codes that the first click has created."""
    try:
        with transaction.atomic():
            response: HttpResponse = activate_totp(request)
            return response
    except IntegrityError:
        return redirect("mfa_view_recovery_codes")


def _connects(request: HttpRequest) -> bool:
    """Return whether a request is to connect a provider with the account that is signed in."""
    return request.POST.get("process") == "connect" and request.user.is_authenticated


@never_cache
@reauthentication_required(enabled=_connects, app="allauth.socialaccount")  # type: ignore[untyped-decorator] # allauth brings no types
def provider_login(request: HttpRequest, name: str) -> HttpResponse:
    """Begin to sign in by a provider (POST), or to connect it with the account that is signed in (``process``)."""
    provider = _provider(request, name)
    if request.method != "POST":
        return redirect("account_login")
    limited: HttpResponse | None = consume_or_429(request, action="login")
    if limited:
        return limited
    process = "connect" if _connects(request) else "login"
    options: dict[str, Any] = {"next_url": get_next_redirect_url(request), "auth_params": provider.get_auth_params()}
    if "again" in request.POST:
        options["auth_params"]["prompt"] = "login"  # the provider asks for the password, even if it knows the browser
    try:
        response: HttpResponse = provider.redirect(request, process, **options)
    except _UNREADABLE as error:
        return _failure(request, provider, error)
    # No redirect: browsers let a form lead only to places that `form-action` of our policy names, which are our own
    # pages, and a provider may send its users from one of its sites to the next.
    leaving = {"provider": provider, "url": response.headers["Location"]}
    return render(request, "socialaccount/leave.html", leaving) if "Location" in response.headers else response


@never_cache
def provider_callback(request: HttpRequest, name: str) -> HttpResponse:
    """Go on after a provider has sent a user back: sign in, connect, or ask a new user for a name."""
    provider = _provider(request, name)
    if request.GET.get("error") == OAuth2Adapter.login_cancelled_error:  # some send it without the state
        return redirect("socialaccount_login_cancelled")
    try:
        response: HttpResponse = OAuth2CallbackView.adapter_view(provider.get_oauth2_adapter(request))(request)
    except _UNREADABLE as error:
        return _failure(request, provider, error)
    return response


@never_cache
@login_required
def provider_confirm(request: HttpRequest) -> HttpResponse:
    """Ask a user without a password to sign in by a provider again, before a critical action."""
    return render(request, "socialaccount/confirm.html", {"next": get_next_redirect_url(request) or ""})


@never_cache
def provider_sign_up(request: HttpRequest) -> HttpResponse:
    """Ask for the user name of a new user whom a provider has named; limited as other sign-ups."""
    limited: HttpResponse | None = consume_or_429(request, action="signup") if request.method == "POST" else None
    response: HttpResponse = limited or signup(request)
    return response


def _provider(request: HttpRequest, name: str) -> Provider:
    """Return a provider.

    Raises:
        Http404: the arena does not offer it.
    """
    if provider := provider_of(request, name):
        return provider
    raise Http404


def _failure(request: HttpRequest, provider: Provider, error: Exception) -> HttpResponse:
    response: HttpResponse = render_authentication_error(request, provider, exception=error)
    return response
