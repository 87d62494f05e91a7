"""allauth's two-factor authentication, with encrypted secrets, and limits on guessing and reusing codes."""

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
    """allauth's adapter, which stores secrets encrypted.

    The attack it stops: somebody who gets hold of a backup or a dump computes the codes of all administrators.
    """

    def get_totp_label(self, user: User) -> str:
        """Return the user name, by which the authenticator app lists the account."""
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as an SVG element: the content security policy allows no images in ``data:`` URLs."""
        drawn: str = qrcode.make(url, image_factory=SvgPathFillImage).to_string(encoding="unicode")
        return drawn

    def encrypt(self, text: str) -> str:
        """Return a secret encrypted, as the database stores it."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret that the database stores, decrypted.

        Raises:
            InvalidToken: it was encrypted under another SECRET_KEY.
        """
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> Fernet:
    key = salted_hmac(__name__, "secrets", secret=settings.SECRET_KEY, algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


class _CodeForm(BaseAuthenticateForm):  # type: ignore[misc]  # allauth brings no types
    """A form that asks for a code. It limits wrong codes for minutes (allauth) and for a day, and takes no code twice.

    The attacks: somebody who has the password tries codes from many IP addresses, for months; or has seen a code typed;
    or types wrong codes to keep the owner out. Against the last, browsers in which the owner has signed in before have
    a limit of their own. Three of a million codes are right at a time: by 20 guesses a day one is found within a year
    with a chance of 2 %, and from a known browser with another 2 %.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _(
            "Without your phone, type one of your recovery codes. If they are lost, too, please ask an administrator."
        )

    def clean_code(self) -> str:
        """Check the code and return it.

        Raises:
            ValidationError: the code is wrong or was used before, there were too many wrong codes, or the secret of the
                account cannot be decrypted.
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
        # allauth remembers a used code for one period only, but accepts codes of the periods before and after, too.
        valid_seconds = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        key = f"two_factor.used:{self.user.pk}:{''.join(filter(str.isdigit, code))}"
        return bool(cache.add(key, True, timeout=valid_seconds))


class SignInCodeForm(_CodeForm, AuthenticateForm):  # type: ignore[misc]  # allauth brings no types
    """The form for the code after the password."""


class ConfirmCodeForm(_CodeForm, ReauthenticateForm):  # type: ignore[misc]  # allauth brings no types
    """The form for the code that confirms a critical action of a signed-in user."""


def code_check(*, user: User, code: str) -> None:
    """Check a code of an authenticator app, or a recovery code, that a program has sent; limited as the site's form.

    Raises:
        InputError: the code is wrong, or there were too many wrong codes.
    """
    form: Any = SignInCodeForm(user=user, data={"code": code})
    if not form.is_valid():
        raise InputError(" ".join(form.errors["code"]))
    form.authenticator.record_usage()


def other_sessions_end(
    *, request: HttpRequest, user: User, authenticator: Authenticator, signal: Signal, **options: Any
) -> None:
    """End all sessions of an account whose second factors have changed, except the session of this request.

    A receiver of allauth's signals. The signals about recovery codes are ignored, since they come together with those
    about the authenticator app; except when new recovery codes replace the old ones.
    """
    if authenticator.type == Authenticator.Type.RECOVERY_CODES and signal is not authenticator_reset:
        return
    account_sessions_end(user=user)
    update_session_auth_hash(request, user)
    messages.info(request, _("You are signed out everywhere else, and the API tokens of your account have ended."))
