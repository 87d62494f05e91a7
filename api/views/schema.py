"""The description itself, and what stands where there is nothing."""

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
    """The description."""

    @described(OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Describe the API by OpenAPI 3."""
        return Response(description())


@extend_schema(exclude=True)
class NothingApi(Api):
    """An address that does not exist: answered in the shape of the API, not by a page."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answer 404.

        Raises:
            NotFound: always.
        """
        raise NotFound(_("There is no such address. The page /api/ lists all; each ends with a slash."))
