"""Drawings and conversations of guides: how they are put together, and that each game's material is whole."""

from __future__ import annotations

import pytest

from games.guide.conversation import FIRST_LISTED, Exchange, Question, Script, conversation
from games.guide.drawing import BoardDrawing, Cell, board_of
from games.guide.material import Material
from games.registry import game_named, game_part
from tests.core.toy import RockPaperScissors
from tests.own import OWN


def material(game: str) -> Material:
    found: Material = game_part(game, "guide").MATERIAL
    return found


def script(**more: object) -> Script:
    """Return a match of the toy: two rounds, in which the first seat answers rock and paper."""
    usual: dict[str, object] = {
        "introduction": (("hello", 1),),
        "shown": {1: Question((("round", 1),)), 2: Question((("round", 1),), answer="reply")},
        "own": (("rock",), ("paper",)),
        "others": (("scissors",),),
        "seed": 1,
    }
    return Script(**usual | more)  # type: ignore[arg-type]  # one table for all


# --- Conversations --------------------------------------------------------------------------------------------------


def test_a_conversation_has_the_parts_of_each_question_and_the_answers() -> None:
    first, second = conversation(RockPaperScissors(), script())
    assert first == Exchange(1, (("hello", ("you are 0",)), ("round", ("round 1",))), "answer", ("rock",))
    assert second == Exchange(2, (("round", ("round 2",)),), "reply", ("paper",))


def test_only_questions_that_the_page_shows_are_told() -> None:
    (shown,) = conversation(RockPaperScissors(), script(shown={2: Question((("round", 1),))}))
    assert shown.number == 2
    assert shown.answer == ("paper",)


def test_a_part_of_no_length_has_all_lines_that_remain() -> None:
    (shown,) = conversation(RockPaperScissors(), script(introduction=(), shown={1: Question((("all", 0),))}))
    assert shown.asked == (("all", ("you are 0", "round 1")),)


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ((("round", 2),), "too few lines for its part 'round'"),
        ((("round", 1), ("more", 1)), "too few lines for its part 'more'"),
        ((), "more lines than its parts: 'round 1'"),
    ],
)
def test_a_question_that_has_other_lines_than_the_script_says_is_refused(
    parts: tuple[tuple[str, int], ...], complaint: str
) -> None:
    """So a page cannot go on telling of a protocol that has changed."""
    with pytest.raises(ValueError, match=complaint):
        conversation(RockPaperScissors(), script(shown={1: Question(parts)}))


def test_the_last_answer_of_the_others_is_repeated_and_the_match_ends_with_the_own_ones() -> None:
    own = tuple((word,) for word in ("rock", "paper", "rock"))
    shown = {number: Question((("round", 1),)) for number in (1, 2, 3)}
    found = conversation(RockPaperScissors(), script(own=own, shown=shown, others=(("rock",), ("paper",)), players=3))
    assert [exchange.answer for exchange in found] == [*own]
    with pytest.raises(IndexError):
        conversation(RockPaperScissors(), script(shown={3: Question((("round", 1),))}))


def test_the_first_listed_action_stands_for_an_answer() -> None:
    (first, *_) = conversation(game_named("wondev_woman"), material("wondev_woman").script or script())
    listed = dict(first.asked)["actions"]
    assert first.answer == (listed[0],)
    assert first.answer != (FIRST_LISTED,)


@pytest.mark.parametrize("game", OWN)
def test_the_script_of_a_game_fits_its_protocol(game: str) -> None:
    written = material(game).script
    assert written
    found = conversation(game_named(game), written)
    assert [exchange.number for exchange in found] == sorted(written.shown)
    assert {exchange.name for exchange in found} == {question.answer for question in written.shown.values()}
    for exchange in found:
        assert all(lines for _, lines in exchange.asked)
        assert len({name for name, _ in exchange.asked}) == len(exchange.asked), "each part has a name of its own"


# --- Drawings -------------------------------------------------------------------------------------------------------


def test_a_board_is_drawn_cell_by_cell_with_the_numbers_of_its_rows() -> None:
    drawing = board_of(["ab", "c."], lambda tile, at: Cell(text=f"{tile}{at}"), "below", top_row=5)
    assert drawing.rows == ((Cell(text="a(0, 5)"), Cell(text="b(1, 5)")), (Cell(text="c(0, 6)"), Cell(text=".(1, 6)")))
    assert (drawing.label, drawing.rulers, drawing.top_row) == ("below", True, 5)


def test_a_cell_is_plain_unless_something_is_on_it() -> None:
    assert Cell() == Cell("", "", "", "", marked=False)
    assert BoardDrawing(()).top_row == 0


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in OWN for name in material(game).figures])
def test_each_drawing_of_a_guide_is_made_of_whole_boards(game: str, name: str) -> None:
    figure = material(game).figures[name]()
    assert figure.boards
    for board in figure.boards:
        assert len({len(row) for row in board.rows}) == 1
        assert any(cell.ground for row in board.rows for cell in row)
        assert all(" " not in cell.ground for row in board.rows for cell in row), "one class of the style sheet"


@pytest.mark.parametrize("game", OWN)
def test_a_figure_of_steps_shows_a_change(game: str) -> None:
    for figure in (make() for make in material(game).figures.values()):
        if figure.steps and len(figure.boards) > 1:
            assert all(one != other for one, other in zip(figure.boards, figure.boards[1:], strict=False))


@pytest.mark.parametrize("game", OWN)
def test_the_numbers_of_a_guide_are_those_of_the_rules(game: str) -> None:
    facts, rules = material(game).facts, game_named(game)
    state = rules.reset([0], rules.players[0])
    assert facts["first_cpu_ms"] == rules.cpu_ms(state, 0, 0)
    seats = rules.to_move(state)[0].nonzero()[0].tolist()
    for _ in range(rules.players[0]):
        state = rules.step(state, rules.idle(state))
    assert seats
    assert facts["cpu_ms"] == rules.cpu_ms(state, 0, seats[0])
