"""Bodies are read as UTF-8, whatever they call themselves, and session keys without NUL.

Django decodes a form by the codec that the caller names, among them such as make no text (``zlib``) or always fail
(``undefined``), and its pages for errors read the form once more.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Only(MiddlewareMixin):
    """Middleware that forgets the charset of a body; it stands before all that read forms and sessions."""

    def process_request(self, request: HttpRequest) -> None:
        """Have the body read as UTF-8, and forget a session key that PostgreSQL refuses.

        The attack: ``Content-Type: application/x-www-form-urlencoded; charset=latin1`` with any CSRF cookie would be an
        error of ours at each form, and write some hundred lines into the log. So would a session cookie in quotes, with
        a NUL, at each page.
        """
        if request.encoding is not None:
            request.encoding = "utf-8"
        if "\x00" in request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""):
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
