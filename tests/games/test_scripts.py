"""What the scripts of viewers and inputs compute, without a browser; compared with the rules where these know it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banzuke.testing import Setup
from games.attack25.judge import judge as attack25_judge
from games.puyo import chain
from games.puyo.field import SMASH, TSU, Ruleset, codes, rows
from games.registry import game_named
from games.viewers import viewer_folders
from games.wondev_woman import view
from tests.core.setups import registered
from tests.games.attack25 import plain as attack25_plain
from tests.own import OWN

SCRIPT = Path(__file__).with_name("scripts.mjs")
SHARED = Path(__file__).parents[2] / "matches/static/matches/viewer"

FIRST = [next(setup for setup in registered() if setup.game.name == game) for game in OWN]
"""A setup of each game: starting a program for each costs more than what it computes."""

Call = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts under the paths by which the site serves them: they import each other by these."""
    if shutil.which("node") is None:
        pytest.skip("needs node: apt-get install nodejs")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(SHARED, folder / "matches" / "viewer")
    for game in OWN:
        shutil.copytree(viewer_folders()[game], folder / "games" / game)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture
def call(site: Path) -> Call:
    """Return a function that calls a function of a script with each of some lists of arguments."""

    def called(script: str, name: str, arguments: Sequence[Sequence[object]]) -> list[Any]:
        calls = site / "calls.json"
        calls.write_text(json.dumps([[name, each] for each in arguments]))
        command = ["node", str(SCRIPT), str(site / script), str(calls)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        found: list[Any] = json.loads(ran.stdout)
        return found

    return called


# --- Boards of cells ------------------------------------------------------------------------------------------------


def test_a_place_of_the_picture_is_the_cell_under_it(call: Call) -> None:
    sides = {"width": 3, "height": 2}
    places = [[0.8, 0.8], [1.79, 0.81], [3.79, 2.79], [3.8, 1], [1, 2.81], [0.7, 1]]
    found = call("matches/viewer/cells.js", "cellAt", [[sides, *place] for place in places])
    assert found == [{"x": 0, "y": 0}, {"x": 0, "y": 0}, {"x": 2, "y": 1}, None, None, None]
    corners = call("matches/viewer/cells.js", "placeOf", [[sides, cell] for cell in ([0, 0], [2, 1], [3, 0], [0, -1])])
    assert corners == [[0.8, 0.8], [2.8, 1.8], None, None]


def test_tiles_that_change_are_there_twice_and_fade_into_each_other(call: Call) -> None:
    step = {"setting": {"width": 2, "height": 1}, "before": {"tiles": ["AB"]}, "after": {"tiles": ["A."]}}
    halves = call(
        "matches/viewer/cells.js", "stepTiles", [[step | {"progress": progress}] for progress in (0, 0.25, 1)]
    )
    steady = {"x": 0, "y": 0, "tile": "A", "amount": 1}
    assert halves == [
        [steady, {"x": 1, "y": 0, "tile": "B", "amount": 1}],
        [steady, {"x": 1, "y": 0, "tile": "B", "amount": 0.75}],
        [steady],
    ]


def test_a_step_touches_the_cells_beside_those_that_change(call: Call) -> None:
    step = {"before": {"tiles": ["...", "..."]}, "after": {"tiles": ["A..", "..."]}}
    cells = [{"x": x, "y": y} for y in range(2) for x in range(3)]
    found = call("matches/viewer/cells.js", "touched", [[step, cell] for cell in cells])
    assert found == [True, True, False, True, False, False]


@pytest.mark.parametrize("setup", FIRST, ids=str)
def test_each_cell_of_a_board_is_told_in_words_and_found_where_it_is_drawn(call: Call, setup: Setup) -> None:
    game, script = setup.game, f"games/{setup.game.name}/viewer.js"
    state, _ = setup.midgame()
    setting, frame = game.setting(state, 0), game.frame(state, 0)
    (grid,) = call(script, "grid", [[setting, frame]])
    cells = [{"x": x, "y": y} for y in range(grid["rows"]) for x in range(grid["columns"])]
    words = {name: name for name in ("wall", "area", "agent", "panel", "neutral", "choice", "height", "closed", "unit")}
    words |= {name: name for name in ("hidden", "empty", "garbage", "red", "yellow", "green", "blue", "purple")}
    texts = call(script, "cellText", [[setting, frame, cell, words | {"no_cell": "no cell"}] for cell in cells])
    assert all(texts)
    assert not any("undefined" in text for text in texts)
    numbers = [[cell["y"] * 5 + cell["x"] + 1] if game.name == "attack25" else [cell["x"], cell["y"]] for cell in cells]
    places = call(script, "placeOf", [[setting, number, 0] for number in numbers])
    found = call(script, "cellAt", [[setting, x + 0.5, y + 0.5] for x, y in places])
    assert found == cells
    (shape,) = call(script, "shape", [[setting]])
    assert max(x for x, _ in places) < shape["columns"]
    assert max(y for _, y in places) < shape["rows"]


@pytest.mark.parametrize("setup", FIRST, ids=str)
def test_scores_and_what_stands_beside_them_are_numbers(call: Call, setup: Setup) -> None:
    game, script = setup.game, f"games/{setup.game.name}/viewer.js"
    state, _ = setup.midgame()
    seats, frame = range(setup.players), game.frame(state, 0)
    shown = call(script, "score", [[frame, seat] for seat in seats])
    assert shown == game.scores(state)[0].tolist()
    parts = call(script, "parts", [[frame, seat] for seat in seats])
    assert all(isinstance(number, int) for part in parts for _, number in part)
    if game.name == "kakomimasu":
        assert [sum(number for _, number in part) for part in parts] == shown


# --- Attack 25 ------------------------------------------------------------------------------------------------------


def test_panels_that_a_person_would_turn_over_are_those_of_the_rules(call: Call) -> None:
    rng, questions, expected = np.random.default_rng(3), [], []
    while len(questions) < 40:
        board = {n: int(rng.integers(4)) for n in range(1, 26) if rng.integers(3)}
        panel, colour = int(rng.integers(1, 26)), int(rng.integers(4))
        if panel in board:
            continue
        text = "".join("RGWB"[board[n]] if n in board else "." for n in range(1, 26))
        questions.append([[text[start : start + 5] for start in range(0, 25, 5)], panel, "RGWB"[colour]])
        after = dict(board)
        attack25_plain.take(after, colour, panel)
        expected.append(sorted(n for n in board if board[n] != after[n]))
    found = call("games/attack25/input.js", "turned", questions)
    assert [sorted(each) for each in found] == expected
    assert any(expected)
    assert attack25_judge({"op": "legal", "board": {}})["legal"]["R"] == [13], "the judge counts panels the same way"


# --- Back to the Code -----------------------------------------------------------------------------------------------


def test_a_way_of_many_steps_goes_first_along_x_as_in_the_protocol(call: Call) -> None:
    game = game_named("back_to_the_code")
    state = game.reset([1], 2)
    x, y, *_ = game.frame(state, 0)["seats"][0]
    for goal in ({"x": 0, "y": 0}, {"x": 34, "y": 19}, {"x": x, "y": 19}, {"x": x, "y": y}):
        (step,) = call("games/back_to_the_code/input.js", "stepTowards", [[{"x": x, "y": y}, goal]])
        by_step, by_goal = (game.parse(state, 0, 0, [f"{at['x']} {at['y']}"]) for at in (step, goal))
        assert by_step == by_goal


def test_a_return_leads_to_the_last_frame_with_so_many_rounds(call: Call) -> None:
    rounds = [0, 1, 2, 1, 2, 3]
    frames = [{"turn": turn, "round": number} for turn, number in enumerate(rounds)]
    found = call("games/back_to_the_code/input.js", "frameBefore", [[frames, back] for back in (1, 2, 3, 9)])
    assert [frame["turn"] for frame in found] == [4, 3, 0, 0]


# --- Kakomimasu -----------------------------------------------------------------------------------------------------


def test_orders_for_one_target_are_told_before_they_are_sent(call: Call) -> None:
    orders = [
        ["MOVE 1 1", "PUT 2 2", "MOVE 1 1"],
        ["NONE", "NONE", None],
        ["REMOVE 3 3", "MOVE 3 3", "PUT 3 3"],
        [],
    ]
    assert call("games/kakomimasu/input.js", "conflicts", [[each] for each in orders]) == [[0, 2], [], [0, 1, 2], []]
    lines = ["PUT 3 14", "NONE"]
    assert call("games/kakomimasu/input.js", "readOrder", [[line] for line in lines]) == [
        {"kind": "PUT", "at": {"x": 3, "y": 14}},
        {"kind": "NONE", "at": None},
    ]


# --- Wondev Woman ---------------------------------------------------------------------------------------------------


def test_actions_are_read_with_the_cells_that_they_concern(call: Call) -> None:
    units = [[2, 2], [0, 4]]
    first, second = call(
        "games/wondev_woman/input.js", "readAction", [["MOVE&BUILD 0 NE S", units], ["PUSH&BUILD 1 N NW", units]]
    )
    assert (first["unit"], first["pushes"], first["near"], first["far"]) == (
        0,
        False,
        {"x": 3, "y": 1},
        {"x": 3, "y": 2},
    )
    assert (second["unit"], second["pushes"], second["near"], second["far"]) == (
        1,
        True,
        {"x": 0, "y": 3},
        {"x": -1, "y": 2},
    )


def test_the_fog_of_the_input_is_that_of_the_rules(call: Call) -> None:
    game = game_named("wondev_woman")
    state = game.reset([2], 2, {"map": "square"})
    own = view.places(state, 0)[0]
    cells = [(x, y) for y in range(5) for x in range(5)]
    found = call("games/wondev_woman/input.js", "sees", [[own, {"x": x, "y": y}] for x, y in cells])
    assert found == [view.sees(state, own, cell) for cell in cells]
    assert len(set(found)) == 2


# --- Puyo Puyo ------------------------------------------------------------------------------------------------------


def random_fields(rules: Ruleset, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return fields (6, N) with few colours, in which much pops."""
    rng = np.random.default_rng(4)
    fields = np.zeros((6, count), np.uint64)
    for n in range(count):
        for x in range(6):
            for y in range(int(rng.integers(rules.rows + 1))):
                colour = int(rng.integers(-1, 3))
                bits = 3 if colour < 0 else 1 << colour
                fields[x, n] |= np.uint64(bits << int(rules.bits) * y)
    return fields


def columns_of(rules: Ruleset, field: np.ndarray[Any, np.dtype[np.uint64]]) -> list[list[str]]:
    """Return the tiles of each column from the bottom, as the scripts have them."""
    picture = rows(rules, field)
    return [[row[x] for row in reversed(picture) if row[x] != "."] for x in range(6)]


@pytest.mark.parametrize("rules", [TSU, SMASH], ids=["tsu", "smash"])
def test_what_pops_on_the_screen_of_a_table_is_what_pops_by_the_rules(call: Call, rules: Ruleset) -> None:
    """Coloured puyos in groups of four; the garbage beside them goes as well."""
    fields = random_fields(rules, 60)
    popped = chain.popping(rules, fields)
    columns = [columns_of(rules, fields[:, n]) for n in range(60)]
    found = call("games/puyo/chains.js", "popping", [[each] for each in columns])
    after = chain.pop(rules, fields, popped)
    for n, cells in enumerate(found):
        gone = {(cell["x"], cell["row"]) for cell in cells}
        colours = {(cell["x"], cell["row"]) for cell in cells if cell["tile"] != "0"}
        marks = codes(rules, popped[:, n])
        assert colours == {(int(x), rules.rows - int(y)) for y, x in np.argwhere(marks > 0)}
        left = [
            [tile for row, tile in enumerate(column, 1) if (x, row) not in gone] for x, column in enumerate(columns[n])
        ]
        if gone:
            assert left == columns_of(rules, after[:, n])
    assert any(found)
    assert not all(found)


def test_rows_of_a_frame_become_columns_with_their_heights_and_cells(call: Call) -> None:
    (columns,) = call("games/puyo/chains.js", "columnsOf", [[["......", "1....2", "01...3"]]])
    assert columns == [["0", "1"], ["1"], [], [], [], ["3", "2"]]
    assert call("games/puyo/chains.js", "heightsOf", [[columns]]) == [[2, 1, 0, 0, 0, 2]]
    (cells,) = call("games/puyo/chains.js", "cellsOf", [[[["0", "1"], [], ["3"]]]])
    assert cells == [{"x": 0, "row": 1, "tile": "0"}, {"x": 0, "row": 2, "tile": "1"}, {"x": 2, "row": 1, "tile": "3"}]


@pytest.mark.parametrize(("ruleset", "is_tsu"), [("tsu", True), ("smash_the_code", False)])
def test_answers_of_the_screen_are_placements_of_the_protocol(call: Call, ruleset: str, is_tsu: bool) -> None:
    game = game_named("puyo")
    state = game.reset([1], 2, {"ruleset": ruleset})
    (offered,) = game.lines_offered(state, 0, 0)
    placements = call("games/puyo/chains.js", "placementOf", [[[line], is_tsu] for line in offered])
    assert [[each["x"], each["turn"]] for each in placements] == [
        game.parse(state, 0, 0, [line]).tolist() for line in offered
    ]
    assert call("games/puyo/chains.js", "answerOf", [[each, is_tsu] for each in placements]) == offered
    wrong = [[["6 0"], is_tsu], [["0 9"], is_tsu], [[], is_tsu], [None, is_tsu], [["left"], is_tsu]]
    assert call("games/puyo/chains.js", "placementOf", wrong) == [None] * 5
    (alone,) = call("games/puyo/chains.js", "placementOf", [[["3"], False]])
    assert alone == {"x": 3, "turn": 0}, "a column alone puts the pair upright"


def test_the_phases_of_a_turn_end_with_the_field_of_the_next_frame(call: Call) -> None:
    """Random matches: whatever falls, pops and rains, the screen comes to what the rules say."""
    game, rng = game_named("puyo"), np.random.default_rng(5)
    state = game.reset([70], 2)
    setting, turns = game.setting(state, 0), []
    while not game.over(state)[0]:
        before, lines = game.frame(state, 0), {}
        actions = game.idle(state)
        for seat in np.flatnonzero(game.to_move(state)[0]).tolist():
            lines[seat] = game.random_answer(state, 0, seat, rng)
            actions[0, seat] = game.parse(state, 0, seat, lines[seat])
        state = game.step(state, actions)
        for seat in (0, 1):
            x, turn = actions[0, seat].tolist()
            answer = {"x": x, "turn": turn} if seat in lines else None
            step = {"before": before, "after": game.frame(state, 0), "seat": seat}
            turns.append(step | {"answer": answer, "locked": None})
    found = call("games/puyo/chains.js", "phasesOf", [[turn | {"setting": setting}] for turn in turns])
    kinds = {phase["kind"] for phases in found for phase in phases}
    assert kinds == {"fly", "drop", "pop", "rain"}
    for turn, phases in zip(turns, found, strict=True):
        if turn["answer"]:
            assert [phase["kind"] for phase in phases[:2]] == ["fly", "drop"]
        for phase in phases:
            assert all(cell["from"] >= cell["row"] for cell in phase.get("moving", ()))
