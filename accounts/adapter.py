"""allauth's adapter, with our own rules for IP addresses, wrong passwords, new passwords and mails."""

from __future__ import annotations

import time
from contextlib import suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlencode

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.known_devices import address_is_known, address_remember, device_is_known, device_remember, guesses_key
from accounts.mails import HEADERS, MailUnsent, mail_sending, public_host, public_url
from accounts.one_time import wanted_page
from accounts.providers import provider_required
from common.limits import action_count
from common.visitors import visitor_of

UNKNOWN = "unknown"
"""Stands for the IP address of a visitor if the proxy has written none, or something that is no IP address."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth brings no types
    """allauth's adapter, which knows browsers of earlier sign-ins, and goes on when the mail server is away."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether visitors may create accounts."""
        return not settings.SIGN_UP_CLOSED

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """Return the response to a sign-in, with a cookie by which the browser is known the next time."""
        response: HttpResponse = super().post_login(request, user, **options)
        device_remember(response, username=user.get_username())
        return response

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in, instead of allauth: by account and IP address, and for all strangers together.

        A browser or IP address from which the owner has signed in before is no stranger. So two attacks fail: somebody
        types five wrong passwords to keep the owner out everywhere; or somebody guesses from thousands of addresses.

        The name by which the request calls this site is no part of the key, as it is in allauth. The attack: somebody
        sends each guess with another port after the site's name, so that each is counted alone.

        Raises:
            ValidationError: there were too many attempts.
        """
        username = credentials.get("username", "")
        key = guesses_key(request, key=f"{username.lower()} {visitor_of(request)}", username=username)
        self._guess = action_count(request=request, action="login_failed", key=key)
        if not self._guess:
            raise self.validation_error("too_many_login_attempts")
        if device_is_known(request, username=username) or address_is_known(request, username=username):
            return
        if not action_count(request=request, action="login_strangers", key=username.lower()):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the user with this name and password, or None; remember the IP address of a right password."""
        user = super().authenticate(request, **credentials)
        if user:
            self._guess.rollback()
            address_remember(request, username=user.get_username())
        return user

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Return whether a critical action needs a confirmation, which allauth asks for if this browser gave none.

        The attack: at a browser left open somebody sets a password for an account that signs in by a provider. allauth
        asks for passwords and codes only, and would let those pass that have neither.

        Raises:
            ImmediateHttpResponse: leads such users to the page on which they sign in by the provider again.
        """
        request = self.request
        if is_sign_in_old(request) and provider_required(request.user):
            url = f"{reverse('provider_confirm')}?{urlencode({'next': request.get_full_path()})}"
            raise ImmediateHttpResponse(redirect(url))
        is_required: bool = super().is_reauthentication_required(app=app, **options)
        return is_required

    def set_password(self, user: Any, password: str) -> None:
        """Set a password, and save no other field.

        The attack it stops: an account is disabled, or loses its administrator's rights, while its new password is
        being hashed. To save all fields, as they were read before, would undo that.
        """
        user.set_password(password)
        user.password_once = False
        user.save(update_fields=["password", "password_once"])

    def clean_password(self, password: str, user: Any = None) -> str:
        """Check a new password, which cannot be the one-time password that it replaces.

        Raises:
            ValidationError: the password is too weak, or the same.
        """
        cleaned: str = super().clean_password(password, user)
        if user is not None and user.password_once and user.check_password(cleaned):
            raise ValidationError(_("Please choose another password than the one that was made for you."))
        return cleaned

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return the url to go to after a change of password: the page that a one-time password kept the user from."""
        return wanted_page(request) or str(super().get_password_change_redirect_url(request))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the IP address of a visitor; ``UNKNOWN`` if a proxy does not name it; all of those share limits.

        An IPv4 address that a proxy writes in IPv6 form (``::ffff:192.0.2.1``) is returned as IPv4. Limits count a
        whole IPv6 network as one visitor (``common.visitors``), and all of IPv4 would be one network.
        """
        try:
            address = ip_address(super().get_client_ip(request))
        except PermissionDenied:
            return UNKNOWN
        return str((address.version == 6 and address.ipv4_mapped) or address)

    def format_email_subject(self, subject: str) -> str:
        """Return the subject of a mail, with the name of this site before it."""
        return f"[{public_host()}] {subject}"

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Return a mail with ``HEADERS``, which all our mails have."""
        mail: EmailMessage = super().render_mail(
            template_prefix, email, context, headers={**HEADERS, **(headers or {})}
        )
        return mail

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail.

        Raises:
            ImmediateHttpResponse: the mail cannot be sent now; holds the page that says so. That page gives away no
                account: allauth sends a mail to unknown addresses, too.
        """
        try:
            with mail_sending(template_prefix):
                super().send_mail(template_prefix, email, _with_public_urls(context))
        except MailUnsent as error:
            raise ImmediateHttpResponse(render(self.request, "mail_unsent.html", status=503)) from error

    def send_notification_mail(self, *args: Any, **options: Any) -> None:
        """Send a mail about a change of an account, if the account has an e-mail address.

        The change has been made before. A mail that cannot be sent is logged, and the change stays.
        """
        with suppress(ImmediateHttpResponse):
            super().send_notification_mail(*args, **options)


def is_sign_in_old(request: HttpRequest) -> bool:
    """Return whether the last sign-in or confirmation in this session was too long ago for a critical action."""
    times: list[float] = [record["at"] for record in get_authentication_records(request, request.user)]
    return time.time() - max(times, default=0) > float(app_settings.REAUTHENTICATION_TIMEOUT)


def _with_public_urls(context: dict[str, Any]) -> dict[str, Any]:
    """Return the template context of a mail, with public URLs and the public name of this site."""
    urls = {name: public_url(value) for name, value in context.items() if name.endswith("_url")}
    host = public_host()
    return {**context, **urls, "current_site": {"name": host, "domain": host}}
