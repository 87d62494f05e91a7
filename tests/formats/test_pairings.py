"""``pairing_decide``: when a pairing is over, and for whom."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.model import Decided, Format, Outcome, Pairing, Stage
from formats.pairings import decided_by_hand, pairing_decide, points_of
from tests.formats.playing import encounter_played, entrants_made, random_of

WON = [[1, 2], [1, 2]]
LOST = [[2, 1], [2, 1]]
TIED = [[1, 2], [2, 1]]
HALF = [[1, 2], None]
KNOCKOUT = Stage(Format.SINGLE_ELIMINATION, best_of=5, extra_max=2)
LEAGUE = Stage(Format.ROUND_ROBIN, best_of=5)
Matches = Sequence[Sequence[Sequence[int] | None]]


def decide(stage: Stage, encounters: Matches, numbers: tuple[int, ...] = (1, 2), **left: int) -> Decided | int:
    entrants = entrants_made(max(numbers))
    for name in left:
        number = int(name.removeprefix("left"))
        entrants[number - 1] = type(entrants[0])(number, name, left=(0, 1))
    return pairing_decide(stage=stage, pairing=Pairing(0, 1, 1, numbers), entrants=entrants, encounters=encounters)


def test_points_are_the_share_of_the_opponents_that_one_beat() -> None:
    assert points_of([3, 1]) == (1, 0)
    assert points_of([2, 2]) == (0.5, 0.5)
    assert points_of([4, 3, 2, 1]) == (1, 2 / 3, 1 / 3, 0)
    assert points_of([5, 1, 1]) == (1, 0.25, 0.25)


@pytest.mark.parametrize(
    ("encounters", "wanted"),
    [
        # As many as the leader needs if it wins them all.
        ([], 3),
        ([WON], 3),
        ([WON, WON], 3),
        ([WON, LOST], 4),
        ([TIED, TIED], 4),
        ([WON, LOST, TIED], 5),
        ([HALF, WON, WON], 3),
        # After a tie, one at a time.
        ([WON, LOST, WON, LOST, TIED], 6),
        ([WON, LOST, WON, LOST, TIED, TIED], 7),
    ],
)
def test_a_knockout_asks_for_as_few_encounters_as_decide_it(encounters: Matches, wanted: int) -> None:
    assert decide(KNOCKOUT, encounters) == wanted


@pytest.mark.parametrize(
    ("encounters", "points", "winner"),
    [
        ([WON, WON, WON], (1, 0), 1),
        ([LOST, LOST, WON, LOST], (0, 1), 2),
        ([WON, TIED, TIED, TIED, TIED], (1, 0), 1),
        # The extra encounters decide, and then the better seed number.
        ([WON, LOST, WON, LOST, TIED, LOST], (0, 1), 2),
        ([TIED] * 7, (0.5, 0.5), 1),
    ],
)
def test_a_knockout_ends_when_nobody_reaches_the_leader(
    encounters: Matches, points: tuple[float, float], winner: int
) -> None:
    decided = decide(KNOCKOUT, encounters)
    assert isinstance(decided, Decided)
    assert (decided.points, decided.winner, decided.outcome) == (points, winner, Outcome.PLAYED)
    assert decided.played == 2 * len(encounters)


def test_a_league_plays_all_encounters() -> None:
    assert decide(LEAGUE, [WON, WON, WON]) == 5
    decided = decide(LEAGUE, [WON, WON, WON, LOST, TIED])
    assert decided == Decided(Pairing(0, 1, 1, (1, 2)), points=(1, 0), games=(7, 3), played=10)


def test_encounters_beyond_the_decision_do_not_count() -> None:
    """They were made before the results came that decided the pairing."""
    decided = decide(KNOCKOUT, [WON, WON, WON, LOST])
    assert isinstance(decided, Decided)
    assert (decided.games, decided.played) == ((6, 0), 6)


def test_who_has_left_loses_without_a_match() -> None:
    decided = decide(KNOCKOUT, [LOST, LOST], left2=1)
    assert decided == Decided(Pairing(0, 1, 1, (1, 2)), points=(1, 0), outcome=Outcome.FORFEIT, winner=1)
    decided = decide(KNOCKOUT, [], left1=1, left2=1)
    assert decided == Decided(Pairing(0, 1, 1, (1, 2)), points=(0, 0), outcome=Outcome.FORFEIT, winner=1)


def test_equal_sums_of_thirds_are_equal() -> None:
    """A table of four in which every seat wins once: each entrant has 1, 2/3, 1/3 and 0 points, in another order."""
    ranks = [[1 + (place + rotation) % 4 for place in range(4)] for rotation in range(4)]
    decided = decide(Stage(Format.ROUND_ROBIN, table_size=4), [ranks], numbers=(1, 2, 3, 4))
    assert isinstance(decided, Decided)
    assert (decided.points, decided.games) == ((0.5,) * 4, (2.0,) * 4)


def test_one_who_leaves_a_larger_pairing_loses_to_all_who_stay() -> None:
    stage = Stage(Format.SWISS, rounds=1, table_size=4)
    decided = decide(stage, [], numbers=(1, 2, 3, 4), left1=1)
    assert isinstance(decided, Decided)
    assert decided.points == (0, *(2 / 3,) * 3)


def test_encounters_that_have_ended_count_when_one_leaves_a_larger_pairing() -> None:
    """The best seed has lost every match when the fourth leaves: it does not go on."""
    stage = Stage(Format.SINGLE_ELIMINATION, table_size=4, best_of=3)
    decided = decide(stage, [[[4, 1, 2, 3]] * 4, [[1, 2, 3, 4], None, None, None]], numbers=(1, 2, 3, 4), left4=1)
    assert isinstance(decided, Decided)
    assert decided.points == pytest.approx((1 / 3, 1, 2 / 3, 0))
    assert (decided.winner, decided.outcome) == (2, Outcome.FORFEIT)


def test_a_bye_gives_a_win() -> None:
    decided = decide(KNOCKOUT, [], numbers=(3,))
    assert decided == Decided(Pairing(0, 1, 1, (3,)), points=(1,), outcome=Outcome.BYE, winner=3)


@pytest.mark.parametrize("points", [(1.0,), (1.5, 0.0), (-0.1, 0.5)])
def test_points_by_hand_are_checked(points: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="2 numbers from 0 to 1"):
        decided_by_hand(stage=LEAGUE, pairing=Pairing(0, 1, 1, (1, 2)), points=points)


@given(
    size=st.integers(2, 4),
    best_of=st.integers(1, 7),
    extra_max=st.integers(0, 3),
    is_knockout=st.booleans(),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=150)
def test_a_pairing_ends_and_asks_for_no_encounter_in_vain(
    size: int, best_of: int, extra_max: int, is_knockout: bool, seed: int
) -> None:
    """The winner stays ahead, whatever the encounters that were not played would have brought."""
    rng = random_of(seed)
    chosen = Format.SINGLE_ELIMINATION if is_knockout else Format.SWISS
    stage = Stage(chosen, rounds=1, table_size=size, best_of=best_of, extra_max=extra_max)
    numbers = tuple(range(1, size + 1))
    encounters: list[list[list[int]]] = []
    while isinstance(wanted := decide(stage, encounters, numbers), int):
        assert len(encounters) < wanted <= best_of + (extra_max if is_knockout else 0)
        encounters.append(encounter_played(rng, [0.0] * size))
    assert wanted.played == size * len(encounters)
    totals = [0.0] * size
    for matches in encounters:
        gained = [points_of([-rank for rank in ranks]) for ranks in matches]
        sums = [round(sum(points[seat] for points in gained), 6) for seat in range(size)]
        totals = [total + points for total, points in zip(totals, points_of(sums), strict=True)]
    assert wanted.points == pytest.approx(points_of([round(total, 6) for total in totals]))
    assert sum(wanted.points) == pytest.approx(size / 2)
    if not is_knockout:
        assert len(encounters) == best_of
        assert not wanted.winner
        return
    best, second = sorted(totals, reverse=True)[:2]
    if len(encounters) < best_of:
        assert best > second + best_of - len(encounters) + 1e-6
    assert totals[wanted.winner - 1] == pytest.approx(best)
    if len(encounters) < best_of + extra_max:
        assert best > second


@given(data=st.data())
def test_a_pairing_never_asks_for_fewer_encounters_than_it_has(data: st.DataObject) -> None:
    """Encounters of which some matches still run: the answer only grows, or the pairing is decided."""
    matches = st.lists(st.sampled_from([WON, LOST, TIED, HALF]), max_size=7)
    encounters = data.draw(matches)
    decided = decide(KNOCKOUT, encounters)
    if isinstance(decided, int):
        assert decided >= len(encounters)
        assert decided <= max(len(encounters), 7)
