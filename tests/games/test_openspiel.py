"""Games of OpenSpiel, played through the adapter."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test

from core.game import Game, IllegalAnswer
from core.playout import play_turn
from core.referee import Reply, SeatInfo, Turn, drive, play
from core.replay import encode
from core.simple_adapter import as_game
from environments.all_seats import AllAtOnce
from games.openspiel import OpenSpielGame
from games.replays import verify
from tests.installing import games_installed


def made(openspiel: str, players: int = 2) -> Game[Any]:
    names = {"name": "spiel", "title": "Spiel", "openspiel": openspiel, "players": (players,)}
    return as_game(type("Spiel", (OpenSpielGame,), names))


class Pig(OpenSpielGame):
    """Three players roll a die in turn."""

    name = "pig"
    title = "Pig"
    openspiel = "pig(players=3,winscore=50)"
    players = (3,)


def rolls(turn: Turn) -> dict[int, Reply]:
    """Roll the die as long as it may be rolled; seat 1 gives no answer after a while."""
    return {
        ask.seat: Reply([] if ask.seat == 1 and turn.number > 3 else ["roll" if "0 roll" in ask.lines else "stop"])
        for ask in turn.asks
    }


def test_dice_follow_from_the_seed_and_a_seat_at_fault_goes_on_at_random(tmp_path: Path) -> None:
    ends, faults = set(), []
    with games_installed(tmp_path, {"pig": f"{__name__}:Pig"}):
        for seed in range(3):
            seats = [SeatInfo(name) for name in "abc"]
            outcome, records = drive(play(as_game(Pig), seed=seed, seats=seats), rolls)
            verify(encode(records))
            ends.add(str(records[-2]["frame"]["rows"]))
            faults += [fault for fault in outcome.faults if fault and fault.turn < outcome.turns]
            assert outcome.faults[0] is outcome.faults[2] is None
            assert max(outcome.scores) == 1
    assert faults
    assert len(ends) > 1


@pytest.mark.parametrize("openspiel", ["backgammon", "dots_and_boxes", "oware", "breakthrough(rows=6,columns=6)"])
def test_games_are_played_by_texts_or_numbers_of_actions(openspiel: str) -> None:
    game = made(openspiel)
    state = game.reset([7])
    for turn in range(5):
        seat = game.to_move(state)[0].tolist().index(True)
        lines = game.observe(state, 0, seat)
        number, text = lines[1].split(" ", 1)
        assert len(lines) == int(lines[0]) + int(lines[int(lines[0]) + 1]) + 2
        by_text, by_number = (play_turn(game, state, {seat: [answer]}) for answer in (text, number))
        assert game.frame(by_text, 0) == game.frame(by_number, 0)
        state = by_text
        assert game.frame(state, 0)["turn"] == turn + 1
    with pytest.raises(IllegalAnswer):
        game.parse(state, 0, game.to_move(state)[0].tolist().index(True), ["no such action"])


def test_a_game_is_an_environment_for_learning(tmp_path: Path) -> None:
    with games_installed(tmp_path, {"pig": f"{__name__}:Pig"}):
        parallel_api_test(AllAtOnce("pig"), num_cycles=200)


@pytest.mark.parametrize(
    ("openspiel", "players", "sentence"),
    [
        ("goofspiel", 2, "players do not move one after the other"),
        ("kuhn_poker", 2, "players do not see everything"),
        ("2048", 1, "is for 1 players, not for 2 to 4"),
        ("pig(players=5)", 5, "is for 5 players, not for 2 to 4"),
        ("pig(players=3)", 2, "write players = (3,)"),
        ("no_such_game", 2, "OpenSpiel cannot load 'no_such_game'"),
    ],
)
def test_games_that_do_not_fit_are_refused_in_a_sentence(openspiel: str, players: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        made(openspiel, players)
