"""Rounds with their tables and matches, as programs read them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from tournaments.models import Round, Table, TableMatch
from tournaments.selectors.loading import Told


@dataclass(frozen=True, slots=True)
class PairingShown:
    """A table as a reader may know it."""

    row: Table
    why: dict[str, Any]
    matches: list[int]
    """Primary keys of its matches by encounter, rotation and attempt, void ones included; [] while they are hidden."""


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round as a reader may know it."""

    row: Round
    is_told: bool
    tables: list[PairingShown]


def rounds_shown(*, told: Told) -> list[RoundShown]:
    """Return the rounds of ``told``, with the matches of those whose results the reader may know (1 query)."""
    known = [each.row.pk for each in told.rounds if each.is_told]
    matches: dict[int, list[int]] = defaultdict(list)
    links = TableMatch.objects.filter(table__round__in=known).order_by("encounter", "rotation", "attempt")
    for table, match in links.values_list("table", "match"):
        matches[table].append(match)
    return [
        RoundShown(each.row, each.is_told, [PairingShown(table, table.why, matches[table.pk]) for table in each.tables])
        for each in told.rounds
    ]
