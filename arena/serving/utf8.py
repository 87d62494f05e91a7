"""Bodies are read as UTF-8, whatever they call themselves.

Django decodes a form by the codec that the caller names, among them such as make no text (``zlib``) or always fail
(``undefined``), and its pages for errors read the form once more.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Only(MiddlewareMixin):
    """Middleware that forgets the charset of a body; it stands before all that read forms."""

    def process_request(self, request: HttpRequest) -> None:
        """Have the body read as UTF-8.

        The attack: ``Content-Type: application/x-www-form-urlencoded; charset=latin1`` with any CSRF cookie would be an
        error of ours at each form, and write some hundred lines into the log.
        """
        if request.encoding is not None:
            request.encoding = "utf-8"
