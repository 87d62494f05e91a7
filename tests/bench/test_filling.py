"""The arena whose pages are measured, made small: the pages are there, and none asks the database too often."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.bench.filling import arena_make, told

QUERIES_MAX = 6


@pytest.mark.django_db(transaction=True, reset_sequences=True)  # as in earnest: a new database, no transaction around
def test_pages_of_a_filled_arena_take_few_queries() -> None:
    """Each page that strangers see takes six queries at most, however many bots and matches there are."""
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    arena_make(bots=60, matches=200)
    queries = told().queries
    assert queries
    assert {page: number for page, number in queries.items() if number > QUERIES_MAX} == {}
