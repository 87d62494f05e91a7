"""What owners get back of their uploads."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.files.archives import Entry, zip_entries
from ladder.files.bundles import Bundle, bundle_check, bundle_of
from ladder.files.unbundling import bundle_zip

PARTS = st.sampled_from(["main.py", "a", "b", "data", "bot"])
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


def back(bundle: Bundle) -> Bundle:
    """The bundle that comes of what its owner gets."""
    return bundle_check(name="version-1.zip", data=bundle_zip(bundle.data))


@given(st.dictionaries(PATHS, st.tuples(st.binary(max_size=20), st.booleans()), min_size=1, max_size=5))
def test_uploaded_again_it_is_the_same(files: dict[str, tuple[bytes, bool]]) -> None:
    alone = {path: file for path, file in files.items() if not any(other.startswith(f"{path}/") for other in files)}
    made = bundle_of(Entry(path, data, executable) for path, (data, executable) in alone.items())
    bundle = bundle_check(name="bot.tar", data=made.data)
    assert back(bundle) == bundle


@pytest.mark.parametrize(
    "paths", [["main.py"], ["src/main.c", "a.h"], ["bot/main.py", "bot.txt"], ["src/main.c", "Makefile"]]
)
def test_no_folder_of_the_bot_is_lost(paths: list[str]) -> None:
    bundle = bundle_of(Entry(path, b"x", executable=False) for path in paths)
    assert back(bundle).files == tuple(sorted(paths))


def test_a_script_stays_one() -> None:
    data = bundle_zip(
        bundle_of([Entry("build.sh", b"#!/bin/sh\n", executable=True), Entry("a", b"", executable=False)]).data
    )
    entries, _ = zip_entries(data)
    assert {entry.name: entry.executable for entry in entries} == {"build.sh": True, "a": False}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None


def test_an_older_bundle_loses_the_folder_that_is_left_around_it() -> None:
    older = bundle_of([Entry("bot/main.py", b"x", executable=False)])
    assert back(older).files == ("main.py",)
    assert back(back(older)) == back(older)
