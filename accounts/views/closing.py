"""The page on which users close their accounts."""

from __future__ import annotations

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import own_form, signed_in
from accounts.exports import export_sections
from accounts.services.closing import account_close
from common.errors import InputError


@own_form
def close(request: HttpRequest) -> HttpResponse:
    """Show what closing the account deletes and leaves behind (GET), or close it (POST)."""
    return _close_account(request) if request.method == "POST" else _page(request)


def _page(request: HttpRequest, error: str = "") -> HttpResponse:
    context = {"error": error, "sections": export_sections()}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return render(request, "accounts/close.html", context, status=status)


# The attack: with a browser left open or a stolen cookie somebody closes another user's account.
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth brings no types
def _close_account(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    try:
        account_close(user=user, actor=user)
    except InputError as error:
        return _page(request, str(error))
    logout(request)
    messages.info(request, _("Your account is closed. Thank you for having played here."))
    return redirect("home")
