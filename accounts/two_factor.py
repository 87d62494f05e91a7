"""Two-factor authentication: allauth's, with secrets that no dump shows, and codes that nobody guesses or replays."""

from __future__ import annotations

import base64
from typing import Any

import qrcode
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.core.ratelimit import clear, consume
from allauth.mfa import app_settings
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_reset
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from qrcode.image.svg import SvgPathFillImage

from accounts.known_devices import guesses_key
from accounts.models import User
from accounts.services.accounts import account_sessions_end
from common.errors import InputError


class TwoFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth brings no types
    """allauth's, with secrets encrypted.

    The attack it stops: whoever gets hold of a backup or a dump makes the codes of all administrators.
    """

    def get_totp_label(self, user: User) -> str:
        """Return under which name the authenticator app keeps an account."""
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as an element of HTML: the content security policy knows no images in addresses."""
        drawn: str = qrcode.make(url, image_factory=SvgPathFillImage).to_string(encoding="unicode")
        return drawn

    def encrypt(self, text: str) -> str:
        """Return a secret as the database keeps it."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret that the database kept.

        Raises:
            InvalidToken: it was encrypted under another SECRET_KEY.
        """
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> Fernet:
    key = salted_hmac(__name__, "secrets", secret=settings.SECRET_KEY, algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


class _CodeForm(BaseAuthenticateForm):  # type: ignore[misc]  # allauth brings no types
    """A code that is asked for: allauth's limit for minutes, and one for a day; none is taken twice.

    The attacks: somebody has the password and tries codes from many addresses, for months; or has seen a code typed; or
    tries wrong ones to keep the owner out. Against the last, browsers in which the owner has been signed in are counted
    apart. Of a million codes three are right: by 20 guesses a day one is found within a year with a chance of 2 %, and
    from a known browser with another 2 %.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _(
            "Without your phone, type one of your recovery codes. If they are lost, too, please ask an administrator."
        )

    def clean_code(self) -> str:
        """Return the code.

        Raises:
            ValidationError: it is wrong, or was used before; there were too many wrong ones; nobody could tell.
        """
        account = guesses_key(context.request, key=str(self.user.pk), username=self.user.get_username())
        if not consume(context.request, action="code", key=account):
            raise get_account_adapter().validation_error("too_many_login_attempts")
        try:
            code: str = super().clean_code()
        except InvalidToken as error:
            raise ValidationError(
                _(
                    "The arena cannot read the key of your authenticator app any more. Please ask an administrator to"
                    " turn off two-factor authentication for your account."
                )
            ) from error
        if self.authenticator.type == Authenticator.Type.TOTP and not self._is_new(code):
            raise get_adapter().validation_error("incorrect_code")
        clear(context.request, action="code", key=account)
        return code

    def _is_new(self, code: str) -> bool:
        # allauth forgets used codes after one period, and takes those of the periods around.
        taken_seconds = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        key = f"two_factor.used:{self.user.pk}:{''.join(filter(str.isdigit, code))}"
        return bool(cache.add(key, True, timeout=taken_seconds))


class SignInCodeForm(_CodeForm, AuthenticateForm):  # type: ignore[misc]  # allauth brings no types
    """The code after the password."""


class ConfirmCodeForm(_CodeForm, ReauthenticateForm):  # type: ignore[misc]  # allauth brings no types
    """The code before what needs it once more."""


def code_check(*, user: User, code: str) -> None:
    """Take a code of an authenticator app, or a recovery code, from a program; counted as at the site's form.

    Raises:
        InputError: it is wrong, or there were too many wrong ones.
    """
    form: Any = SignInCodeForm(user=user, data={"code": code})
    if not form.is_valid():
        raise InputError(" ".join(form.errors["code"]))
    form.authenticator.record_usage()


def other_sessions_end(
    *, request: HttpRequest, user: User, authenticator: Authenticator, signal: Signal, **options: Any
) -> None:
    """End all sessions of an account whose second factors have changed, but for the one in which they were.

    Recovery codes come and go with the app, of which allauth tells as well, unless they are made anew.
    """
    if authenticator.type == Authenticator.Type.RECOVERY_CODES and signal is not authenticator_reset:
        return
    account_sessions_end(user=user)
    update_session_auth_hash(request, user)
    messages.info(request, _("You are signed out everywhere else, and the API tokens of your account have ended."))
