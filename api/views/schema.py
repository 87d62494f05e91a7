"""API views of the OpenAPI schema, and of URLs below /api/ that do not exist."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Api, described
from api.description import description


class SchemaApi(Api):
    """GET: the OpenAPI schema."""

    @described(OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Describe the API by OpenAPI 3."""
        return Response(description())


@extend_schema(exclude=True)
class NothingApi(Api):
    """Answers URLs that do not exist with a problem, instead of the site's HTML page."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse the request before any method is called.

        Raises:
            NotFound: always.
        """
        raise NotFound(_("There is no such URL. The page /api/ lists all; each ends with a slash."))
