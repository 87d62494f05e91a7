"""Zips with the mark of archives that may be split, before their first entry."""

from __future__ import annotations

import io
import zipfile

import pytest

from ladder.files.bundles import bundle_check


@pytest.mark.parametrize("mark", [b"PK\x07\x08", b"PK00"])
@pytest.mark.parametrize("are_counted", [True, False])
def test_a_zip_may_begin_with_a_mark(mark: bytes, are_counted: bool) -> None:
    """Tools that can split archives write it, and some count it in the places of entries."""
    buffer = io.BytesIO()
    buffer.write(mark if are_counted else b"")
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("main.py", b"print()")
    data = buffer.getvalue()
    assert bundle_check(name="bot.zip", data=data if are_counted else mark + data).files == ("main.py",)
