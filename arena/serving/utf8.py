"""Middleware that reads every form as UTF-8, and drops session keys with a NUL.

Django decodes a form by the codec that the request names. Some of Python's codecs produce no text (``zlib``) or always
fail (``undefined``), and Django's error pages decode the form once more.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Only(MiddlewareMixin):
    """Middleware that ignores the charset of a body; it stands before all that read forms or sessions."""

    def process_request(self, request: HttpRequest) -> None:
        """Set the encoding of a form to UTF-8, and delete a session key that PostgreSQL would refuse.

        The attack: ``Content-Type: application/x-www-form-urlencoded; charset=latin1`` with any CSRF cookie causes an
        internal error at each form, and fills the log with some hundred lines each time. So does a session cookie in
        quotes that contains a NUL, on each page.
        """
        if request.encoding is not None:
            request.encoding = "utf-8"
        if "\x00" in request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""):
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
