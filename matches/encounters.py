"""Encounters: the matches of some versions on one secret seed, each version on every seat once."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterator

from contests.models import Contest
from contests.selectors.contests import contest_rules
from contests.services.contests import contest_begin
from matches.models import Match
from rating.matchmaking import rotations

SEEDS = 2**53
"""All seeds are below this: browsers know no larger whole numbers exactly, and a replay shows its seed."""


def encounter_matches(
    contest: Contest, table: tuple[int, ...], **columns: str
) -> Iterator[tuple[Match, tuple[int, ...]]]:
    """Make the matches of an encounter, not saved yet. Their seed is random, so nobody can prepare for it.

    Args:
        contest: the contest in which they meet, by whose rules they play.
        table: the keys of the versions that meet.
        columns: further columns of each match, ``kind`` or ``queue_class``.

    Yields:
        Each match with the keys of the versions in the order of its seats, as ``matches_create`` takes them.
    """
    contest_begin(contest=contest)
    encounter, seed = uuid.uuid4().hex, secrets.randbelow(SEEDS)
    rules, options = contest_rules(contest=contest)
    for seating in rotations(table):
        rule = {"game": rules.name, "rules_version": rules.rules_version, "options": options}
        yield Match(contest=contest, **rule, **columns, seed=seed, encounter=encounter), seating
