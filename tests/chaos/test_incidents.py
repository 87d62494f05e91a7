"""The table in ``docs/understand/incidents.md`` names tests; also a test of an incident that fits no other file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.matches.makers import make_match, make_version

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(
    r"^\| (I\d+) \|.*\| ([^|]+) \|$", (ROOT / "docs" / "understand" / "incidents.md").read_text(), re.MULTILINE
)


def test_every_incident_has_a_row_with_tests() -> None:
    """``tests/test_docs.py`` checks that they exist."""
    assert [number for number, tests in ROWS if ".py::test_" in tests] == [f"I{number}" for number in range(1, 19)]


@pytest.mark.django_db
def test_a_page_that_waits_for_its_match_asks_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match = make_match(make_version("a"), make_version("b"))
    with django_assert_num_queries(1):
        assert client.get(reverse("matches:match_state", args=[match.pk])).status_code == 200
