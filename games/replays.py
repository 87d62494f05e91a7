"""Replays of the games that there are: which rules they were played by, and whether they tell the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core import replay
from core.game import Actions, Game, JsonObject
from core.record import Header
from core.replay import ReplayMismatch
from games.registry import game_named, game_names


def verify(data: bytes) -> None:
    """Play the answers of a replay again and compare everything it tells: frames, events, faults, ranks, hash.

    Args:
        data: the compressed replay.

    Raises:
        BadReplay: it is no replay.
        ReplayMismatch: it does not tell what the rules make of its answers, or was played by other rules.
    """
    replay.verify(data, rules_of)


def positions(records: Sequence[JsonObject]) -> Iterator[tuple[Any, Actions]]:
    """Make the states of a recorded match with the actions chosen in each, see ``core.replay.positions``.

    Raises:
        ReplayMismatch: it was played by other rules.
        IllegalAnswer: an answer is none by these rules.
    """
    yield from replay.positions(records, rules_of)


def rules_of(header: Header) -> Game[Any]:
    """Return the rules that a replay was played by.

    Raises:
        ReplayMismatch: they are not known here, or only in another version.
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
