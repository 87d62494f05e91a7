"""The pages for contributors show the layers and the transitions of the code, all of them and no other."""

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

PAGE = (Path(__file__).parents[1] / "docs" / "contributors" / "architecture.md").read_text()
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
