"""The bodies of requests to the workshop, and refusals, as JSON."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import Annotated, TypeVar

import msgspec
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from common.errors import InputError
from common.limits import P, View
from core.numbers import whole_numbers
from workshop.services.drafts import NewerDraftError
from workshop.services.tries import TryOpen

BODY_BYTES_MAX = 4 << 20
"""Bytes of a request: the files of a draft, each character written as up to six."""
_ROW_MAX = 2**63 - 1


class FilesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Files on which a user works."""

    language: str
    files: dict[str, str]
    """Texts by path."""
    reader: int | None = None
    """Key of the user for whom the page was made, who may have signed out since; null: the sender."""


class DraftBody(FilesBody, forbid_unknown_fields=True):
    """A draft to be saved."""

    revision: Annotated[int, msgspec.Meta(ge=0, lt=2**31 - 1)] = 0
    """The revision of the draft that the page has read; 0: there was no draft."""
    page: Annotated[str, msgspec.Meta(max_length=36, pattern="^[0-9a-f-]*$")] = ""
    """A random name of the opened page."""


class PlayedBody(msgspec.Struct, forbid_unknown_fields=True):
    """The match, or the own try, from whose turn a program plays on; one of the two is given."""

    turn: int
    match: int | None = None
    tried: int | None = msgspec.field(name="try", default=None)


class TryBody(FilesBody, forbid_unknown_fields=True):
    """A program to be tried."""

    opponent: int | None = None
    """Key of the version on all other seats; null: copies of the program."""
    seat: int = 0
    seed: int | None = None
    played: PlayedBody | None = None


class SubmitBody(FilesBody, forbid_unknown_fields=True, kw_only=True):
    """A program to become a version of a bot."""

    name: str


BodyT = TypeVar("BodyT", bound=FilesBody)


def body_read(request: HttpRequest, kind: type[BodyT]) -> BodyT:
    """Return the body of a request.

    Raises:
        InputError: it is too large, or no JSON of this type, or of a page that was made for another user.
    """
    body = request.read(BODY_BYTES_MAX + 1)
    if len(body) > BODY_BYTES_MAX:
        raise InputError(_("The files are too large. Please upload an archive instead."))
    try:
        read = msgspec.convert(whole_numbers(msgspec.json.decode(body)), kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(_("This request cannot be read. Please load the page again.")) from error
    if read.reader is not None and read.reader != request.user.pk:
        sentence = _("You are signed in as %(name)s now, but this page is another user's. Nothing was changed.")
        raise InputError(sentence % {"name": request.user.get_username()})
    return read


def refusals_told(view: View[P]) -> View[P]:
    """Decorate a view that scripts call: if it raises InputError, answer with its sentence as JSON, in ``error``.

    The status is 409 for NewerDraftError, whose ``revision`` the answer has, and for TryOpen; else it is 400.
    """

    @wraps(view)
    def told(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except InputError as error:
            status = HTTPStatus.CONFLICT if isinstance(error, NewerDraftError | TryOpen) else HTTPStatus.BAD_REQUEST
            more = {"revision": error.revision} if isinstance(error, NewerDraftError) else {}
            return JsonResponse({"error": str(error), **more}, status=status)

    return told


def key_read(value: int | None) -> int:
    """Return ``value`` if the database can hold it as the key of a row; else 0, which no row has."""
    return value if value is not None and 0 < value <= _ROW_MAX else 0
