"""Two-factor authentication: allauth's pages, where they leave something to be desired."""

from __future__ import annotations

from allauth.mfa.totp.views import activate_totp
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache


# The attack: whoever presses Back, on a machine that others use, when the owner has signed out.
@never_cache
def totp_activate(request: HttpRequest) -> HttpResponse:
    """Turn it on; a second click shows the recovery codes, too, that the first one has made."""
    try:
        with transaction.atomic():
            response: HttpResponse = activate_totp(request)
            return response
    except IntegrityError:
        return redirect("mfa_view_recovery_codes")
