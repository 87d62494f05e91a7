"""Finds what is missing or wrong in the package of a game, as sentences that say where, and what to do."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banzuke.testing import contract, parts
from banzuke.testing.setups import Setup, setups_of
from core.game import Game
from games.registry import folder_of, game_named, game_names, games_broken, rules_versions


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is missing or wrong."""

    where: str
    """The file in the game's folder, or its rules (``tron 2``) with a set of rules and a number of players."""
    sentence: str
    """Whole sentences that say what is wrong, and what to do."""
    is_note: bool = False
    """Whether nothing is wrong: something was not checked, or the game may do without it."""

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


def check_game(name: str) -> None:
    """Check an installed game.

    Raises:
        AssertionError: something is missing or wrong; the text lists it.
    """
    found = [str(finding) for finding in findings(name)]
    if found:
        raise AssertionError("\n- ".join([f"The game {name} is not in order:", *found]))


def findings(name: str) -> Iterator[Finding]:
    """Yield what is missing or wrong in a game that is installed, in all versions of its rules."""
    broken = [sentence for key, sentence in games_broken().items() if key.partition(".")[0] == name]
    yield from (Finding("its entry point", sentence) for sentence in broken)
    if name not in game_names():
        if not broken:
            known = f"No installed package brings a game {name!r}. There are: {', '.join(game_names())}."
            yield Finding("its entry point", f"{known} Type `pip install -e .` in the folder of its package.")
        return
    for version in rules_versions(name):
        yield from rules_findings(game_named(name, version))
    folder = folder_of(name)
    for place, sentence in parts.problems(game_named(name), folder) if folder else ():
        yield Finding(place, sentence)


def notes(name: str) -> Iterator[Finding]:
    """Yield as notes what a game lacks but may do without, such as a viewer, and what follows from that."""
    folder = folder_of(name)
    for place, sentence in parts.absent(game_named(name), folder) if folder else ():
        yield Finding(place, sentence, is_note=True)


def rules_findings(game: Game[Any]) -> Iterator[Finding]:
    """Yield what is wrong with the rules of a game; what several setups share is yielded once."""
    told: set[str] = set()
    for setup in setups_of(game):
        where = f"{game.name} {game.rules_version} ({setup.ruleset}, {setup.players} players)"
        for check in contract.FIRST:
            if sentences := list(found_by(check, setup)):
                yield from (Finding(where, sentence) for sentence in sentences)
                return  # the other checks would only say the same in other words
        sentences = [sentence for check in contract.CHECKS for sentence in found_by(check, setup)]
        yield from (Finding(where, sentence) for sentence in sentences if sentence not in told)
        told.update(sentences)


def found_by(check: Callable[[Setup], Iterator[str]], setup: Setup) -> Iterator[str]:
    """Yield the sentences of a check; also one that names the line of the game in which an exception was raised."""
    try:
        yield from check(setup)
    except Exception as error:  # noqa: BLE001 - the game's code may raise anything
        yield raised(error, setup.game)


def raised(error: Exception, game: Game[Any]) -> str:
    """Return in a sentence what a game's code has raised, and where."""
    folder = folder_of(game.name)
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if folder and Path(frame.filename).is_relative_to(folder)]
    place = (inside or frames)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}, in `{place.name}`: {error}"
