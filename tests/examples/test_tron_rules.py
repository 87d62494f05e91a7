"""The example Tron in process: what bots read and answer, what viewers draw, and the drawings of its guide."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.game import BadOptions, Game, IllegalAnswer
from core.message import bot
from core.playout import play_turn
from deploy.settings import ROOT
from games.registry import game_named, game_part
from games.words import words_of
from tests.games.test_scripts import SCRIPT, SHARED
from tests.installing import games_installed, packages_found

SMALL = {"width": 16, "height": 12}
DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT")


@pytest.fixture(scope="module")
def tron(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game[Any]]:
    """The game, installed from the source tree."""
    installed = games_installed(tmp_path_factory.mktemp("site"), {"tron": "banzuke_tron:Tron"})
    with packages_found(ROOT / "examples" / "tron"), installed:
        yield game_named("tron")


def ridden(game: Game[Any], state: Any, *turns: str) -> list[Any]:
    """Return all states of a match, given the first letters of the directions of all seats in each turn."""
    states, words = [state], {name[0]: name for name in DIRECTIONS}
    for turn in turns:
        asked = np.flatnonzero(game.to_move(states[-1])[0]).tolist()
        states.append(play_turn(game, states[-1], {seat: [words[turn[seat]]] for seat in asked}))
    return states


def heads(game: Game[Any], state: Any) -> list[list[int]]:
    return [[x, y] for x, y, _ in game.frame(state, 0)["seats"]]


# --- What bots read and answer --------------------------------------------------------------------------------------


def test_a_bot_reads_its_seat_and_the_grid_once(tron: Game[Any]) -> None:
    assert tron.introduce(tron.reset([1], 3, SMALL), 0, 2) == ["2 3 16 12"]
    assert tron.introduce(tron.reset([1], 2), 0, 0) == ["0 2 30 20"]


def test_a_question_has_heads_trails_and_the_directions_that_do_not_crash(tron: Game[Any]) -> None:
    state = tron.reset([1], 2, SMALL)
    places = heads(tron, state)
    lines = tron.observe(state, 0, 1)
    assert lines[:3] == ["1", *(f"{x} {y}" for x, y in places)]
    grid, count, moves = lines[3:15], int(lines[15]), lines[16:]
    assert [grid[y][x] for x, y in places] == ["0", "1"]
    assert sum(row.count(".") for row in grid) == 16 * 12 - 2
    assert count == len(moves)
    assert set(moves) <= set(DIRECTIONS)
    x, y = places[1]
    inside = {"UP": y > 0, "DOWN": y < 11, "LEFT": x > 0, "RIGHT": x < 15}
    assert set(moves) == {name for name, free in inside.items() if free}


def test_a_seat_that_can_only_crash_is_given_all_directions(tron: Game[Any]) -> None:
    state = tron.reset([3], 2, {"width": 8, "height": 8})
    rng = np.random.default_rng(1)
    while not tron.over(state)[0]:
        for seat in np.flatnonzero(tron.to_move(state)[0]).tolist():
            assert 1 <= tron.legal(state)[0, seat].sum() <= 4
        state = play_turn(tron, state, {seat: tron.random_answer(state, 0, seat, rng) for seat in (0, 1)})
    assert not tron.legal(state).any()


@pytest.mark.parametrize(("line", "number"), [("UP", 0), (" right ", 1), ("Down", 2), ("lEFT", 3)])
def test_directions_may_be_in_small_letters_and_have_blanks_around(tron: Game[Any], line: str, number: int) -> None:
    assert tron.parse(tron.reset([1], 2), 0, 0, [line]) == number


@pytest.mark.parametrize(
    ("lines", "kind"), [([], "one-line"), (["UP", "UP"], "one-line"), ([""], "no-direction"), (["U P"], "no-direction")]
)
def test_anything_else_is_refused_with_its_kind(tron: Game[Any], lines: list[str], kind: str) -> None:
    with pytest.raises(IllegalAnswer) as refused:
        tron.parse(tron.reset([1], 2), 0, 0, lines)
    assert refused.value.message.kind == kind


def test_the_first_answer_may_take_longer(tron: Game[Any]) -> None:
    first, second = ridden(tron, tron.reset([1], 2, SMALL), "UD")
    assert (tron.cpu_ms(first, 0, 0), tron.cpu_ms(second, 0, 0)) == (1_000, 100)


@pytest.mark.parametrize(
    ("players", "options"), [(1, {}), (5, {}), (2, {"width": 7}), (2, {"height": 41}), (2, {"x": 1})]
)
def test_grids_and_tables_that_cannot_be_played_are_refused(
    tron: Game[Any], players: int, options: dict[str, int]
) -> None:
    with pytest.raises(BadOptions):
        tron.reset([1], players, options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_answer_at_random_is_legal_and_seldom_turns(tron: Game[Any], players: int) -> None:
    rng, state = np.random.default_rng(2), tron.reset([5], players)
    turned = straight = 0
    last: dict[int, str] = {}
    while not tron.over(state)[0]:
        answers = {}
        for seat in np.flatnonzero(tron.to_move(state)[0]).tolist():
            answers[seat] = tron.random_answer(state, 0, seat, rng)
            (direction,) = answers[seat]
            assert tron.legal(state)[0, seat, DIRECTIONS.index(direction)]
            straight, turned = straight + (last.get(seat) == direction), turned + (last.get(seat) != direction)
            last[seat] = direction
        state = play_turn(tron, state, answers)
    assert straight > turned


# --- What viewers draw ----------------------------------------------------------------------------------------------


def test_trails_have_a_letter_for_the_seat_and_the_direction(tron: Game[Any]) -> None:
    states = ridden(tron, tron.reset([1], 2, SMALL), "UD")
    (x, y), (u, v) = heads(tron, states[0])
    frame = tron.frame(states[1], 0)
    tiles = frame["tiles"]
    assert (tiles[y][x], tiles[v][u]) == ("0", "1")
    assert heads(tron, states[1]) == [[x, y - 1], [u, v + 1]]
    assert (tiles[y - 1][x], tiles[v + 1][u]) == ("a", "g")
    assert (frame["scores"], frame["turn"], frame["crashes"]) == ([1, 1], 1, [None, None])
    assert tron.setting(states[0], 0) == {**SMALL, "players": 2}


def test_what_a_seat_does_is_ride_crash_or_be_out(tron: Game[Any]) -> None:
    state = tron.disqualify(tron.reset([1], 3, SMALL), 0, 2)
    assert [does for *_, does in tron.frame(state, 0)["seats"]] == [0, 0, 2]
    while not tron.over(state)[0]:
        state = play_turn(tron, state, {seat: ["UP"] for seat in (0, 1) if tron.to_move(state)[0, seat]})
    frame = tron.frame(state, 0)
    assert sorted(does for *_, does in frame["seats"]) in ([0, 1, 2], [1, 1, 2])
    crashes = [crash for crash in frame["crashes"] if crash]
    assert crashes
    assert all(crash[-1] == "wall" and crash[2] == -1 for crash in crashes)


@pytest.mark.parametrize(("ranks", "kind"), [([1, 1], "crashed-together"), ([2, 1], "rides-last")])
def test_the_end_is_explained(tron: Game[Any], ranks: list[int], kind: str) -> None:
    frames = [tron.frame(state, 0) for state in ridden(tron, tron.reset([1], 2, SMALL), "UD", "UD")]
    message = tron.reason(tron.setting(tron.reset([1], 2, SMALL), 0), frames, ranks, [2, 2])
    assert message.kind == kind
    for language in ("en", "ja"):
        sentence = words_of("tron", language).sentence(message, ("Ann", "Bob"))
        assert "{" not in sentence
        assert sentence != message.kind


def test_a_crash_is_told_once(tron: Game[Any]) -> None:
    state = tron.reset([1], 2, SMALL)
    height = heads(tron, state)[0][1]
    turns = ["U" + ("D" if number % 2 else "L") for number in range(height + 1)]
    states = ridden(tron, state, *turns)
    frames = [tron.frame(each, 0) for each in states]
    told = [tron.commentary(tron.setting(state, 0), frames[: number + 1]) for number in range(len(frames))]
    kinds = [event["kind"] for events in told for event in events if event["seat"] == 0]
    assert kinds.count("into-wall") == 1
    assert told[0] == []


def test_the_viewer_finds_who_reaches_each_cell_first(tron: Game[Any], tmp_path: Path) -> None:
    """The number beside a score: cells that a seat reaches before the others; both seats start alike."""
    if shutil.which("node") is None:
        pytest.skip("needs node: apt-get install nodejs")
    shutil.copytree(SHARED, tmp_path / "matches" / "viewer")
    shutil.copytree(ROOT / "examples" / "tron" / "banzuke_tron" / "viewer", tmp_path / "games" / "tron")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    frame = tron.frame(tron.reset([1], 2, SMALL), 0)
    (x, y), _ = heads(tron, tron.reset([1], 2, SMALL))
    words = {"head": "head of", "trail": "trail of", "free": "free", "crash": "crash of"}
    calls = [["parts", [frame, 0]], ["parts", [frame, 1]], ["score", [frame, 1]]]
    calls += [["cellText", [SMALL, frame, {"x": x, "y": y}, words]], ["shape", [SMALL]]]
    (tmp_path / "calls.json").write_text(json.dumps(calls))
    command = ["node", str(SCRIPT), str(tmp_path / "games" / "tron" / "viewer.js"), str(tmp_path / "calls.json")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    first, second, score, text, shape = json.loads(ran.stdout)
    assert first == second
    assert 0 < first[0][1] < 16 * 12 / 2
    assert (score, text) == (0, "head of A")
    assert shape["columns"] > 16.8, "a crash into the wall at the right is seen whole"


# --- The guide ------------------------------------------------------------------------------------------------------


def test_the_drawings_of_the_guide_show_what_their_text_says(tron: Game[Any]) -> None:
    figures = {name: make() for name, make in game_part("tron", "guide").MATERIAL.figures.items()}
    assert {name: len(figure.boards) for name, figure in figures.items()} == {"ride": 3, "crashes": 3, "space": 2}
    assert not figures["crashes"].steps
    for board in figures["crashes"].boards:
        assert sum(cell.marked for row in board.rows for cell in row) == 1, "the cell of the crash has a frame"
    trails = [
        sum(cell.ground.startswith("wall-") for row in board.rows for cell in row) for board in figures["ride"].boards
    ]
    assert trails == [2, 6, 10]
    assert [board.label for board in figures["ride"].boards] == ["1", "3", "5"]


def test_a_bot_that_met_another_is_named_in_the_event(tron: Game[Any]) -> None:
    rules, frames = game_part("tron", "rules"), game_part("tron", "frames")
    state = rules.first_state([[(1, 1), (3, 1), (0, 3)]], (5, 6))
    after = rules.step(state, np.array([[1], [3], [1]]))
    (event,) = frames.commentary({}, [frames.frame(state, 0), frames.frame(after, 0)])
    assert (event["kind"], event["seat"], event["args"]) == ("head-on", 0, {"count": 2, "other": bot(1)})
    assert tron.ranks(after).tolist() == [[2, 2, 1]]
