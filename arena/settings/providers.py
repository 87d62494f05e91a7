"""The settings of providers of sign-in: OpenID Connect, and GitHub."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_DISCOVERY = "/.well-known/openid-configuration"
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
_URL_CHARS_MAX = 200
"""The length of the database's column, which holds the URL as the name of a provider."""


def openid_connect(*, url: str, client_id: str, secret: str, name: str) -> dict[str, str]:
    """Return the setting ``SIGN_IN_OPENID`` of the four variables of OpenID Connect; empty if none of them is set.

    Raises:
        ImproperlyConfigured: some of them are missing, or the URL is none of a provider.
    """
    if not (url or client_id or secret or name):
        return {}
    if not (url and client_id and secret):
        raise ImproperlyConfigured(
            "OIDC_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: give all three, or none."
        )
    issuer = url.removesuffix(_DISCOVERY).rstrip("/")
    host = _host_of(issuer)
    return {"url": issuer, "client_id": client_id, "secret": secret, "name": name or host}


def github(*, client_id: str, secret: str) -> dict[str, str]:
    """Return the setting ``SIGN_IN_GITHUB`` of the two variables of GitHub; empty if none of them is set.

    Raises:
        ImproperlyConfigured: one of them is missing.
    """
    if not (client_id or secret):
        return {}
    if not (client_id and secret):
        raise ImproperlyConfigured("GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together: give both, or none.")
    return {"client_id": client_id, "secret": secret}


def _host_of(issuer: str) -> str:
    """Return the host of a provider's URL.

    The attack: between the site and a provider without TLS somebody answers in the provider's place, and signs in as
    any user.

    Raises:
        ImproperlyConfigured: it is no URL, or one without TLS to another machine.
    """
    try:
        parts = urlsplit(issuer)
        host = parts.hostname or ""
    except ValueError:  # a bracket that is not closed
        raise ImproperlyConfigured("OIDC_URL is no URL; write it as https://login.example.") from None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOCAL_HOSTS)
    if not (host and is_safe) or parts.query or parts.fragment or len(issuer) > _URL_CHARS_MAX:
        raise ImproperlyConfigured(
            "OIDC_URL is no URL of a provider; write it as https://login.example or https://login.example/realms/club."
        )
    return host
