"""Tables as files: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def etag_of(content: bytes) -> str:
    """Return what changes whenever the content does."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def table_file(*, kind: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """Return a table as a file.

    Args:
        kind: ``csv`` or ``json``.
        names: of the columns.
        rows: the values of each, in the order of the names.
    """
    return _KINDS[kind](names, rows)


def file_response(
    request: HttpRequest, *, name: str, kind: str, etag: str, content: Callable[[], bytes]
) -> HttpResponse:
    """Serve a file to anybody; asked again, only if it has changed.

    Args:
        request: of the reader.
        name: under which it is saved, without the kind.
        kind: ``csv`` or ``json``.
        etag: what changes whenever the file does.
        content: makes the file, where it is needed.
    """
    response = get_conditional_response(request, etag=etag) or HttpResponse(
        content(),
        content_type=CONTENT_TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"', "X-Content-Type-Options": "nosniff"},
    )
    response["ETag"] = etag
    response["Cache-Control"] = "public, no-cache"
    return response


def _json(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    records = [dict(zip(names, row, strict=True)) for row in rows]
    return json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()


def _csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(names)  # without rows, too: what reads tables refuses an empty file
    writer.writerows([_cell(value) for value in row] for row in rows)
    # With a mark before it: without one, Excel reads names by the encoding of its country. Programs may have JSON.
    return file.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    """Return a value as no spreadsheet takes for a formula: names are chosen by strangers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


_KINDS: Mapping[str, Callable[[Sequence[str], Sequence[Sequence[Any]]], bytes]] = {"csv": _csv, "json": _json}
