"""The base classes of the API's views, its paginator and parser, and helpers that all views use."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import conditional_page
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ListSerializer, Serializer
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from accounts.access import Reader
from accounts.models import User
from api.access import AnonymousLimit, BearerAuthentication, IsStaff, SiteLimit, UserLimit
from api.problems import CONTENT_TYPE
from api.serializers.problems import ProblemSerializer
from common.text import is_row_number

FoundT = TypeVar("FoundT")
NOT_FOUND, REFUSED = HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY
UNAVAILABLE = HTTPStatus.SERVICE_UNAVAILABLE
View = Callable[..., Any]


class AlwaysJson(BaseContentNegotiation):
    """Content negotiation that ignores the header Accept: each view answers in its only format."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser of the request's content type; None if the view has none for it."""
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the view's first renderer and its media type."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class JsonObjects(JSONParser):
    """A JSON parser that answers 400, not 500, to JSON which Python parses but cannot handle."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return the parsed body.

        Raises:
            ParseError: the body is not JSON, is nested deeper than the interpreter's stack allows, or contains half of
                a surrogate pair, which can neither be stored in the database nor encoded in the answer.
        """
        try:
            parsed = super().parse(*args, **kwargs)
            json.dumps(parsed, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("JSON parse error - too deep") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON parse error - half of a surrogate pair") from error
        return parsed


class JsonFiles(BaseParser):
    """A parser of JSON with the files of a bot: larger bodies than Django reads for ``JSONParser`` and its subclasses.

    Use it only in views that have permissions and a limit of their own. The attack: anybody has the site parse
    megabytes of JSON.
    """

    media_type = JsonObjects.media_type
    bytes_max = 4 << 20

    def parse(self, stream: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the parsed body.

        Raises:
            ParseError: the body has more than ``bytes_max`` bytes, or ``JsonObjects`` refuses it.
        """
        body = stream.read(self.bytes_max + 1)
        if len(body) > self.bytes_max:
            raise ParseError(f"it has more than {self.bytes_max} bytes")
        return JsonObjects().parse(io.BytesIO(body), *args, **kwargs)


class NewestFirst(CursorPagination):
    """Cursor pagination, newest row first: new rows shift no page, and every page costs the same query time."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    ordering = "-pk"
    # The stubs do not allow a lazily translated string here.
    invalid_cursor_message = gettext_lazy(  # type: ignore[assignment]
        "This cursor is not one of ours: use `next` and `previous` as the pages give them."
    )

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor in the query string; None if there is none.

        Raises:
            NotFound: the cursor is invalid. The library checks only its encoding; a position that is no row number
                would make the database fail.
        """
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and not is_row_number(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the OpenAPI parameters ``cursor`` and ``limit``, with the bounds of the page size."""
        cursor, limit = super().get_schema_operation_parameters(view)
        sizes = {"type": "integer", "minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
        return [cursor, {**limit, "schema": sizes}]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of a page: ``next`` and ``previous`` are required, and null at the ends."""
        url = {"type": "string", "format": "uri", "nullable": True}
        fields = {"next": url, "previous": url, "results": schema}
        return {"type": "object", "properties": fields, "required": list(fields)}


class Api(APIView):
    """The base of all views of the API. Only the caller may cache the answers, and revalidates them by their ETag."""

    authentication_classes = [BearerAuthentication, SessionAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [AnonymousLimit, UserLimit, SiteLimit]
    parser_classes = [JsonObjects]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = AlwaysJson
    metadata_class = None
    described_body: Any
    described_query: Any
    """The serializer classes ``body`` and ``query`` with which the method that answers the request is ``described``."""

    def limit_of(self, method: str) -> str:
        """Return the ``limit`` with which the view's method for an HTTP method is ``described``; empty: it has none."""
        handler = getattr(self, getattr(self, "action", "") or method.lower(), None)
        return str(getattr(handler, "limit", ""))

    def answer(self, serializer: Any, found: Any, status: HTTPStatus) -> Response:
        """Return the response of a view's method: what it has found, as its serializer shows it to the caller.

        Args:
            serializer: the serializer of the answer, with ``many=True`` for a list; None: the response has no body.
            found: what the method has returned.
            status: the status of the response.
        """
        if serializer is None:
            return Response(status=status)
        assert found is not None, "The method returns nothing to show."  # noqa: S101 - it has forgotten ``return``
        many = isinstance(serializer, ListSerializer)
        shown = type(serializer.child) if many else serializer
        return Response(shown(found, many=many, context={"reader": self.reader}).data, status=status)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view function; it answers 304 when the caller's If-None-Match has the answer's ETag."""
        return conditional_page(super().as_view(**initkwargs))

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Return the library's request, and keep Django's, which the site's own functions take, as ``http_request``."""
        self.http_request = request
        return super().initialize_request(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add Cache-Control and Vary to the answer, so that no proxy hands one user's answer to another user."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        if not answer.has_header("Cache-Control"):
            patch_cache_control(answer, private=True, no_cache=True)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        return answer

    def sent(self) -> dict[str, Any]:
        """Return the values of the request's body, validated by the serializer ``body`` of the method's ``described``.

        Raises:
            ValidationError: a field is missing or wrong.
        """
        return checked(self.described_body, self.request.data)

    def query(self) -> dict[str, Any]:
        """Return the values of the query string, validated by the serializer ``query`` of the method's ``described``.

        Raises:
            ValidationError: a field is missing or wrong.
        """
        return checked(self.described_query, self.request.query_params)

    @property
    def reader(self) -> Reader:
        """The user who sent the request, or AnonymousUser."""
        reader: Reader = self.request.user
        return reader

    @property
    def user(self) -> User:
        """The signed-in user who sent the request; for views whose permission classes require one."""
        assert isinstance(self.request.user, User)  # noqa: S101 - for mypy; the permission class guarantees it
        return self.request.user


class PagedApi(Api):
    """The base of views that answer lists page by page."""

    pagination_class = NewestFirst

    def answer(self, serializer: Any, found: Any, status: HTTPStatus) -> Response:
        """Return the response as ``Api.answer`` does; of a list only the page that ``cursor`` and ``limit`` name."""
        if not isinstance(serializer, ListSerializer):
            return super().answer(serializer, found, status)
        paginator = self.pagination_class()
        page: Any = paginator.paginate_queryset(found, self.request, view=self)
        response = paginator.get_paginated_response(super().answer(serializer, page, status).data)
        response.status_code = status
        return response


class SignedInApi(Api):
    """The base of views for callers who are signed in."""

    permission_classes = [IsAuthenticated]


class StaffApi(Api):
    """The base of views for administrators; others get 404."""

    permission_classes = [IsStaff]


class Resource(ViewSetMixin, Api):
    """The base of views whose methods have names of their own, not ``get`` or ``post``.

    ``api.urls`` says which HTTP method of which url each of them answers.
    """

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """Return the view function of a url.

        ``actions`` has the names of the view's methods that answer there, by HTTP method in lower case.
        """
        return conditional_page(super().as_view(actions, **initkwargs))


def checked(serializer: type[Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the values of ``data``, which a caller sent, validated by ``serializer``.

    Raises:
        ValidationError: a field is missing or wrong.
    """
    sent = serializer(data=data)
    sent.is_valid(raise_exception=True)
    values: dict[str, Any] = sent.validated_data
    return values


def found_or_404(found: FoundT | None) -> FoundT:
    """Return ``found`` if it is not None.

    Raises:
        NotFound: the object does not exist, or the caller may not see it.
    """
    if found is None:
        raise NotFound(_("There is no such thing, or it is not yours to see."))
    return found


def described(
    answer: Any,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    content_type: str = "application/json",
    query: type[Serializer[Any]] | None = None,
    body: Any = None,
    problems: Sequence[HTTPStatus] = (),
    limit: str = "",
    url: Sequence[str] = (),
) -> Callable[[View], View]:
    """Return a decorator that describes a view's method in the OpenAPI schema, and makes its result the response.

    The method returns what ``answer`` shows, or a response of its own, such as a file, which is answered as it is.

    Args:
        answer: serializer of the successful answer; None when it has no body.
        status: status of the successful answer.
        content_type: content type of the successful answer.
        query: serializer of the query string.
        body: serializer of the request's body.
        problems: statuses of errors, besides those that ``api.description.add_problems`` adds to every operation.
        limit: the name in ``ACCOUNT_RATE_LIMITS`` of the limit that the method shares with a form of the site.
        url: name of the url for the header Location, and the fields of the answer that are its arguments; empty: no
            such header.
    """
    responses = {(int(problem), CONTENT_TYPE): ProblemSerializer for problem in problems}
    described_answer = {(int(status), content_type): answer} if answer else {int(status): None}
    schema = extend_schema(responses=described_answer | responses, parameters=[query] if query else [], request=body)

    def decorated(view: View) -> View:
        @functools.wraps(view)
        def answered(self: Api, *args: Any, **kwargs: Any) -> HttpResponseBase:
            self.described_body, self.described_query = body, query
            found = view(self, *args, **kwargs)
            if isinstance(found, HttpResponseBase):
                return found
            response = self.answer(answer, found, status)
            if url:
                response["Location"] = reverse(url[0], args=[response.data[field] for field in url[1:]])
            return response

        method: Any = view if iscoroutinefunction(view) else answered
        method.limit = limit
        operation: View = schema(method)
        return operation

    return decorated


def created(answer: Any, *, problems: Sequence[HTTPStatus] = (), **options: Any) -> Callable[[View], View]:
    """Return ``described`` for a method that makes something: it answers 201, or 422 if it refuses to.

    The arguments are those of ``described``.
    """
    return described(answer, status=HTTPStatus.CREATED, problems=[*problems, REFUSED], **options)
