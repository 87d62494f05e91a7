"""What several views share: 503 answers, pages of forms, and buttons that do something."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.functional import Promise

from common.errors import InputError, StoreAway
from common.forms import SentForm
from common.limits import P, View


def store_away_as_503(view: View[P]) -> View[P]:
    """Decorate a view to answer 503 with a page when it raises ``StoreAway``: the file store does not answer."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except StoreAway as error:
            return render(request, "503.html", {"sentence": error}, status=HTTPStatus.SERVICE_UNAVAILABLE)

    return answered


def form_page(request: HttpRequest, template: str, form: SentForm, **context: Any) -> HttpResponse:
    """Show the page of a form; its status is 422 if what was sent is refused."""
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.wrong else HTTPStatus.OK
    return render(request, template, {"form": form, **context}, status=status)


def act_told(request: HttpRequest, act: Callable[[], object]) -> bool:
    """Do what a button says, and tell on the next page what was done, or why it could not be; return whether it was.

    ``act`` calls the service, and returns the sentence of what was done; nothing, or an empty one: the page shows
    it anyhow.
    """
    try:
        done = act()
    except InputError as error:
        messages.error(request, str(error))
        return False
    if isinstance(done, str | Promise) and (sentence := str(done)):
        messages.success(request, sentence)
    return True
