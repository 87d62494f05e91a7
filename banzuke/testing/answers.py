"""The part of the contract that is about answers: what is legal, what people are offered, what bots may write."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from banzuke.testing.setups import SEEDS, Setup, view
from core.game import Game, IllegalAnswer
from core.playout import TURNS_MAX, random_choices

OFFERED_EVERY = 7
"""What is offered to people is checked in the first state of a match, and again after each so many turns."""
WORDS = ("", "-1", "0", "1", "99999999999999999999", "1.0", "1e3", "NaN", "٣", "+1", "1_0", "\x00", "x" * 300)
_SIGNS = "0123456789- +_\t\x00\n\r٣²PUTMOVEé漢\u2028\U0001f600"


def wrong_choices_do_nothing(setup: Setup) -> Iterator[str]:
    """No choice, and a choice that is not legal, are the action of ``idle``; a wrong action has the same effect."""
    game = setup.game
    state, _ = setup.midgame()
    legal, idle = game.legal(state), game.idle(state)
    if not np.array_equal(game.choose(state, np.full(legal.shape[:-1], -1)), idle):
        yield "The action of choice -1 is not that of `idle`."
    for number in (*range(legal.shape[-1]), legal.shape[-1], 9_999):
        allowed = legal[..., number] if number < legal.shape[-1] else np.zeros_like(legal[..., 0])
        if not np.array_equal(game.choose(state, np.where(allowed, -1, number)), idle):
            yield f"The choice {number} is not legal, but its action is not that of `idle`."
            return
    after = game.step(state, idle)
    for wrong in (9_999, -9):
        played = game.step(state, np.full_like(idle, wrong))
        if not np.array_equal(game.scores(played), game.scores(after)) or not np.array_equal(
            game.legal(played), game.legal(after)
        ):
            yield f"The action {wrong} is not legal, but `step` does something: it must do nothing."
            return


def offered_lines_are_answers(setup: Setup) -> Iterator[str]:
    """People may choose each offered line, and are offered what random bots play."""
    game, rng = setup.game, np.random.default_rng(0)
    for state, answers in islice(setup.states(5), 0, None, OFFERED_EVERY):
        legal = game.legal(state)
        for seat, lines in answers.items():
            offered = game.lines_offered(state, 0, seat)
            if len(offered) != len(lines) or not all(offered) or any(len({*each}) < len(each) for each in offered):
                yield "`lines_offered` must return a list for each line of the answer: different texts, at least one."
                return
            drawn = type(game).lines_offered is Game.lines_offered
            # An agent may have orders that come to nothing, which random bots give and people are not offered.
            missing = [line for line, each in zip(lines, offered, strict=True) if line not in each]
            if missing and not drawn and legal.ndim <= len("BPN"):
                yield f"`random_answer` gives {missing[0]!r}, but `lines_offered` has no such text."
                return
            for number, texts in enumerate(offered):
                for text in texts:
                    answer = [*lines[:number], text, *lines[number + 1 :]]
                    if problem := _offer_problem(game, state, seat, answer, alone=len(lines) == 1):
                        yield problem
                        return
            yield from answer_problems(setup, state, seat, [texts[rng.integers(len(texts))] for texts in offered])


def _offer_problem(game: Game[Any], state: Any, seat: int, lines: list[str], *, alone: bool) -> str | None:
    """Return what is wrong with how `parse` takes an offered answer, None if nothing is.

    The answer may be illegal if it is not one line alone, since one line may limit the others.
    A seat that may leave has no answer that helps: whatever it is offered then may be refused.
    """
    try:
        action = game.parse(state, 0, seat, lines)
    except IllegalAnswer as error:
        refused = alone and not game.may_leave(state, 0, seat)
        return f"`lines_offered` has {lines[0]!r}, which `parse` refuses: {error}" if refused else None
    except Exception as error:  # noqa: BLE001 - any other is what is searched for
        return f"`parse` raises {type(error).__name__} for the answer {lines}, which `lines_offered` has."
    return f"`lines_offered` has {lines}, which `forgives` calls wrong." if game.forgives(action) else None


def random_choices_end_a_match(setup: Setup) -> Iterator[str]:
    """Only seats to move have choices, and a match of random choices ends."""
    game, rng = setup.game, np.random.default_rng(0)
    state = game.disqualify(setup.reset(*SEEDS), 1, setup.players - 1)
    for _ in range(TURNS_MAX):
        if game.over(state).all():
            break
        legal = game.legal(state)
        if legal.dtype != bool or legal[~game.to_move(state)].any():
            yield "`legal` must be a bool array that is False for all seats that are not to move."
            return
        actions = game.choose(state, random_choices(legal, rng))
        if actions.shape != game.idle(state).shape:
            yield "`choose` must return actions shaped like `idle`."
            return
        state = game.step(state, actions)
    else:
        yield f"A match of random choices does not end within {TURNS_MAX} turns."
        return
    if game.legal(state).any():
        yield "`legal` still allows choices after the match is over."


def legal_answers_are_choices(setup: Setup) -> Iterator[str]:
    """Searches and learning know only choices: they could never play an answer that is not among them."""
    game = setup.game
    for state, answers in setup.states(5):
        legal = game.legal(state)
        if legal.ndim > len("BPN"):
            return  # each agent of a seat has an order, and may be given one that comes to nothing, which is no choice
        played = [game.choose(state, np.full(legal.shape[:-1], choice)) for choice in range(legal.shape[-1])]
        for seat in (seat for seat in answers if legal[0, seat].any()):
            action = game.parse(state, 0, seat, answers[seat])
            same = [np.array_equal(actions[0, seat], action) for actions in played]
            if not (legal[0, seat] & same).any():
                yield f"The answer {answers[seat]} is legal, but none of the choices that `legal` allows means it."
                return


def environments_fit(setup: Setup) -> Iterator[str]:
    """In environments for learning, masks and observations have the same size in all turns of all matches."""
    game, rng = setup.game, np.random.default_rng(0)
    sizes = set()
    for seed in SEEDS:
        state = game.padded(setup.reset(seed), setup.options)
        width = game.width(state)
        for _ in range(TURNS_MAX):
            legal = game.legal(state)
            if legal.shape[-1] > width:
                yield f"`legal` has {legal.shape[-1]} choices, but `width` says that {width} are the most."
                return
            try:
                seen = game.observation(state, setup.players - 1)
            except ValueError as error:
                yield str(error)
                return
            sizes.add((width, *legal.shape[2:-1], *seen.shape, seen.dtype))
            if game.over(state)[0]:
                break
            state = game.step(state, game.choose(state, random_choices(legal, rng), legal))
    if len(sizes) > 1:
        yield "`width` or the shape of `observation` changes with turn or seed: one of them, or `padded`, is wrong."


def hostile_answers_are_illegal_or_actions(setup: Setup) -> Iterator[str]:
    """Random lines, and legal lines with replaced words, raise IllegalAnswer or can be played."""
    state, answers = setup.midgame()
    seat, legal = next(iter(answers.items()))
    dice = random.Random(5)  # noqa: S311 - the same lines in each run
    for _ in range(200):
        for problem in answer_problems(setup, state, seat, _hostile(dice, legal)):
            yield problem
            return


def answer_problems(setup: Setup, state: Any, seat: int, lines: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with how the rules take an answer of a seat, which may be any lines."""
    game = setup.game
    try:
        action = game.parse(state, 0, seat, lines)
    except IllegalAnswer:
        return
    except Exception as error:  # noqa: BLE001 - any other is what is searched for
        kind = type(error).__name__
        answer = ascii(list(lines))[:200]
        yield f"`parse` raises {kind} for the answer {answer}: raise IllegalAnswer for all that is wrong."
        return
    actions = game.idle(state)
    try:
        actions[0, seat] = action
        view(game, game.step(state, actions), 0)
    except Exception as error:  # noqa: BLE001 - as above
        kind = type(error).__name__
        yield f"`parse` takes the answer {ascii(list(lines))[:200]}, but `step` raises {kind} when it is played."


def _hostile(dice: random.Random, legal: Iterable[str]) -> list[str]:
    """Return random lines, or a legal answer with some words replaced, lines left out or added."""
    if dice.random() < 0.3:
        return ["".join(dice.choices(_SIGNS, k=dice.randrange(20))) for _ in range(dice.randrange(12))]
    lines = [
        " ".join(dice.choice(WORDS) if dice.random() < 0.5 else word for word in line.split(" ")) for line in legal
    ]
    return lines if dice.random() < 0.8 else dice.choice(([], lines[1:], lines + lines))
