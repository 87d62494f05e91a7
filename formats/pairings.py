"""Decides a pairing from its matches: pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from formats.model import KNOCKOUTS, Decided, Entrant, Outcome, Pairing, Stage

Encounter = Sequence[Sequence[int] | None]
"""The matches of an encounter in their order: the ranks of the pairing's entrants, in its order, 1 is best; None for a
match that has not ended."""


def points_of(values: Sequence[float]) -> tuple[float, ...]:
    """Return the points of each entrant: the share of the others with smaller values; equal ones count half.

    Values are equal if they differ by less than a millionth: sums of thirds depend a little on their order.
    """
    values = _rounded(values)
    others = len(values) - 1
    return tuple(
        (sum(own > value for value in values) + (sum(own == value for value in values) - 1) / 2) / others
        for own in values
    )


def pairing_decide(
    *, stage: Stage, pairing: Pairing, entrants: Sequence[Entrant], encounters: Sequence[Encounter]
) -> Decided | int:
    """Decide a pairing, or say how many encounters it should have by now.

    A pairing without opponents is decided without matches, and one with entrants that have left without further ones:
    among those who stay, the encounters that have ended count, and who has left gets nothing. In a round robin or
    Swiss, all ``best_of`` encounters are played, since match points break ties. In a knockout, only as many are asked
    for as are needed if the leader wins them all; a tie after ``best_of`` is followed by at most ``extra_max`` further
    encounters, one by one, and then the better seed number goes on.

    Args:
        stage: the stage that the pairing belongs to.
        pairing: the pairing.
        entrants: all entrants of the tournament.
        encounters: those made so far, in the order of their numbers.

    Returns:
        The decided pairing; or, while it is undecided, the number of encounters that should be made (at least as many
        as there are).
    """
    known = {entrant.number: entrant for entrant in entrants}
    plays = [known[number].plays(pairing.stage, pairing.round) for number in pairing.entrants]
    if len(plays) == 1:
        return Decided(pairing, points=(1.0,), outcome=Outcome.BYE, winner=pairing.entrants[0])
    done = [[points_of([-rank for rank in ranks]) for ranks in each if ranks is not None] for each in encounters]
    if not all(plays):
        return _forfeit(stage, pairing, plays, [matches for matches in done if len(matches) == len(plays)])
    is_knockout = stage.format in KNOCKOUTS
    totals = [0.0] * len(plays)
    counted = 0
    for matches in done:
        if len(matches) < len(plays):
            return max(len(encounters), _wanted(stage, totals, counted, is_knockout=is_knockout))
        sums = [sum(each) for each in zip(*matches, strict=True)]
        totals = [total + points for total, points in zip(totals, points_of(sums), strict=True)]
        counted += 1
        if is_knockout and _is_decided(stage, totals, counted):
            break
    wanted = _wanted(stage, totals, counted, is_knockout=is_knockout)
    if counted < wanted:
        return wanted
    games = _rounded(
        [sum(points[seat] for matches in done[:counted] for points in matches) for seat in range(len(plays))]
    )
    winner = _winner(stage, pairing, totals)
    return Decided(pairing, points=points_of(totals), games=games, played=counted * len(plays), winner=winner)


def _forfeit(
    stage: Stage, pairing: Pairing, plays: Sequence[bool], ended: Sequence[Sequence[Sequence[float]]]
) -> Decided:
    """Decide a pairing with entrants that have left, by its encounters that have ended.

    ``plays`` tells for each entrant whether it has not left; ``ended`` are the entrants' points in each match of each
    of these encounters.
    """
    totals = [0.0] * len(plays)
    for matches in ended:
        sums = [sum(each) for each in zip(*matches, strict=True)]
        totals = [total + points for total, points in zip(totals, points_of(sums), strict=True)]
    ranked = [total if here else -1.0 for total, here in zip(totals, plays, strict=True)]
    # Who has left gets nothing, not even for a tie with another who has left.
    points = tuple(value if here else 0.0 for value, here in zip(points_of(ranked), plays, strict=True))
    return Decided(pairing, points=points, outcome=Outcome.FORFEIT, winner=_winner(stage, pairing, ranked))


def _rounded(sums: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(each, 6) for each in sums)


def decided_by_hand(*, stage: Stage, pairing: Pairing, points: Sequence[float]) -> Decided:
    """Return a pairing decided by an organiser: the points of each entrant, from 0 to 1, in the pairing's order.

    Raises:
        ValueError: the number of points is not that of the entrants, or one is not from 0 to 1.
    """
    if len(points) != len(pairing.entrants) or not all(0 <= each <= 1 for each in points):
        raise ValueError(f"Give {len(pairing.entrants)} numbers from 0 to 1, in the order of the table.")
    return Decided(pairing, points=tuple(points), outcome=Outcome.BY_HAND, winner=_winner(stage, pairing, points))


def _wanted(stage: Stage, totals: Sequence[float], counted: int, *, is_knockout: bool) -> int:
    """Return how many encounters a pairing should have, after ``counted`` that have ended.

    ``totals`` are the entrants' points in these.
    """
    if not is_knockout:
        return stage.best_of
    if _is_decided(stage, totals, counted) or counted >= stage.best_of + stage.extra_max:
        return counted
    if counted >= stage.best_of:
        return counted + 1
    left = stage.best_of - counted
    missing = 1
    while missing < left and _lead(totals) + missing <= left - missing:
        missing += 1
    return counted + missing


def _is_decided(stage: Stage, totals: Sequence[float], counted: int) -> bool:
    """Return whether nobody can reach the leader of a knockout's pairing any more."""
    return _lead(totals) > max(0, stage.best_of - counted)


def _lead(totals: Sequence[float]) -> float:
    """Return how far the best is ahead of the second."""
    best, second = sorted(totals, reverse=True)[:2]
    return round(best - second, 6)


def _winner(stage: Stage, pairing: Pairing, totals: Sequence[float]) -> int:
    """Return the seed number that goes on: the most points, of equals the better seed number; 0 if all stay."""
    if stage.format not in KNOCKOUTS:
        return 0
    return max(zip(_rounded(totals), (-number for number in pairing.entrants), strict=True))[1] * -1
