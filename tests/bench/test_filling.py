"""The arena of the page benchmark, made small: its pages exist, and none takes too many queries."""

from __future__ import annotations

import pytest
from django.db import connection

from common.queries import cached
from tests.bench.filling import arena_description, arena_make

QUERIES_MAX = 4


@pytest.mark.test_all
@pytest.mark.django_db(transaction=True, reset_sequences=True)  # as in earnest: a new database, no transaction around
def test_pages_of_a_filled_arena_take_few_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page takes at most ``QUERIES_MAX`` queries for a stranger, in an arena of any size.

    What pages keep for seconds has been read, as it nearly always has: else the count depends on the machine's speed.
    """
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    monkeypatch.setattr(cached, "SECONDS", None)
    arena_make(bots=60, matches=200, contests=4)
    arena_description()
    queries = arena_description()["queries"]
    assert queries
    assert {page: number for page, number in queries.items() if number > QUERIES_MAX} == {}
