"""Sheets and zips that people download: what they hold, and what spreadsheets and browsers make of them."""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from http import HTTPStatus

import pytest
from django.test import RequestFactory

from common.sheets import etag_of, file_response, sheet_file
from common.zips import zip_pieces

NAMES = ("name", "points")
AT = datetime(2026, 3, 1, 12, 30, 14, tzinfo=UTC)


def rows_of(file: bytes) -> list[list[str]]:
    """Return the cells of a CSV file as a spreadsheet reads it."""
    assert file.startswith("\ufeff".encode()), "without a mark, Excel garbles names"
    return list(csv.reader(io.StringIO(file.decode("utf-8-sig"))))


def test_a_sheet_has_its_columns_and_rows_in_either_kind() -> None:
    rows = [["日本, 1", 1.5], ['say "hi"', None]]
    assert rows_of(sheet_file(kind="csv", names=NAMES, rows=rows)) == [
        ["name", "points"],
        ["日本, 1", "1.5"],
        ['say "hi"', ""],
    ]
    assert json.loads(sheet_file(kind="json", names=NAMES, rows=rows)) == [
        {"name": "日本, 1", "points": 1.5},
        {"name": 'say "hi"', "points": None},
    ]


def test_an_empty_sheet_is_a_sheet() -> None:
    assert rows_of(sheet_file(kind="csv", names=NAMES, rows=[])) == [["name", "points"]]
    assert sheet_file(kind="json", names=NAMES, rows=[]) == b"[]"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "=cmd|' /C calc'!A0"])
def test_a_spreadsheet_runs_no_formula_that_somebody_typed(cell: str) -> None:
    file = sheet_file(kind="csv", names=NAMES, rows=[[cell, -1]])
    assert rows_of(file)[1] == [f"'{cell}", "-1"], "a number is none"
    assert json.loads(sheet_file(kind="json", names=NAMES, rows=[[cell, 1]]))[0]["name"] == cell


@pytest.mark.parametrize("cell", ["a=1", "1-1", "'=1", " =1", "", "x@y"])
def test_other_texts_stay_as_they_are(cell: str) -> None:
    assert rows_of(sheet_file(kind="csv", names=NAMES, rows=[[cell, 1]]))[1][0] == cell


def test_a_row_of_another_length_is_an_error_in_json() -> None:
    with pytest.raises(ValueError, match="shorter"):
        sheet_file(kind="json", names=NAMES, rows=[["only one"]])


def test_an_etag_is_quoted_and_follows_the_content() -> None:
    assert etag_of(b"a") == etag_of(b"a") != etag_of(b"b")
    assert etag_of(b"")[0] == etag_of(b"")[-1] == '"'


@pytest.mark.parametrize(("kind", "content_type"), [("csv", "text/csv; charset=utf-8"), ("json", "application/json")])
def test_a_file_is_sent_once_and_then_only_if_it_has_changed(kind: str, content_type: str) -> None:
    made = []

    def content() -> bytes:
        made.append(kind)
        return b"content"

    def answer(**headers: str) -> tuple[int, bytes, str]:
        request = RequestFactory().get("/", headers=headers)
        response = file_response(request, name="board", kind=kind, etag='"1"', content=content)
        assert (response["ETag"], response["Cache-Control"]) == ('"1"', "public, no-cache")
        return response.status_code, response.content, response.get("Content-Disposition", "")

    assert answer() == (HTTPStatus.OK, b"content", f'attachment; filename="board.{kind}"')
    status, body, _ = answer(if_none_match='"1"')
    assert (status, body) == (HTTPStatus.NOT_MODIFIED, b"")
    assert answer(if_none_match='W/"1"')[0] == HTTPStatus.NOT_MODIFIED
    assert answer(if_none_match='"2"')[0] == HTTPStatus.OK
    assert len(made) == 2, "it is not made where it is not sent"
    response = file_response(RequestFactory().get("/"), name="b", kind=kind, etag='"1"', content=content)
    assert (response["Content-Type"], response["X-Content-Type-Options"]) == (content_type, "nosniff")


def test_a_zip_is_written_in_pieces_that_together_are_one() -> None:
    noise = os.urandom(300_000)
    files = {"a.txt": [b"one", b"two"], "folder/b.bin": [noise[at : at + 1_000] for at in range(0, len(noise), 1_000)]}
    files["empty"] = []
    pieces = list(zip_pieces(files=files.items(), at=AT))
    assert len(pieces) > 1
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        assert {info.filename: archive.read(info) for info in archive.infolist()} == {
            name: b"".join(parts) for name, parts in files.items()
        }
        assert {info.date_time for info in archive.infolist()} == {(2026, 3, 1, 12, 30, 14)}
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o644}


def test_what_a_zip_holds_is_read_only_when_it_is_written() -> None:
    read: list[str] = []

    def content(name: str) -> Iterator[bytes]:
        read.append(name)
        yield os.urandom(100_000)

    pieces = zip_pieces(files=((name, content(name)) for name in "ab"), at=AT)
    assert read == []
    next(pieces)
    assert read == ["a"]
    assert b"".join(pieces)
    assert read == ["a", "b"]


def test_an_empty_zip_is_a_zip() -> None:
    with zipfile.ZipFile(io.BytesIO(b"".join(zip_pieces(files=(), at=AT)))) as archive:
        assert archive.namelist() == []
