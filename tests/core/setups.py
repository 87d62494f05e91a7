"""All combinations of a game, one of its sets of rules and one of its numbers of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.game import Game, JsonObject
from core.playout import Answers, random_answers, replay_answers
from games.registry import game_named, game_names

SHORT_TURNS = 20


@dataclass(frozen=True, eq=False)
class Setup:
    game: Game[Any]
    ruleset: str
    players: int

    def __str__(self) -> str:
        return f"{self.game.name}-{self.ruleset}-{self.players}"

    @property
    def options(self) -> JsonObject:
        return dict(self.game.rulesets[self.ruleset])

    def reset(self, *seeds: int) -> Any:
        return self.game.reset(seeds, self.players, self.options)

    def answers(self, seed: int) -> Answers:
        return _answers(self, seed)

    def match(self, seed: int = 5) -> list[JsonObject]:
        """Play random answers through the referee and return the records."""
        answers = self.answers(seed)
        return self._records(answers, seed)

    def short_match(self) -> list[JsonObject]:
        """Return the records of a match in which all seats stop answering after ``SHORT_TURNS``: it has faults, too."""
        answers = self.answers(seed=5)
        nothing: dict[int, list[str]] = {seat: [] for seat in range(self.players)}
        return self._records(answers[:SHORT_TURNS] + [nothing] * len(answers), seed=5)

    def _records(self, answers: Answers, seed: int) -> list[JsonObject]:
        return replay_answers(self.game, answers, seed=seed, players=self.players, options=self.options)[1]


@cache  # most tests of the contract play the same matches
def _answers(setup: Setup, seed: int) -> Answers:
    return random_answers(setup.game, seed=seed, players=setup.players, options=setup.options)


def setups(games: Iterable[Game[Any]]) -> Iterator[Setup]:
    for game in games:
        for ruleset in game.rulesets:
            for players in game.players:
                yield Setup(game, ruleset, players)


def registered() -> list[Setup]:
    return list(setups(map(game_named, game_names())))
