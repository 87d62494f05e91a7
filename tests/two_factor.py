"""Two-factor authentication in tests: the codes of an authenticator app, and recovery codes."""

from __future__ import annotations

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.utils import decrypt
from django.core.cache import cache

from accounts.models import User

PERIOD_SECONDS = 30


def two_factor_on(user: User) -> list[str]:
    """Turn it on for an account, with no earlier attempts on its codes; return the recovery codes."""
    cache.clear()
    TOTP.activate(user, generate_totp_secret())
    codes: list[str] = RecoveryCodes.activate(user).get_unused_codes()
    return codes


def code_now(user: User, periods: int = 0) -> str:
    """Return the code that the user's app shows now, or some periods of 30 seconds later."""
    secret = decrypt(Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP).data["secret"])
    return code_of(secret, periods)


def code_of(secret: str, periods: int = 0) -> str:
    """Return the code of a secret now, or some periods later."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD_SECONDS + periods)))


def code_wrong(user: User) -> str:
    """Return a code that is wrong now and within the next and last minutes."""
    right = {code_now(user, periods) for periods in range(-4, 5)}
    return next(code for code in map("{:06}".format, range(10)) if code not in right)
