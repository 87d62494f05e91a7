"""Random fields, placements and whole matches have the results of the plain reference."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.puyo import PLACEMENTS, State
from games.puyo.chain import resolve
from games.puyo.field import COLUMNS, SMASH, TSU, Ruleset, heights, rain
from games.puyo.placements import drop, expand, reachable, triggers
from games.puyo.rules import legal
from games.puyo.state import preview
from tests.games.puyo import plain
from tests.games.puyo.positions import GAME, TABLES, columns, drawn, numbers, packed, pictures, settled

pytestmark = pytest.mark.test_all

both = pytest.mark.parametrize("rules", [TSU, SMASH], ids=lambda rules: rules.name)


@both
@settings(max_examples=150)
@given(data=st.data())
def test_chains(rules: Ruleset, data: st.DataObject) -> None:
    fields = data.draw(st.lists(columns(rules, data.draw(st.integers(2, rules.colours))), min_size=1, max_size=20))
    resolved = resolve(rules, packed(fields, rules))
    for n, field in enumerate(fields):
        assert plain.resolve(field, TABLES[rules]) == (resolved.chains[n], resolved.score[n])
    assert pictures(resolved.fields, rules) == [drawn(field, rules) for field in fields]


@both
@settings(max_examples=100)
@given(data=st.data())
def test_placements(rules: Ruleset, data: st.DataObject) -> None:
    fields = data.draw(st.lists(columns(rules), min_size=1, max_size=10))
    colour = st.integers(1, rules.colours)
    pairs = [data.draw(st.tuples(colour, colour)) for _ in fields]
    moves = [data.draw(st.sampled_from(PLACEMENTS)) for _ in fields]
    after, room = drop(rules, packed(fields, rules), np.array(pairs).T, np.array(moves).T)
    placed = [
        plain.place(field, pair, move, TABLES[rules]) for field, pair, move in zip(fields, pairs, moves, strict=True)
    ]
    assert room.tolist() == placed
    assert pictures(after, rules) == [drawn(field, rules) for field in fields]


@both
@settings(max_examples=60)
@given(data=st.data())
def test_expansions_are_all_placements_with_their_chains(rules: Ruleset, data: st.DataObject) -> None:
    fields = data.draw(st.lists(settled(rules), min_size=1, max_size=5))
    colour = st.integers(1, rules.colours)
    pair = data.draw(st.tuples(colour, colour) | colour.map(lambda each: (each, each)))
    expansion = expand(rules, packed(fields, rules), pair)
    for n, field in enumerate(fields):
        levels = [len(column) for column in field]
        allowed = plain.reachable(levels) if rules is TSU else plain.fitting(levels)
        for number, move in enumerate(PLACEMENTS):
            after = copy.deepcopy(field)
            assert expansion.legal[number, n] == (move in allowed)
            if move in allowed:
                plain.place(after, pair, move, TABLES[rules])
                found = expansion.chains[number, n], expansion.score[number, n]
                assert plain.resolve(after, TABLES[rules]) == found
                assert pictures(expansion.fields[:, number, n : n + 1], rules) == [drawn(after, rules)]


@both
@settings(max_examples=60)
@given(data=st.data())
def test_triggers_are_where_one_more_puyo_pops(rules: Ruleset, data: st.DataObject) -> None:
    field = data.draw(settled(rules))
    found = triggers(rules, packed([field], rules))[:, 0]
    for x in range(COLUMNS):
        height = len(field[x])
        for colour in range(1, rules.colours + 1):
            after = copy.deepcopy(field)
            after[x].append(colour)
            popping = height < 12 and bool(plain.groups(after))
            assert bool(int(found[x]) >> int(rules.bits) * height & 1 << colour - 1) == popping


@settings(max_examples=300)
@given(st.lists(st.lists(st.sampled_from([0, 5, 9, 10, 11, 11, 12, 12, 13]), min_size=6, max_size=6), min_size=1))
def test_reachable_placements(levels: list[list[int]]) -> None:
    allowed = reachable(np.array(levels).T)
    for n, level in enumerate(levels):
        assert [move for number, move in enumerate(PLACEMENTS) if allowed[number, n]] == plain.reachable(level)


@both
@settings(max_examples=60)
@given(data=st.data())
def test_garbage_fits_or_vanishes(rules: Ruleset, data: st.DataObject) -> None:
    field = data.draw(columns(rules))
    counts = data.draw(st.lists(st.integers(0, 20) | st.integers(0, 2**31), min_size=6, max_size=6))
    after = rain(rules, packed([field], rules), np.array(counts)[:, None])
    for column, count in zip(field, counts, strict=True):
        column += [plain.GARBAGE] * min(count, rules.rows - len(column))
    assert pictures(after, rules) == [drawn(field, rules)]


def plain_match(state: State, b: int) -> plain.Match:
    """Return a match at its start."""
    return plain.Match(state.supply.pairs[..., b].tolist(), state.supply.turns[..., b].argsort(axis=1).tolist())


def choose(state: State, dice: random.Random, daring: float) -> np.ndarray:
    """Return legal moves (B, P, 2), random ones or such that pop, so that much garbage is sent."""
    moves = np.full((state.over.size, 2, 2), -1)
    allowed = legal(state)
    for b in range(state.over.size):
        for seat in range(2):
            choices = np.flatnonzero(allowed[:, seat, b]).tolist()
            if not state.asked[seat, b] or not choices:
                continue
            best = max(choices, key=lambda number: _worth(state, seat, b, number))
            number = best if dice.random() < daring else dice.choice(choices)
            moves[b, seat] = PLACEMENTS[number]
    return moves


def _worth(state: State, seat: int, b: int, number: int) -> tuple[int, int]:
    """Return the value of a move: its points or, without any, that of a low field."""
    fields = state.fields[:, seat, b : b + 1]
    pair = preview(state)[0, :, seat, b : b + 1]
    after = resolve(state.rules, drop(state.rules, fields, pair, np.array(PLACEMENTS[number])[:, None])[0])
    return int(after.score[0]), -int(heights(state.rules, after.fields).max())


@pytest.mark.parametrize("daring", [0.3, 0.8, 0.95])
def test_matches_of_tsu(daring: float) -> None:
    dice = random.Random(2)  # noqa: S311 - no secret
    state = GAME.reset(range(4))
    matches = [plain_match(state, b) for b in range(4)]
    seen = {"pending": 0, "fixed": 0, "chain": 0, "falls": 0}
    for _ in range(400):
        if state.over.all():
            break
        moves = choose(state, dice, daring)
        asked = state.asked
        for b, match in enumerate(matches):
            if not match.over:
                match.step([tuple(moves[b, seat].tolist()) if asked[seat, b] else None for seat in range(2)])
        state = GAME.step(state, moves)
        for b, match in enumerate(matches):
            assert match.over == state.over[b]
            assert match.tick == state.tick[b]
            for seat, player in enumerate(match.players):
                for name in ("index", "score", "pending", "fixed", "carry", "all_clear", "chain", "falls", "dead"):
                    assert getattr(player, name) == getattr(state, name)[seat, b]
                assert GAME.observe(state, b, seat) == match.lines(seat)
        for name in seen:
            seen[name] = max(seen[name], int(getattr(state, name).max()))
    assert state.over.all()
    assert min(seen.values()) > 0


def test_matches_of_smash_the_code() -> None:
    dice = random.Random(0)  # noqa: S311 - no secret
    state = GAME.reset([7], 2, {"ruleset": "smash_the_code"})
    pairs = state.supply.pairs[..., 0].tolist()
    fields: list[plain.Field] = [[[] for _ in range(COLUMNS)] for _ in range(2)]
    scores, carries, skulls, dead, fallen = [0, 0], [0, 0], [0, 0], [False, False], 0
    for turn in range(200):
        moves = choose(state, dice, 0.95)
        moves[moves < 0] = 0
        for seat, field in enumerate(fields):
            for column in field:
                column += [plain.GARBAGE] * min(skulls[seat], 12 - len(column))
            fallen += skulls[seat]
            dead[seat] = not plain.place(field, pairs[turn], tuple(moves[0, seat].tolist()), plain.SMASH)
            gained = 0 if dead[seat] else plain.resolve(field, plain.SMASH)[1]
            scores[seat] += gained
            carries[seat] += gained
        skulls = [carries[1] // 420, carries[0] // 420]
        carries = [carry % 420 for carry in carries]
        state = GAME.step(state, moves)
        found = numbers(state, "score", "carry", "pending", "dead")
        assert found == [scores, carries, skulls, dead]
        assert pictures(state.fields[..., 0], SMASH) == [drawn(field, SMASH) for field in fields]
        if any(dead):
            break
    assert state.over[0]
    assert fallen > 0
