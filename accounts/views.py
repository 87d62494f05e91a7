"""The page that turns two-factor authentication on: allauth's, which fails on a second click."""

from __future__ import annotations

from allauth.mfa.totp.views import activate_totp
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache


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
