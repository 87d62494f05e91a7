"""What allauth does otherwise in this arena: visitors' addresses, guesses, new passwords, mails."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import consume  # the public one gives no guess back
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.known_devices import address_is_known, address_remember, device_is_known, device_remember, guesses_key
from accounts.mails import HEADERS, MailUnsent, mail_sending, public_host, public_url
from common.visitors import visitor_of

UNKNOWN = "unknown"
"""In the place of an address: a proxy has written none, or what is none."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth brings no types
    """allauth's, with browsers that are known, and a mail server that may be away."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say whether anybody may make an account."""
        return not settings.SIGN_UP_CLOSED

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """Answer whoever has signed in, and know the browser the next time."""
        response: HttpResponse = super().post_login(request, user, **options)
        device_remember(response, username=user.get_username())
        return response

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a guess, in allauth's place: for the account from this address, and for all strangers together.

        Not by what the request calls this site, as allauth does. The attack: from many addresses, each guess with
        another port behind the site's name, so that each is counted apart.

        The attacks: five wrong passwords of anybody keep the owner out, everywhere; or somebody guesses from thousands
        of addresses. The owner comes in all the same from where he has signed in before.

        Raises:
            ValidationError: there were too many.
        """
        username = credentials.get("username", "")
        key = guesses_key(request, key=f"{username.lower()} {visitor_of(request)}", username=username)
        self._guess = consume(request, app="allauth.account", action="login_failed", key=key)
        if not self._guess:
            raise self.validation_error("too_many_login_attempts")
        if device_is_known(request, username=username) or address_is_known(request, username=username):
            return
        if not consume(request, app="allauth.account", action="login_strangers", key=username.lower()):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return who has this name and password, None for nobody, and know the address the next time."""
        user = super().authenticate(request, **credentials)
        if user:
            self._guess.rollback()
            address_remember(request, username=user.get_username())
        return user

    def set_password(self, user: Any, password: str) -> None:
        """Set a password, and save nothing else of an account that was read before the old one was checked.

        The attack it stops: whoever was turned off, or was made no administrator any more, in the second that hashing
        takes, was what he had been before.
        """
        user.set_password(password)
        user.save(update_fields=["password"])

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return a visitor's address, one of IPv4 as such; ``common.visitors`` says how limits count it.

        A proxy that listens on both may write it as one of IPv6 (``::ffff:192.0.2.1``), of which whole networks are
        counted as one visitor: the whole of IPv4 would be one. All whose address a proxy does not tell are one, too.
        """
        try:
            address = ip_address(super().get_client_ip(request))
        except PermissionDenied:
            return UNKNOWN
        return str((address.version == 6 and address.ipv4_mapped) or address)

    def format_email_subject(self, subject: str) -> str:
        """Return the subject of a mail, with this site's name before it."""
        return f"[{public_host()}] {subject}"

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Return a mail, with the headers of all of ours."""
        mail: EmailMessage = super().render_mail(
            template_prefix, email, context, headers={**HEADERS, **(headers or {})}
        )
        return mail

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail.

        Raises:
            ImmediateHttpResponse: it cannot be sent now; the page that says so. An address that nobody has gets a mail,
                too, so that the page tells nobody which addresses there are.
        """
        try:
            with mail_sending(template_prefix):
                super().send_mail(template_prefix, email, _publicly(context))
        except MailUnsent as error:
            raise ImmediateHttpResponse(render(self.request, "mail_unsent.html", status=503)) from error

    def send_notification_mail(self, *args: Any, **options: Any) -> None:
        """Tell of a change of an account by mail, if it has an address.

        The change is made by then: a notice that cannot be sent stands in the log, and undoes nothing.
        """
        with suppress(ImmediateHttpResponse):
            super().send_notification_mail(*args, **options)


def _publicly(context: dict[str, Any]) -> dict[str, Any]:
    """Return what a mail tells, with this site's public name and addresses."""
    addresses = {name: public_url(value) for name, value in context.items() if name.endswith("_url")}
    host = public_host()
    return {**context, **addresses, "current_site": {"name": host, "domain": host}}
