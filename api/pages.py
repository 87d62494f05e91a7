"""The HTML pages about the API: the reference, and the reader's tokens."""

from __future__ import annotations

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.access import own_act, own_form, signed_in
from api.problems import PROBLEMS
from api.reference import entries
from api.tokens import NewToken, token_create, token_revoke, tokens_of
from common.errors import InputError
from common.limits import rate_limited


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show the reference of all operations and problems."""
    return render(request, "api/reference.html", {"subjects": entries(), "problems": PROBLEMS})


@own_form
def tokens(request: HttpRequest) -> HttpResponse:
    """List the reader's tokens; on POST make a token and show it, which happens only this once."""
    return _token_made(request) if request.method == "POST" else _page(request)


# The attack: somebody at a browser left open, or with a stolen cookie, makes a token that is valid for a year.
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth brings no types
@rate_limited("token")
def _token_made(request: HttpRequest) -> HttpResponse:
    try:
        return _page(request, new=token_create(owner=signed_in(request)))
    except InputError as error:
        return _page(request, error=str(error))


@own_act
def token_end(request: HttpRequest) -> HttpResponse:
    """Revoke one of the reader's tokens."""
    token_revoke(owner=signed_in(request), begins_with=request.POST.get("begins_with", "")[:25])
    return redirect("api:token_page")


def _page(request: HttpRequest, *, new: NewToken | None = None, error: str = "") -> HttpResponse:
    context = {"tokens": tokens_of(owner=signed_in(request)), "new": new, "error": error}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return render(request, "api/tokens.html", context, status=status)
