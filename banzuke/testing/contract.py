"""The contract of ``core.game.Game`` as checks, each of which takes a setup and yields what is wrong, in sentences.

The checks play random matches by the rules. What they need not understand (how a board is won, say) they do not test.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from banzuke.testing.answers import (
    environments_fit,
    hostile_answers_are_illegal_or_actions,
    legal_answers_are_choices,
    offered_lines_are_answers,
    random_choices_end_a_match,
    wrong_choices_do_nothing,
)
from banzuke.testing.setups import SEEDS, Setup, answered, view
from core.game import BadOptions, IllegalAnswer
from core.playout import TURNS_MAX, Endless, play_turn, random_choices
from core.replay import BadReplay, ReplayMismatch, decode, encode
from core.simple import SimpleGame
from core.variants import options_check, table_sizes
from games.replays import positions, verify

ROWS_MAX, COLUMNS_MAX = 100, 200
"""The largest text board."""
_DEPENDS = (
    "the rules may depend on nothing but seed, options and answers (no `random` without the seed, no clock, no value"
    " that is kept between calls)."
)
Check = Callable[[Setup], Iterator[str]]


def random_matches_end(setup: Setup) -> Iterator[str]:
    """A random match comes to its end, and no legal answer is refused."""
    try:
        answers = setup.answers(5)
    except Endless:
        yield f"`over` is still false after {TURNS_MAX} turns of random answers: limit the turns of a match."
    except IllegalAnswer as error:
        yield f"`parse` refuses an answer that the game itself calls legal: {error}"
    else:
        if not any(answers):
            yield "No seat is asked in a whole match: let `ask` return lines (a Game: `to_move` be true)."


def matches_repeat(setup: Setup) -> Iterator[str]:
    """The same seed and answers lead to the same questions."""
    seats = range(setup.players)
    try:
        first, again = (
            [[setup.game.observe(state, 0, seat) for seat in seats] for state, _ in setup.states(5)] for _ in range(2)
        )
    except IllegalAnswer:  # an answer was legal when the match was played first
        first, again = [], [[]]
    if first != again:
        yield f"The match of seed 5 differs when it is played again: {_DEPENDS}"


def values_are_json(setup: Setup) -> Iterator[str]:
    """Frame and setting hold what JSON can say, and no types of numpy, which read as something else again."""
    simple = getattr(setup.game, "simple", None)
    for state, _ in setup.states(5):
        if isinstance(simple, SimpleGame):  # as its author returns them
            board = state.boards[0].state
            values = {"setting": simple.setting(board), "frame": simple.frame(board)}
        else:
            values = {"setting": setup.game.setting(state, 0), "frame": setup.game.frame(state, 0)}
            if setup.game.hides:
                values["seen"] = setup.game.seen(state, 0, setup.players - 1)
        for name, value in values.items():
            for problem in no_json(value, f"`{name}`"):
                yield problem
                return


def no_json(value: Any, place: str) -> Iterator[str]:
    """Yield in sentences what in a value cannot be written as JSON; ``place`` names the value."""
    if isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                yield f"{place} has the key {key!r}, but keys of JSON are text: use str({key!r})."
            yield from no_json(part, f"{place}[{key!r}]")
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from no_json(part, f"{place}[{number}]")
    elif type(value) is float and not np.isfinite(value):
        yield f"{place} is {value}, which JSON cannot say: use a finite number or None."
    elif type(value) not in (str, int, float, bool, type(None)):
        kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
        yield f"{place} is a {kind}, which is no JSON: use dict, list, str, int, float, bool or None."


def text_boards_fit(setup: Setup) -> Iterator[str]:
    """The text board of a frame, if it has one, is a list of printable lines that fit on a page."""
    for turn, (state, _) in enumerate(setup.states(5)):
        rows = setup.game.frame(state, 0).get("rows", [])
        if not isinstance(rows, list) or not all(isinstance(row, str) and row.isprintable() for row in rows):
            yield f"The `rows` of `frame` in turn {turn} are no list of printable strings: give a string for each row."
            return
        if len(rows) > ROWS_MAX or max(map(len, rows), default=0) > COLUMNS_MAX:
            yield (
                f"`frame` draws outside its board: in turn {turn}, `rows` has more than {ROWS_MAX} rows or"
                f" {COLUMNS_MAX} columns."
            )
            return


def boards_of_a_batch_play_as_if_alone(setup: Setup) -> Iterator[str]:
    """Neither the other boards of a batch nor earlier matches change a match."""
    game = setup.game
    alone = {seed: [(view(game, state, 0), answers) for state, answers in setup.states(seed)] for seed in SEEDS}
    for order in ((0, 1, 2), (2, 0, 1)):
        seeds = [SEEDS[index] for index in order]
        together = setup.reset(*seeds)
        for turn in range(max(map(len, alone.values()))):
            now = [alone[seed][min(turn, len(alone[seed]) - 1)] for seed in seeds]
            for b, (shown, _) in enumerate(now):
                if view(game, together, b) != shown:
                    yield (
                        f"The match of seed {seeds[b]} differs in turn {turn} when it is played again beside others: "
                        + _DEPENDS
                    )
                    return
            together = answered(game, together, {b: answers for b, (_, answers) in enumerate(now)})
        if not game.over(together).all():
            yield "A match that has ended is not over when it is played beside others."
            return


def states_never_change(setup: Setup) -> Iterator[str]:
    """No method changes the state that it is given; copies of a state are as good as the state."""
    game = setup.game
    state, answers = setup.midgame()
    before, shown = pickle.dumps(state), view(game, state, 0)
    after = view(game, answered(game, state, {0: answers}), 0)
    game.disqualify(state, 0, 0)
    game.random_answer(state, 0, next(iter(answers)), np.random.default_rng(0))
    if pickle.dumps(state) != before:
        yield "A method changes the state that it is given: return a new state, and leave the old one as it is."
        return
    for twin in (pickle.loads(before), copy.deepcopy(state), copy.copy(state)):  # noqa: S301 - our own bytes
        if (view(game, twin, 0), view(game, answered(game, twin, {0: answers}), 0)) != (shown, after):
            yield "A copy of a state plays another match: a state may hold values only, no link to something outside."
            return


def returned_values_may_be_changed(setup: Setup) -> Iterator[str]:
    """Values that are computed once for several callers must be copied for each of them."""
    game = setup.game
    state, answers = setup.midgame()
    shown = view(game, state, 0)
    values = {"frame": game.frame(state, 0), "setting": game.setting(state, 0)}
    for name, value in [*values.items(), *(("observe", game.observe(state, 0, seat)) for seat in answers)]:
        _spoil(value)
        if view(game, state, 0) != shown:
            yield f"What `{name}` returns is a part of the state: return a copy, so that callers may change it."
            return


def _spoil(value: Any) -> None:
    """Clear a list or dictionary, and all within it."""
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            _spoil(part)
        value.clear()


def arrays_have_their_shapes(setup: Setup) -> Iterator[str]:
    """Arrays have the shapes and types of ``core.game.Game``; frames count the turns."""
    game, shape = setup.game, (1, setup.players)
    for turn, (state, answers) in enumerate(setup.states(5)):
        over, idle, scores, ranks, asked = (
            function(state) for function in (game.over, game.idle, game.scores, game.ranks, game.to_move)
        )
        wanted = {
            "`over` is a bool array (B,)": over.shape == (1,) and over.dtype == bool,
            "`to_move` is a bool array (B, P)": asked.shape == shape and asked.dtype == bool,
            "`scores` is a float64 array (B, P)": scores.shape == shape and scores.dtype == np.float64,
            "`scores` has finite numbers": np.isfinite(scores).all(),
            "`ranks` is an integer array (B, P)": ranks.shape == shape and np.issubdtype(ranks.dtype, np.integer),
            "`ranks` begins with 1": ranks.min() == 1,
            "`idle` is a writable integer array (B, P, ...)": idle.shape[:2] == shape
            and np.issubdtype(idle.dtype, np.integer)
            and idle.flags.writeable,
            "`over` is false while a seat is asked": not answers or not over[0],
            "`frame` counts the turns in its `turn`": game.frame(state, 0).get("turn") == turn,
        }
        for seat, lines in answers.items():
            parsed = game.parse(state, 0, seat, lines)
            wanted["`parse` returns an action shaped like `idle(state)[b, seat]`"] = (
                np.shape(parsed) == idle[0, seat].shape
            )
            wanted["`answer_lines` is the number of lines of a legal answer"] = game.answer_lines(
                state, 0, seat
            ) == len(lines)
            wanted["`cpu_ms` is more than 0"] = game.cpu_ms(state, 0, seat) > 0
        if wrong := [sentence for sentence, holds in wanted.items() if not holds]:
            yield from (f"This does not hold in turn {turn}, and must: {sentence}." for sentence in wrong)
            return


def questions_have_whole_lines(setup: Setup) -> Iterator[str]:
    """Lines for bots are ASCII and have no line breaks, which all languages read alike."""
    for state, _ in setup.states(5):
        for seat in range(setup.players):
            for line in setup.game.introduce(state, 0, seat) + setup.game.observe(state, 0, seat):
                if not isinstance(line, str) or not line.isascii() or line.splitlines() != [line]:
                    yield (
                        f"A bot would be asked {line!r}: each line is a str of ASCII signs, not empty, and has no line"
                        " break."
                    )
                    return


def nothing_is_told_of_the_start(setup: Setup) -> Iterator[str]:
    """There are no events before the first turn."""
    state = setup.reset(5)
    if setup.game.commentary(setup.game.setting(state, 0), [setup.game.frame(state, 0)]):
        yield "`commentary` tells something of the first frame, before anything was played: return an empty list."


def matches_that_are_over_stay(setup: Setup) -> Iterator[str]:
    """A board that is over asks nobody and does not change."""
    *_, (end, _) = setup.states(5)
    if setup.game.to_move(end).any():
        yield "A seat is asked after the match is over."
    elif view(setup.game, setup.game.step(end, setup.game.idle(end)), 0) != view(setup.game, end, 0):
        yield "`step` changes a board that is over: other boards of its batch go on, so it must stay as it is."


def seats_at_fault_do_nothing(setup: Setup) -> Iterator[str]:
    """A disqualified seat is not asked, ranks last, and its actions are ignored."""
    game = setup.game
    state, answers = setup.midgame()
    seat = next(iter(answers))
    out = game.disqualify(state, 0, seat)
    if game.to_move(out)[0, seat]:
        yield "A disqualified seat is still asked: `to_move` must be false for it."
        return
    if game.faults_rank_last and game.ranks(out)[0, seat] != setup.players:
        yield "A disqualified seat does not rank last: let `ranks` put it last, or set `faults_rank_last` to False."
    others = {other: lines for other, lines in answers.items() if other != seat and game.to_move(out)[0, other]}
    actions = game.idle(out)
    actions[0, seat] = game.parse(state, 0, seat, answers[seat])
    for other, lines in others.items():
        actions[0, other] = game.parse(out, 0, other, lines)
    if view(game, game.step(out, actions), 0) != view(game, answered(game, out, {0: others}), 0):
        yield "`step` plays the action of a disqualified seat: it must ignore it."


def matches_of_one_seat_end(setup: Setup) -> Iterator[str]:
    """A match goes on and ends when all seats but the first are at fault."""
    game, rng = setup.game, np.random.default_rng(0)
    state = setup.reset(5)
    for seat in range(1, setup.players):
        state = game.disqualify(state, 0, seat)
    for _ in range(TURNS_MAX):
        if game.over(state)[0]:
            break
        asked = np.flatnonzero(game.to_move(state)[0]).tolist()
        state = play_turn(game, state, {seat: game.random_answer(state, 0, seat, rng) for seat in asked})
    else:
        yield f"With all seats but the first out, the match does not end within {TURNS_MAX} turns."
        return
    if game.faults_rank_last and game.ranks(state)[0].tolist() != [1] + [2] * (setup.players - 1):
        yield "With all seats but the first out, `ranks` must be 1 for the first and 2 for the others."


def bad_options_are_refused(setup: Setup) -> Iterator[str]:
    """Unknown options and numbers of players raise BadOptions."""
    for players, options in [(0, {}), (99, {}), (setup.players, {"no such option": 1})]:
        try:
            setup.game.reset([0], players, options)
        except BadOptions:
            continue
        wrong = f"the options {options}" if options else f"{players} players"
        yield f"The game can be set up with {wrong}: raise BadOptions, whose sentence tells what is allowed."


def variants_fit(setup: Setup) -> Iterator[str]:
    """A ruleset is for some of the game's numbers of players, and ``core.variants`` can set its matches up."""
    game = setup.game
    if unknown := sorted(game.ruleset_players.keys() - game.rulesets.keys()):
        yield f"`ruleset_players` has {unknown[0]!r}, which is none of the `rulesets`."
    if not {*table_sizes(game, setup.ruleset)} <= {*game.players}:
        yield f"`ruleset_players` has more players for {setup.ruleset!r} than `players`."
        return
    try:
        known = options_check(game, setup.ruleset, {}, setup.players)
    except BadOptions as error:
        yield f"The ruleset {setup.ruleset!r} cannot be played: {error}"
        return
    if known != setup.options:
        yield f"The options of the ruleset {setup.ruleset!r} are read as {known}."


def selected_boards_play_on_as_before(setup: Setup) -> Iterator[str]:
    """``take`` selects boards of a batch, which then play on like the ones that they were taken from."""
    game, picked = setup.game, [2, 0, 2]
    batch = setup.reset(*SEEDS)
    for _ in range(12):
        some = game.take(batch, picked)
        choices = random_choices(game.legal(batch), np.random.default_rng(0))
        after = game.step(batch, game.choose(batch, choices))
        some_after = game.step(some, game.choose(some, choices[picked]))
        for whole, part in ((batch, some), (after, some_after)):
            if [view(game, part, b) for b in range(3)] != [view(game, whole, b) for b in picked]:
                yield "Boards that `take` has selected differ from those that they were taken from."
                return
        batch = after


def batches_may_be_empty(setup: Setup) -> Iterator[str]:
    """A batch of no boards can be played."""
    game = setup.game
    for state in (setup.reset(), game.take(setup.reset(*SEEDS), [])):
        after = state
        for _ in range(3):
            choices = random_choices(game.legal(after), np.random.default_rng(0))
            after = game.step(after, game.choose(after, choices))
        shapes = [function(after).shape for function in (game.to_move, game.over, game.scores, game.ranks)]
        wanted = [(0, setup.players), (0,), (0, setup.players), (0, setup.players)]
        if shapes != wanted or game.idle(after).shape[:2] != (0, setup.players):
            yield "With no boards, `to_move`, `scores`, `ranks` and `idle` must be (0, P) and `over` (0,)."
            return


def replays_verify(setup: Setup) -> Iterator[str]:
    """Matches repeat, and their replays verify."""
    records = setup.match(5)
    if records != setup.match(5):
        yield f"The same answers make another match: {_DEPENDS}"
        return
    try:
        written = encode(records)
        if decode(written) != records:
            yield "Frames differ after they were written as JSON and read: use text as keys, and lists, no tuples."
            return
        verify(written)
    except (BadReplay, ReplayMismatch) as error:
        yield f"The replay of a random match cannot be verified: {error}"


def positions_are_those_of_the_match(setup: Setup) -> Iterator[str]:
    """The states of a replay are those of its match, also in matches with seats at fault."""
    game = setup.game
    for records in (setup.match(), setup.short_match()):
        made = list(positions(records))
        state, actions = made[-1]
        same = [game.frame(state, 0) for state, _ in made] == [record["frame"] for record in records[:-2]]
        if not same or game.scores(game.step(state, actions))[0].tolist() != records[-1]["scores"]:
            yield (
                "The states of a replay are not those of its match: `step` must take seats at fault and the action of"
                " `idle` as the referee does."
            )
            return


CHECKS: tuple[Check, ...] = (
    text_boards_fit,
    boards_of_a_batch_play_as_if_alone,
    states_never_change,
    returned_values_may_be_changed,
    arrays_have_their_shapes,
    questions_have_whole_lines,
    nothing_is_told_of_the_start,
    matches_that_are_over_stay,
    seats_at_fault_do_nothing,
    matches_of_one_seat_end,
    bad_options_are_refused,
    variants_fit,
    selected_boards_play_on_as_before,
    batches_may_be_empty,
    wrong_choices_do_nothing,
    offered_lines_are_answers,
    random_choices_end_a_match,
    legal_answers_are_choices,
    environments_fit,
    hostile_answers_are_illegal_or_actions,
    replays_verify,
    positions_are_those_of_the_match,
)
"""What holds of each setup that can be played (``FIRST``)."""
FIRST: tuple[Check, ...] = (random_matches_end, matches_repeat, values_are_json)
"""What must hold before the other checks make sense."""
