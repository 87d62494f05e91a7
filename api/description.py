"""The OpenAPI schema of the API; what holds for all operations, such as common errors, is added here."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from api.problems import CONTENT_TYPE

Operation = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")

_PROBLEM = {"content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The OpenAPI security scheme of ``BearerAuthentication``."""

    target_class = "api.access.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the OpenAPI object of the security scheme."""
        return {"type": "http", "scheme": "bearer", "description": "A token of yours, from the page API tokens."}


class ApiSchema(AutoSchema):
    """Takes an operation's title from the first line of the method's docstring, and its description from the rest."""

    def get_summary(self) -> str:
        """Return the first line of the method's docstring."""
        return self._doc()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as the library's own
        """Return the method's docstring without its first line."""
        return "\n".join(self._doc()[1:]).strip()

    def get_tags(self) -> list[str]:
        """Return one tag, the name of the view's module, by which the reference page groups operations."""
        return [type(self.view).__module__.rpartition(".")[2]]

    def _doc(self) -> list[str]:
        method = getattr(self.view, getattr(self.view, "action", "") or self.method.lower())
        return [line.strip() for line in (method.__doc__ or "").strip().splitlines()] or [""]


@functools.cache
def description() -> dict[str, Any]:
    """Return the OpenAPI schema of the whole API. It is built once per process, and is the same for every caller."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    # Labels of choices are translated: without this the schema would stay in the language of the first caller.
    with override("en"):
        schema: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    """Yield path, method and OpenAPI object of each operation in the schema."""
    for path, item in schema["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to each operation the errors that follow from its method and parameters; the schema generator calls it."""
    for _path, method, operation in operations(result):
        for status, reason in _problems(method, operation):
            operation["responses"].setdefault(str(status), {"description": reason, **_PROBLEM})
    return result


def _problems(method: str, operation: Operation) -> Iterator[tuple[int, str]]:
    """Yield status and description of each error that the operation can answer with."""
    places = {parameter["in"] for parameter in operation.get("parameters", [])}
    if "query" in places or "requestBody" in operation:
        yield 400, "What was sent is malformed."
    # Also for operations that need no token: a token that is sent must be valid.
    yield 401, "The token is missing or not good any more."
    if method != "get":
        yield 403, "A session's cookie came without its CSRF token."
    if places & {"path", "query"} or operation["tags"] == ["fleet"]:
        yield 404, "There is no such thing, or it is not the caller's to see."
    if "requestBody" in operation:
        yield 408, "The body came too slowly."
        yield 413, "The body is larger than any may be."
        yield 415, "The body has another content type."
    yield 429, "Too many requests."


def tell_defaults(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Move ``default`` of request fields into their description; the schema generator calls it.

    Client generators treat a field with ``default`` as always present: a generated client could not send a login
    without ``code``, which most accounts do not have.
    """
    for name, schema in result["components"]["schemas"].items():
        for field in schema["properties"].values() if name.endswith("Request") else ():
            default = field.pop("default", "")
            if default != "":
                field["description"] = f"{field.get('description', '')} Left out: {default}.".strip()
    return result
