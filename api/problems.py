"""Error answers of the API, all as problem details (RFC 9457)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.defaults import bad_request as page_of_bad_request
from django.views.defaults import server_error as page_of_error
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from api.tokens import CodeWanted
from common.errors import FieldsError, InputError, StoreAway
from exhibitions.services.answering import NotTaken
from fleet.broker import BrokerRefused
from matches.selectors.matches import ReplayUnreadable
from workshop.services.tries import TryOpen

CONTENT_TYPE = "application/problem+json"

PROBLEMS: dict[str, Promise] = {
    "malformed": _("This is not what this URL takes; `errors` names the fields. Correct them and ask again."),
    "refused": _("It was understood and cannot be done; `detail` says why, and what to do instead."),
    "code-wanted": _("The account has two-factor authentication: send the same once more, with its `code`."),
    "not-authenticated": _("Show a token as `Authorization: Bearer TOKEN`; the page API tokens makes one."),
    "forbidden": _("You may not do this here. Requests with the cookie of a session must carry its CSRF token, too."),
    "not-found": _("There is no such thing, or it is not yours to see."),
    "not-open": _("This question has been answered, or is not open any more."),
    "busy": _("Something of yours that has to end first goes on; `detail` says what. Ask again when it has ended."),
    "method-not-allowed": _("This URL does not know this method; the header Allow says which it knows."),
    "too-large": _("The body is larger than any may be. Send less."),
    "too-slow": _("The body came too slowly. Try again over a faster connection."),
    "unsupported-media-type": _("The body has another content type than this URL reads."),
    "throttled": _("Too many requests. The header Retry-After, where it is there, says how many seconds to wait."),
    "error": _("This is a mistake of ours; it has been noted. Please try again later."),
    "unavailable": _("A part of ours cannot be reached just now; ask again in a while."),
}
"""The general sentence of each kind of problem, by kind: the fragment of the field ``type``."""

_KINDS: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: "malformed",
    HTTPStatus.UNAUTHORIZED: "not-authenticated",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not-found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method-not-allowed",
    HTTPStatus.CONFLICT: "not-open",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported-media-type",
    HTTPStatus.UNPROCESSABLE_ENTITY: "refused",
    HTTPStatus.TOO_MANY_REQUESTS: "throttled",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
}
"""The kind of problem of each HTTP status, a key of ``PROBLEMS``; a ``Problem`` may name another one."""
_GENERAL = {"method-not-allowed", "too-large", "throttled"}
"""Kinds that are always answered with their sentence in ``PROBLEMS``, others with the exception's if it has one."""


class Problem(exceptions.APIException):
    """An error that the API answers with ``sentence``, which says what to do; empty ``kind``: that of ``status``."""

    def __init__(self, sentence: str, status: HTTPStatus, kind: str = "") -> None:
        super().__init__(sentence)
        self.status_code = int(status)
        self.kind = kind or _kind(status)


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem that answers a view's exception; None for a bug, which Django logs and answers with 500."""
    faults = error.fields if isinstance(error, FieldsError) else {}
    error = _translated(error, context)
    response = exception_handler(error, context)
    if response is None:
        return None
    kind = error.kind if isinstance(error, Problem) else _kind(response.status_code)
    if isinstance(error, exceptions.ValidationError):
        errors = list(_field_errors(response.data))
    else:
        errors = [{"field": name, "detail": sentence} for name, sentence in faults.items()]
    response.data = _problem(kind, response.status_code, _detail(kind, response.data), errors)
    response.content_type = CONTENT_TYPE
    return response


def problem_json(error: Exception, context: dict[str, Any]) -> JsonResponse:
    """Return the problem that answers an exception of an asynchronous view, which the library does not call.

    Raises:
        Exception: ``error``, if it is a bug.
    """
    response = problem_response(error, context)
    if response is None:
        raise error
    return JsonResponse(response.data, status=response.status_code, content_type=CONTENT_TYPE)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer 400 to a request that fails before any view, for example for its header Host (Django's ``handler400``).

    URLs of the API get a problem, all others an HTML page.
    """
    if not request.path.startswith("/api/v1/"):
        return page_of_bad_request(request, exception)
    status, detail = HTTPStatus.BAD_REQUEST, PROBLEMS["malformed"]
    if isinstance(exception, DisallowedHost):
        detail = _("This site does not go by the name in the header Host. Use the URL that its administrators tell.")
    return JsonResponse(_problem("malformed", status, str(detail)), status=status, content_type=CONTENT_TYPE)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer an exception that no view handles, after Django has logged it (Django's ``handler500``).

    URLs of the API get a problem, all others an HTML page. The status is 503 when the database cannot be reached or
    takes no more connections, so that programs try again; otherwise 500.
    """
    is_away = isinstance(sys.exc_info()[1], OperationalError)
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_away else HTTPStatus.INTERNAL_SERVER_ERROR
    if not request.path.startswith("/api/v1/"):
        page = page_of_error(request)
        page.status_code = status
        return page
    kind = "unavailable" if is_away else "error"
    return JsonResponse(_problem(kind, status, str(PROBLEMS[kind])), status=status, content_type=CONTENT_TYPE)


def _kind(status: int) -> str:
    """Return the kind of problem of an HTTP status; for one that ``_KINDS`` lacks, ``error`` (5xx) or ``refused``."""
    return _KINDS.get(status, "error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "refused")


def _problem(kind: str, status: int, detail: str, errors: Iterable[dict[str, str]] = ()) -> dict[str, Any]:
    return {
        "type": f"{reverse('api:reference')}#{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "errors": list(errors),
    }


def _translated(error: Exception, context: dict[str, Any]) -> Exception:
    """Return the DRF exception for an exception of our own, or a DRF exception whose sentence says what to do.

    All other exceptions are returned as they are.
    """
    if isinstance(error, CodeWanted):
        return Problem(str(error), HTTPStatus.UNPROCESSABLE_ENTITY, "code-wanted")
    if isinstance(error, TryOpen):
        return Problem(str(error), HTTPStatus.CONFLICT, "busy")
    if isinstance(error, InputError):
        return Problem(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    if isinstance(error, NotTaken):
        return Problem(str(error), error.status)
    if isinstance(error, BrokerRefused | StoreAway):
        return Problem(str(error), HTTPStatus.SERVICE_UNAVAILABLE)
    if isinstance(error, SuspiciousOperation | exceptions.ParseError):  # the former: too many fields, too large a body
        return exceptions.ParseError(_("The body cannot be read: %(error)s.") % {"error": str(error).rstrip(".")})
    if isinstance(error, exceptions.UnsupportedMediaType):
        types = ", ".join(parser.media_type for parser in context["view"].parser_classes)
        sentence = _("This URL reads %(types)s. Send the body so, and name it in Content-Type.") % {"types": types}
        return exceptions.UnsupportedMediaType("", detail=sentence)
    if isinstance(error, exceptions.NotAuthenticated):
        return exceptions.NotAuthenticated(str(PROBLEMS["not-authenticated"]))
    if isinstance(error, Http404):
        return exceptions.NotFound(str(error if isinstance(error, ReplayUnreadable) else PROBLEMS["not-found"]))
    return error


def _detail(kind: str, data: Any) -> str:
    own = str(data.get("detail", "")) if isinstance(data, dict) else ""
    return own if own.endswith(".") and kind not in _GENERAL else str(PROBLEMS[kind])


def _field_errors(data: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten a serializer's nested errors: yield a dictionary of dotted field path and sentence for each."""
    if isinstance(data, dict):
        for name, inner in data.items():
            yield from _field_errors(inner, f"{path}.{name}".strip("."))
    elif isinstance(data, list):
        for inner in data:
            yield from _field_errors(inner, path)
    else:
        yield {"field": path.removesuffix("non_field_errors") or "", "detail": str(data)}
