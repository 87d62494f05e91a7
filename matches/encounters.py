"""Encounters: the matches of some versions on one secret seed, each version on every seat once."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterator
from typing import Any

from core.game import Game
from matches.models import Match
from rating.matchmaking import rotations

SEEDS = 2**53
"""Seeds stay below: browsers know no larger whole numbers exactly, and a replay shows its seed."""


def encounter_matches(
    rules: Game[Any], table: tuple[int, ...], **columns: str
) -> Iterator[tuple[Match, tuple[int, ...]]]:
    """Make the matches of an encounter, not saved yet. Their seed is random, so nobody can prepare for it.

    Args:
        rules: the rules of the game.
        table: the keys of the versions that meet.
        columns: further columns of each match, ``kind`` or ``queue_class``.

    Yields:
        Each match with the keys of the versions in the order of its seats, as ``matches_create`` takes them.
    """
    encounter, seed = uuid.uuid4().hex, secrets.randbelow(SEEDS)
    options = next(iter(rules.rulesets.values()))
    rule = {"game": rules.name, "rules_version": rules.rules_version, "options": options}
    for seating in rotations(table):
        yield Match(**rule, **columns, seed=seed, encounter=encounter), seating
