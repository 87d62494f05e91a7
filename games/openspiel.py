"""Games of the library OpenSpiel as games of Banzuke: ``pip install banzuke[openspiel]``.

A package needs a class with a few names, and its entry point::

    class Breakthrough(OpenSpielGame):
        name = "breakthrough"
        title = "Breakthrough"
        rules_version = "1"
        openspiel = "breakthrough(rows=6,columns=6)"

A bot reads the number of its actions, a line ``NUMBER TEXT`` for each, the number of lines of the position, and these
lines. It answers the text or the number of an action. Blank lines of a position are left out, and what is not ASCII
becomes a question mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from core.game import IllegalAnswer, JsonObject, quoted
from core.seeding import between, draws
from core.simple import SimpleGame

PLAYERS = range(2, 5)
_CHANCE_STEPS = 10**9
"""Into how many equal steps the chance of an outcome is cut."""


class Position:
    """A position of OpenSpiel's, and the seed from which what is random is drawn."""

    def __init__(self, state: Any, seed: int) -> None:
        self.state = state
        self.seed = seed

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        """Copy the position itself; a copy through pickle plays all actions again."""
        return Position(self.state.clone(), self.seed)

    def drawn(self) -> int:
        """Return a random number below ``_CHANCE_STEPS``; each position of a match has its own."""
        return int(between(draws(self.seed, len(self.state.history()), 1), 0, _CHANCE_STEPS - 1)[0])

    def settle(self) -> Position:
        """Draw outcomes of chance, in place, until a player is to move or the match is over; return the position."""
        while self.state.is_chance_node():
            outcomes, chances = zip(*self.state.chance_outcomes(), strict=True)
            steps = np.cumsum(np.array(chances) * _CHANCE_STEPS).round()
            place = int(np.searchsorted(steps, self.drawn(), side="right"))
            self.state.apply_action(outcomes[min(place, len(outcomes) - 1)])
        return self


class OpenSpielGame(SimpleGame[Position]):
    """A game of OpenSpiel in which players move in turn and hide nothing; dice and the like are drawn from the seed."""

    openspiel: ClassVar[str]
    """OpenSpiel's name of the game, with its parameters in brackets."""

    def __init__(self) -> None:
        """Load the game.

        Raises:
            ImportError: OpenSpiel is not installed.
            ValueError: the game cannot be played here; the sentence says why.
        """
        import pyspiel

        kinds = pyspiel.GameType
        try:
            self._game = pyspiel.load_game(self.openspiel)
        except pyspiel.SpielError as error:
            raise ValueError(f"OpenSpiel cannot load {self.openspiel!r}: {error}") from error
        self.answers_max = self._game.num_distinct_actions()
        kind, players = self._game.get_type(), self._game.num_players()
        if kind.dynamics != kinds.Dynamics.SEQUENTIAL:
            raise ValueError(f"In OpenSpiel's {self.openspiel}, players do not move one after the other.")
        if kind.information != kinds.Information.PERFECT_INFORMATION:
            raise ValueError(f"In OpenSpiel's {self.openspiel}, players do not see everything.")
        if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
            raise ValueError(f"OpenSpiel's {self.openspiel} draws from a generator of its own, so no match repeats.")
        if players not in PLAYERS:
            raise ValueError(f"OpenSpiel's {self.openspiel} is for {players} players, not for 2 to {PLAYERS[-1]}.")
        if self.players != (players,):
            raise ValueError(f"OpenSpiel's {self.openspiel} is for {players} players: write players = ({players},).")

    def start(self, seed: int, players: int, options: Mapping[str, Any]) -> Position:
        """Return the first position in which a player is to move."""
        return Position(self._game.new_initial_state(), seed).settle()

    def introduce(self, state: Position, seat: int) -> list[str]:
        """Return the seat, and how many there are."""
        return [f"{seat} {self._game.num_players()}"]

    def ask(self, state: Position, seat: int) -> list[str] | None:
        """Return the legal actions and the position as the module describes them; None if the seat is not to move."""
        if seat != state.state.current_player():
            return None
        actions = [f"{action} {text}" for text, action in self._actions(state).items()]
        rows = [row for row in _rows(state) if row.strip()]
        lines = [str(len(actions)), *actions, str(len(rows)), *rows]
        return [line.encode("ascii", "replace").decode() for line in lines]

    def _actions(self, state: Position) -> dict[str, int]:
        """Return the legal actions by text; the second one of a text is named by its number."""
        actions: dict[str, int] = {}
        for action in state.state.legal_actions():
            text = state.state.action_to_string(state.state.current_player(), action)
            actions[str(action) if text in actions else text] = action
        return actions

    def answers(self, state: Position, seat: int) -> Sequence[str]:
        """Return the texts of the legal actions."""
        return list(self._actions(state))

    def parse(self, state: Position, seat: int, lines: Sequence[str]) -> int:
        """Return the number of a legal action that is named by its text or its number.

        Raises:
            IllegalAnswer: the answer names none.
        """
        answer, actions = lines[0].strip(), self._actions(state)
        numbers = {str(action): action for action in actions.values()}
        if answer not in actions and answer not in numbers:
            raise IllegalAnswer("no-legal-answer", answer=quoted(answer))
        return actions[answer] if answer in actions else numbers[answer]

    def step(self, state: Position, moves: Mapping[int, int]) -> Position:
        """Return the position after an action; without one, a random one: no position can be passed."""
        actions = state.state.legal_actions()
        action = next(iter(moves.values()), actions[state.drawn() % len(actions)])
        state.state.apply_action(action)
        return state.settle()

    def over(self, state: Position) -> bool:
        """Return whether the position is a final one."""
        return bool(state.state.is_terminal())

    def scores(self, state: Position) -> list[float]:
        """Return OpenSpiel's returns: in most games 1 for the winner and -1 for the others, at the end."""
        return list(state.state.returns())

    def frame(self, state: Position) -> JsonObject:
        """Return the position as text, and the seat to move."""
        return {"rows": _rows(state), "to_move": None if self.over(state) else state.state.current_player()}


def _rows(state: Position) -> list[str]:
    return [row.rstrip() for row in str(state.state).splitlines()]
