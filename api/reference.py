"""The description of the API made ready to be shown: what the page lists, and nothing else."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from api.description import Operation, description, operations


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a body or an answer."""

    name: str
    kind: str
    """Its type, in words."""
    words: str
    required: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of an operation."""

    status: int
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation."""

    method: str
    path: str
    title: str
    words: str
    sends: list[Field]
    """Parameters, then fields of the body."""
    gets: list[Field]
    """Fields of the answer; of a list, of each row."""
    answers: list[Answer]


@functools.cache
def entries() -> dict[str, list[Entry]]:
    """Return all operations by subject, in the order of their addresses."""
    schema = description()
    subjects: dict[str, list[Entry]] = {}
    for path, method, operation in operations(schema):
        entry = _entry(schema, path, method, operation)
        subjects.setdefault(operation["tags"][0], []).append(entry)
    return subjects


def _entry(schema: Operation, path: str, method: str, operation: Operation) -> Entry:
    parameters = [
        Field(row["name"], _kind(row["schema"]), row.get("description", ""), row.get("required", False))
        for row in operation.get("parameters", [])
    ]
    good = next(answer for status, answer in operation["responses"].items() if int(status) < HTTPStatus.BAD_REQUEST)
    return Entry(
        method=method.upper(),
        path=path,
        title=operation["summary"],
        words=operation.get("description", ""),
        sends=[*parameters, *_fields(schema, operation.get("requestBody", {}))],
        gets=list(_fields(schema, good)),
        answers=[
            Answer(int(status), HTTPStatus(int(status)).phrase, answer.get("description", ""))
            for status, answer in sorted(operation["responses"].items())
        ],
    )


def _fields(schema: Operation, holder: Operation) -> Iterator[Field]:
    """Yield the fields of the body of a request or an answer."""
    for media in holder.get("content", {}).values():
        shape = _shape(schema, media["schema"])
        for name, field in shape.get("properties", {}).items():
            yield Field(name, _kind(field), field.get("description", ""), name in shape.get("required", []))


def _shape(schema: Operation, shape: dict[str, Any]) -> dict[str, Any]:
    """Follow references, rows of lists and rows of pages to an object."""
    if "$ref" in shape:
        return _shape(schema, schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]])
    if "items" in shape:
        return _shape(schema, shape["items"])
    rows = shape.get("properties", {}).get("results")
    return _shape(schema, rows) if rows else shape


def _kind(shape: dict[str, Any]) -> str:
    """Return a type in a word or two."""
    if "items" in shape:
        return f"{_kind(shape['items'])}[]"
    inner = [shape, *shape.get("allOf", []), *shape.get("oneOf", [])]
    named = next((part["$ref"].rpartition("/")[2] for part in inner if "$ref" in part), "")
    return named or str(shape.get("format") or shape.get("type", ""))
