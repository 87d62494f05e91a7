"""The pages for contributors show the layers, transitions and functions of the code, as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from contests.models import Contest
from contests.services import contests, finals
from ladder.models import BotVersion
from ladder.services import versions
from matches.models import Match
from matches.services import lifecycle
from tests.test_layers import LAYERS

FOLDER = Path(__file__).parents[1] / "docs" / "contributors"
PAGE = (FOLDER / "architecture.md").read_text()
ARROW = re.compile(r"^ *(\w+) --> (\w+)", re.MULTILINE)
STATES = [
    ("A match", Match.State, lifecycle._NEXT),
    ("A version", BotVersion.State, versions._NEXT_STATES),
    ("A contest", Contest.State, contests._NEXT),
]


def diagrams(heading: str) -> list[str]:
    """Return the diagrams of a section."""
    section = PAGE.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    return re.findall(r"```mermaid\n(.*?)```", section, re.DOTALL)


def arrows(allowed: Mapping[str, Iterable[str | None]]) -> set[tuple[str, str]]:
    return {(str(before), str(after)) for before, nexts in allowed.items() for after in nexts if before and after}


@pytest.mark.parametrize(("heading", "states", "allowed"), STATES, ids=[heading for heading, _, _ in STATES])
def test_a_diagram_has_the_transitions_of_the_code(
    heading: str, states: Iterable[str], allowed: Mapping[str, Iterable[str]]
) -> None:
    shown = diagrams(heading)[0]
    assert set(ARROW.findall(shown)) == arrows(allowed)
    assert set(re.findall(r"\w+", shown)) >= set(states)


def test_the_stages_of_a_freeze_are_those_of_the_code() -> None:
    assert set(ARROW.findall(diagrams("A contest")[1])) == arrows(finals._NEXT)


def test_the_table_has_the_layers_in_their_order() -> None:
    table = PAGE.partition("| folder | what it is |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE) == LAYERS


NAMED = re.findall(r"`(\w+)` (?:in|of) \[[^\]]+\]\(([^)]+\.py)\)", (FOLDER / "match.md").read_text())
"""Functions that the way of a match names, each with the link to its file."""


def test_the_way_of_a_match_names_functions() -> None:
    assert len(NAMED) >= 10


@pytest.mark.parametrize(("function", "link"), NAMED)
def test_a_function_of_the_way_is_where_its_link_leads(function: str, link: str) -> None:
    assert re.search(rf"def {function}\(", (FOLDER / link).read_text())
