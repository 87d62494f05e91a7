"""Sheets, files of cells to download: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def etag_of(content: bytes) -> str:
    """Return the ETag of a file's content."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def sheet_file(*, kind: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """Return the content of a sheet as ``csv`` or ``json``; each row has its values in the order of the names."""
    if kind == "json":
        records = [dict(zip(names, row, strict=True)) for row in rows]
        return json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(names)  # also of an empty sheet: programs that read sheets refuse an empty file
    writer.writerows([_cell(value) for value in row] for row in rows)
    # With a byte order mark: without one, Excel reads the file in the encoding of its country, which garbles names.
    return file.getvalue().encode("utf-8-sig")


def file_response(
    request: HttpRequest, *, name: str, kind: str, etag: str, content: Callable[[], bytes]
) -> HttpResponse:
    """Return a response with a file for anybody, or 304 if the reader's copy is still the same.

    ``kind``, ``csv`` or ``json``, is also the suffix behind ``name``. ``content`` is called only if the file is sent.
    """
    response = get_conditional_response(request, etag=etag) or HttpResponse(
        content(),
        content_type=CONTENT_TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"', "X-Content-Type-Options": "nosniff"},
    )
    response["ETag"] = etag
    response["Cache-Control"] = "public, no-cache"
    return response


def _cell(value: object) -> object:
    """Return a value with an apostrophe before it if a spreadsheet would take it for a formula.

    The attack: somebody gives a bot a formula as its name, and the spreadsheet of each reader runs it.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
