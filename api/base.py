"""What all addresses of the API have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
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
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.views import APIView

from accounts.access import Reader
from accounts.models import User
from api.access import AnonymousLimit, BearerAuthentication, SiteLimit, UserLimit
from api.problems import CONTENT_TYPE
from api.serializers.problems import ProblemSerializer
from common.text import is_row_number

FoundT = TypeVar("FoundT")
ModelT = TypeVar("ModelT", bound=Model)
ViewT = TypeVar("ViewT", bound=Callable[..., Any])


class AlwaysJson(BaseContentNegotiation):
    """Answer in the one form there is, whatever the caller would like best."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser of the body's content type, if any."""
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class JsonObjects(JSONParser):
    """JSON, however deep, of texts that can be written down again."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the body says.

        Raises:
            ParseError: it is no JSON, or one of two cheap ways to make errors: so deep that the interpreter's stack
                ends, or with half of a surrogate pair, which neither a database takes nor an answer can quote.
        """
        try:
            parsed = super().parse(*args, **kwargs)
            json.dumps(parsed, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("JSON parse error - too deep") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON parse error - half of a surrogate pair") from error
        return parsed


class NewestFirst(CursorPagination):
    """Pages by a cursor: rows that come in between move nothing, and the last page costs no more than the first."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    ordering = "-pk"
    # The stubs know no text whose language is told later.
    invalid_cursor_message = gettext_lazy(  # type: ignore[assignment]
        "This cursor is not one of ours: use `next` and `previous` as the pages give them."
    )

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor of the address.

        Raises:
            NotFound: it is none of ours; the library would hand any text in it to the database as a number.
        """
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and not is_row_number(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the parameters for the description, with the size of pages."""
        cursor, limit = super().get_schema_operation_parameters(view)
        sizes = {"type": "integer", "minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
        return [cursor, {**limit, "schema": sizes}]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the description of a page: the neighbours' addresses are always there, null where there is none."""
        address = {"type": "string", "format": "uri", "nullable": True}
        fields = {"next": address, "previous": address, "results": schema}
        return {"type": "object", "properties": fields, "required": list(fields)}


class Api(APIView):
    """An address. Answers may be kept by the caller alone, and are asked for again by their ETag."""

    authentication_classes = [BearerAuthentication, SessionAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [AnonymousLimit, UserLimit, SiteLimit]
    parser_classes = [JsonObjects]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = AlwaysJson
    metadata_class = None
    site_limit = ""
    """The action of ``ACCOUNT_RATE_LIMITS`` that it shares with a form of the site."""
    site_limited = "POST"
    """The method that this action is done by."""

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, which answers 304 to whoever has the answer already."""
        return conditional_page(super().as_view(**initkwargs))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say who may keep the answer: a proxy must never hand one user's to another."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        if not answer.has_header("Cache-Control"):
            patch_cache_control(answer, private=True, no_cache=True)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        return answer

    @property
    def reader(self) -> Reader:
        """Whoever asks."""
        reader: Reader = self.request.user
        return reader

    @property
    def user(self) -> User:
        """Who asks, where only users may."""
        assert isinstance(self.request.user, User)  # noqa: S101 - the permission has seen to it; this tells the type
        return self.request.user


class PagedApi(Api):
    """A list, page by page."""

    pagination_class = NewestFirst

    def page(self, rows: QuerySet[ModelT], serializer: type[BaseSerializer[Any]]) -> Response:
        """Answer with the page of some rows that the address asks for."""
        paginator = self.pagination_class()
        page = paginator.paginate_queryset(rows, self.request, view=self)
        return paginator.get_paginated_response(serializer(page, many=True).data)


def checked(serializer: type[Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return what was sent, checked.

    Raises:
        ValidationError: fields are wrong.
    """
    sent = serializer(data=data)
    sent.is_valid(raise_exception=True)
    values: dict[str, Any] = sent.validated_data
    return values


def found_or_404(found: FoundT | None) -> FoundT:
    """Return what was found.

    Raises:
        NotFound: nothing was, or nothing that is this caller's to see.
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
) -> Callable[[ViewT], ViewT]:
    """Describe a method for the schema.

    Args:
        answer: serializer of the answer, or None where it has no body.
        status: of the answer.
        content_type: of the answer.
        query: serializer of what may stand behind the question mark.
        body: serializer of the body.
        problems: that may happen besides those that ``api.description`` adds by rule.
    """
    responses = {(int(problem), CONTENT_TYPE): ProblemSerializer for problem in problems}
    described_answer = {(int(status), content_type): answer} if answer else {int(status): None}
    return extend_schema(responses=described_answer | responses, parameters=[query] if query else [], request=body)
