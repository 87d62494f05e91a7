"""Turns the OpenAPI schema into the rows of the reference page."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from api.description import Operation, description, operations


@dataclass(frozen=True, slots=True)
class Field:
    """A row of a table on the reference page: a parameter, or a field of a request body or an answer."""

    name: str
    type: str
    """The short name of its type, such as ``integer``, ``string[]`` or the name of a schema."""
    description: str
    required: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A status that an operation can answer with."""

    status: int
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One operation on the reference page."""

    method: str
    path: str
    title: str
    description: str
    sent: list[Field]
    """Parameters, then fields of the request body."""
    received: list[Field]
    """Fields of the successful answer; if that is a list, fields of one row."""
    answers: list[Answer]


@functools.cache
def entries() -> dict[str, list[ReferenceEntry]]:
    """Return all operations by tag, in the order of their paths."""
    schema = description()
    subjects: dict[str, list[ReferenceEntry]] = {}
    for path, method, operation in operations(schema):
        entry = _entry(schema, path, method, operation)
        subjects.setdefault(operation["tags"][0], []).append(entry)
    return subjects


def _entry(schema: Operation, path: str, method: str, operation: Operation) -> ReferenceEntry:
    parameters = [
        Field(row["name"], _type(row["schema"]), row.get("description", ""), row.get("required", False))
        for row in operation.get("parameters", [])
    ]
    good = next(answer for status, answer in operation["responses"].items() if int(status) < HTTPStatus.BAD_REQUEST)
    return ReferenceEntry(
        method=method.upper(),
        path=path,
        title=operation["summary"],
        description=operation.get("description", ""),
        sent=[*parameters, *_fields(schema, operation.get("requestBody", {}))],
        received=list(_fields(schema, good)),
        answers=[
            Answer(int(status), HTTPStatus(int(status)).phrase, answer.get("description", ""))
            for status, answer in sorted(operation["responses"].items())
        ],
    )


def _fields(schema: Operation, holder: Operation) -> Iterator[Field]:
    """Yield the fields of ``holder``, an OpenAPI request body or response; ``schema`` is the whole OpenAPI schema."""
    for media in holder.get("content", {}).values():
        shape = _shape(schema, media["schema"])
        for name, field in shape.get("properties", {}).items():
            yield Field(name, _type(field), field.get("description", ""), name in shape.get("required", []))


def _shape(schema: Operation, shape: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the object behind ``shape``: its references, list items and page rows are followed."""
    if "$ref" in shape:
        return _shape(schema, schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]])
    if "items" in shape:
        return _shape(schema, shape["items"])
    rows = shape.get("properties", {}).get("results")
    return _shape(schema, rows) if rows else shape


def _type(shape: dict[str, Any]) -> str:
    """Return the short name of an OpenAPI type: ``string[]`` for a list, a schema's own name, a format or a type."""
    if "items" in shape:
        return f"{_type(shape['items'])}[]"
    inner = [shape, *shape.get("allOf", []), *shape.get("oneOf", [])]
    named = next((part["$ref"].rpartition("/")[2] for part in inner if "$ref" in part), "")
    return named or str(shape.get("format") or shape.get("type", ""))
