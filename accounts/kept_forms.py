"""Keeps what was typed into a form whose page is older than the session: its reader has signed out, or in again."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import escape_leading_slashes
from django.views import csrf

_TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of the field
_FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
_SHOWN_CHARS_MIN = 40
"""From how many characters on a text of several words is shown on the page that keeps it; shorter ones are hidden."""


class KeptForms(MiddlewareMixin):
    """Middleware that answers a guest's form to a url for users alone with a page that keeps what was typed.

    Such a url redirects guests to the page for signing in, or answers 404. Either way what was typed would be gone.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the page that keeps the form, or the response as it is."""
        if request.method != "POST" or response.status_code not in (HTTPStatus.FOUND, HTTPStatus.NOT_FOUND):
            return response
        user = getattr(request, "user", None)
        if user is None or user.is_authenticated:
            return response
        if response.status_code == HTTPStatus.NOT_FOUND:
            return _kept(request, status=HTTPStatus.NOT_FOUND) or response
        sign_in = (resolve_url(settings.LOGIN_URL), reverse("admin:login"))
        leads_to_sign_in = urlsplit(response.get("Location", "")).path in sign_in
        return (_kept(request, status=HTTPStatus.FORBIDDEN) if leads_to_sign_in else None) or response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token is not that of the session: what was typed is kept, and may be sent again."""
    return _kept(request, status=HTTPStatus.FORBIDDEN) or csrf.csrf_failure(request, reason=reason)


def _kept(request: HttpRequest, *, status: int) -> HttpResponse | None:
    """Return a page with a form of the same fields, a valid token and a button; None if there is nothing to keep.

    Passwords are never sent back, and files cannot be: they are chosen again.
    """
    if request.content_type not in _FORMS or "HX-Request" in request.headers or not _is_from_here(request):
        return None
    try:
        fields = [(name, text) for name, texts in request.POST.lists() for text in texts if name != _TOKEN]
        files = list(request.FILES)
    except UnreadablePostError:
        return None
    is_typed = bool(files) or any(text.strip() for _name, text in fields)
    if _TOKEN not in request.POST or not is_typed or any("password" in name for name, _text in fields):
        return None
    context = {
        # The attack: by a path such as //evil.example/ the button sends what was typed to another site.
        "url": escape_leading_slashes(request.get_full_path()),
        "hidden": [(name, text) for name, text in fields if not _is_prose(text)],
        "shown": [(name, text) for name, text in fields if _is_prose(text)],
        "files": files,
    }
    return render(request, "kept_form.html", context, status=status)


def _is_prose(text: str) -> bool:
    return "\n" in text or (len(text) >= _SHOWN_CHARS_MIN and (" " in text or not text.isascii()))


def _is_from_here(request: HttpRequest) -> bool:
    """Return whether a page of this site has sent a form.

    The attack: a page of somebody else sends a form, and the reader sends it once more by the button shown here. Or
    somebody on the network answers for this site without TLS, and sends it from there.
    """
    sender = urlsplit(request.headers.get("Origin") or request.headers.get("Referer", ""))
    here = f"{request.scheme}://{request.get_host()}"
    return f"{sender.scheme}://{sender.netloc}" in (here, *settings.CSRF_TRUSTED_ORIGINS)
