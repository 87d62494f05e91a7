"""The contract as a library: each check finds the fault that it is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from banzuke.testing import answers, contract
from banzuke.testing.findings import found_by
from banzuke.testing.setups import Setup
from core.game import Event, JsonObject
from tests.core.toy import RockPaperScissors, State

pytestmark = pytest.mark.usefixtures("rps")
Good = RockPaperScissors


class ChangesItsState(Good):
    def step(self, state: State, actions: Any) -> State:
        after = super().step(state, actions)
        state.points[:] = after.points
        return after


class SharesItsState(Good):
    shown: JsonObject = {"turn": 0, "rounds": [1]}

    def setting(self, state: State, b: int) -> JsonObject:
        return self.shown


class WatchesOthers(Good):
    def frame(self, state: State, b: int) -> JsonObject:
        return {**super().frame(state, b), "boards": len(state.round)}


class CountsInIntegers(Good):
    def scores(self, state: State) -> Any:
        return state.points


class ForgetsTurns(Good):
    def frame(self, state: State, b: int) -> JsonObject:
        return {"turn": 0, "points": state.points[b].tolist()}


class BreaksLines(Good):
    def observe(self, state: State, b: int, seat: int) -> list[str]:
        return ["round\n1"]


class TellsOfTheStart(Good):
    def commentary(self, setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
        return [Event(turn=0, kind="begun", seat=None, args={})]


class GoesOnAfterTheEnd(Good):
    def step(self, state: State, actions: Any) -> State:
        return replace(super().step(state, actions), round=state.round + 1)


class AsksSeatsAtFault(Good):
    def to_move(self, state: State) -> Any:
        return np.repeat(~self.over(state)[:, None], state.out.shape[1], axis=1)


class PraisesFaults(Good):
    def ranks(self, state: State) -> Any:
        return np.ones(state.points.shape, int)


class TakesAnyOptions(Good):
    def reset(self, seeds: Sequence[int], players: int = 2, options: Any = None) -> State:
        return super().reset(seeds, players if players in self.players else 2, {})


class TakesOtherBoards(Good):
    def take(self, state: State, boards: Any) -> State:
        return super().take(state, [len(state.round) - 1 - b for b in boards])


class ChoosesWrongly(Good):
    def choose(self, state: State, choices: Any, legal: Any = None) -> Any:
        return np.abs(choices) % 3


class AllowsTooMuch(Good):
    def legal(self, state: State) -> Any:
        return np.ones((*state.points.shape, 3), bool)


class KnowsNoChoice(Good):
    def legal(self, state: State) -> Any:
        return super().legal(state) & [True, False, False]


class HasMoreChoicesLater(Good):
    def legal(self, state: State) -> Any:
        return np.pad(super().legal(state), ((0, 0), (0, 0), (0, int(state.round[0]))))


class SeesMoreLater(Good):
    def observation(self, state: State, seat: int) -> Any:
        return np.ones((len(state.round), 1 + int(state.round[0])), int)


class OffersNothingToPeople(Good):
    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        return [[]]


class OffersLessThanBotsPlay(Good):
    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        return [["rock"]]


class OffersWhatItRefuses(Good):
    def lines_offered(self, state: State, b: int, seat: int) -> list[list[str]]:
        return [["rock", "paper", "scissors", "well"]]


class TrustsBots(Good):
    def parse(self, state: State, b: int, seat: int, lines: Sequence[str]) -> Any:
        return np.array(["rock", "paper", "scissors"].index(lines[0]))


FAULTS: list[tuple[type[Good], Callable[[Setup], Any], str]] = [
    (ChangesItsState, contract.states_never_change, "changes the state that it is given"),
    (SharesItsState, contract.returned_values_may_be_changed, "return a copy"),
    (WatchesOthers, contract.boards_of_a_batch_play_as_if_alone, "played again beside others"),
    (CountsInIntegers, contract.arrays_have_their_shapes, "`scores` is a float64 array"),
    (ForgetsTurns, contract.arrays_have_their_shapes, "`frame` counts the turns"),
    (BreaksLines, contract.questions_have_whole_lines, "has no line break"),
    (TellsOfTheStart, contract.nothing_is_told_of_the_start, "`commentary` tells something of the first frame"),
    (GoesOnAfterTheEnd, contract.matches_that_are_over_stay, "`step` changes a board that is over"),
    (AsksSeatsAtFault, contract.seats_at_fault_do_nothing, "is still asked"),
    (PraisesFaults, contract.seats_at_fault_do_nothing, "does not rank last"),
    (PraisesFaults, contract.matches_of_one_seat_end, "`ranks` must be 1 for the first"),
    (TakesAnyOptions, contract.bad_options_are_refused, "raise BadOptions"),
    (TakesOtherBoards, contract.selected_boards_play_on_as_before, "that `take` has selected differ"),
    (ChoosesWrongly, answers.wrong_choices_do_nothing, "The action of choice -1 is not that of `idle`"),
    (AllowsTooMuch, answers.random_choices_end_a_match, "`legal` must be a bool array that is False"),
    (KnowsNoChoice, answers.legal_answers_are_choices, "none of the choices that `legal` allows means it"),
    (HasMoreChoicesLater, answers.environments_fit, "but `width` says that 3 are the most"),
    (SeesMoreLater, answers.environments_fit, "the shape of `observation` changes"),
    (OffersNothingToPeople, answers.offered_lines_are_answers, "different texts, at least one"),
    (OffersLessThanBotsPlay, answers.offered_lines_are_answers, "but `lines_offered` has no such text"),
    (OffersWhatItRefuses, answers.offered_lines_are_answers, "has 'well', which `parse` refuses"),
    (TrustsBots, answers.hostile_answers_are_illegal_or_actions, "raise IllegalAnswer for all that is wrong"),
]


@pytest.mark.parametrize(("faulty", "check", "told"), FAULTS, ids=[f"{f.__name__}-{c.__name__}" for f, c, _ in FAULTS])
def test_a_check_finds_its_fault(faulty: type[Good], check: Callable[[Setup], Any], told: str) -> None:
    found = "\n".join(found_by(check, Setup(faulty(), "short", 3)))
    assert told in found
