"""Verifies replays of the registered games, and recovers the states of their matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core import replay
from core.game import Actions, Game, JsonObject
from core.record import Header
from core.replay import ReplayMismatch
from games.registry import game_named, game_names


def verify(data: bytes) -> None:
    """Play the answers of a replay again and compare all records: frames, events, faults, ranks, hash.

    Args:
        data: the content of a replay file.

    Raises:
        BadReplay: the file is not a replay.
        ReplayMismatch: the records are not those that the rules make of the answers, or the rules are other ones.
    """
    replay.verify(data, rules_of)


def positions(records: Sequence[JsonObject]) -> Iterator[tuple[Any, Actions]]:
    """Yield the state before each turn of a recorded match, with the actions chosen; see ``core.replay.positions``.

    Raises:
        ReplayMismatch: the match was played by other rules.
        IllegalAnswer: a recorded answer breaks the rules.
    """
    yield from replay.positions(records, rules_of)


def rules_of(header: Header) -> Game[Any]:
    """Return the rules by which a replay was played.

    Raises:
        ReplayMismatch: the game is unknown here, or its rules have another version here.
    """
    if header.game not in game_names():
        raise ReplayMismatch(f"The replay is of an unknown game, {header.game!r}.")
    rules = game_named(header.game)
    if header.rules != rules.rules_version:
        raise ReplayMismatch(
            f"The replay was played by version {header.rules} of the rules of {rules.title}; only version"
            f" {rules.rules_version} can be played here. It can still be watched."
        )
    return rules
