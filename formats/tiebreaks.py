"""Breaks ties after the FIDE Tie-Break Regulations (Handbook C.07): pure functions.

The articles are those of the text in force from 1 March 2026. It differs from the text of 2024 in 16.4 alone: there a
dummy opponent has the entrant's own score; now that score has a bound.

================  =======================  ============================================================================
Name              Article                  Rule
================  =======================  ============================================================================
Direct encounter  6                        Points against those that are still tied; of several meetings, their mean.
                                           If some never met, an entrant is put first only if nobody could reach it by
                                           winning all that was not played (6.2). Those still tied are compared anew.
Wins              7.2                      Pairings won on the board.
Buchholz          8.1                      Sum of the scores of all opponents.
Median Buchholz   8.1 with 14.3            Without the lowest and the highest summand.
Sonneborn-Berger  9.1                      Sum of each opponent's score times the points scored against it.
Game difference   none                     Points of matches won minus points of matches lost.
================  =======================  ============================================================================

Rounds that were not played, in Swiss (article 16):

- For its opponents, an entrant's score counts a draw for each round that it missed after it had left (16.3.2); its byes
  and forfeits count as given (16.3.1).
- For itself, an unplayed round is one against a dummy opponent with the entrant's own score, but at most with the score
  of the opponent that it was paired with (forfeits, 16.4.1), or at most a draw in each round so far (16.4.2).
- The lowest summand of median Buchholz is first looked for among forfeits lost and missed rounds (16.5).

In a round robin, forfeits count like pairings that were played (15.2), and rounds without an opponent count nothing.

Where we differ from the regulations:

- Requested byes do not exist. An entrant misses rounds only after it has left, and never comes back.
- All results of an entrant that has left count, also if it played less than half of a round robin.
- A pairing that an organiser decided by hand counts as played.
- A table of three or four is one encounter of each two entrants at it. Who has more points in it has beaten the other,
  equal points are a draw. Each of n - 1 encounters weighs 1 / (n - 1), so a pairing counts like one of two in all
  sums, and the points of an entrant in a pairing are the sum of its weighted encounters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum

import msgspec

from formats.model import DUEL, Decided, Entrant, Format, Outcome, Stage, TieBreak

DIGITS = 9
"""Decimals to which sums are rounded: thirds of a point, summed in another order, must stay equal."""


class Meeting(msgspec.Struct, frozen=True):
    """What an entrant scored against one opponent in one pairing."""

    opponent: int
    points: float
    """What the entrant scored, from 0 to 1."""
    weight: float
    """How much the meeting counts: 1 / (n - 1) at a table of n, so 1 at a table of two."""
    counts: bool
    """Whether it counts as played. Else the opponent's score is replaced by a dummy's."""


class Record(msgspec.Struct):
    """All that an entrant did in a stage."""

    points: float = 0.0
    adjusted: float = 0.0
    """Its score as it counts for its opponents."""
    meetings: list[Meeting] = msgspec.field(default_factory=list)
    byes: list[float] = msgspec.field(default_factory=list)
    """The points of each round without an opponent: byes, which it did not choose."""
    missed: int = 0
    """Rounds of Swiss that it missed after it had left."""
    played: int = 0
    """Pairings that were played or decided by hand."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    games: float = 0.0
    games_played: int = 0


class Records(msgspec.Struct, frozen=True):
    """The records of all entrants of a stage, with what the tie-breaks have to know about the stage."""

    of: Mapping[int, Record]
    rounds: int
    """How many rounds there have been so far."""
    is_swiss: bool


def records_of(*, stage: Stage, number: int, entrants: Sequence[Entrant], decided: Iterable[Decided]) -> Records:
    """Return the records of the entrants of a stage.

    ``number`` is the stage's number, from 0; ``entrants`` are those that play it, ``decided`` its decided pairings.
    """
    is_swiss = stage.format == Format.SWISS
    points: dict[int, list[float]] = defaultdict(list)
    games: dict[int, list[float]] = defaultdict(list)
    rounds: dict[int, set[int]] = defaultdict(set)
    records = {entrant.number: Record() for entrant in entrants}
    last = 0
    for one in decided:
        last = max(last, one.pairing.round)
        for seat, own in enumerate(one.pairing.entrants):
            record = records[own]
            rounds[own].add(one.pairing.round)
            points[own].append(one.points[seat])
            games[own].extend(one.games[seat : seat + 1])
            _count(record, one, seat, is_swiss=is_swiss)
    for entrant in entrants:
        record = records[entrant.number]
        record.points = total(points[entrant.number])
        record.games = total(games[entrant.number])
        if is_swiss:
            record.missed = sum(
                round_ not in rounds[entrant.number] and not entrant.plays(number, round_)
                for round_ in range(1, last + 1)
            )
        record.adjusted = record.points + record.missed / 2
    return Records(of=records, rounds=last, is_swiss=is_swiss)


def _count(record: Record, one: Decided, seat: int, *, is_swiss: bool) -> None:
    """Add a decided pairing to the record of the entrant at a seat."""
    own = one.points[seat]
    others = [points for other, points in enumerate(one.points) if other != seat]
    record.games_played += one.played
    if not others:
        record.byes.append(own)
        return
    on_board = one.outcome in (Outcome.PLAYED, Outcome.BY_HAND)
    if on_board:
        record.played += 1
        best = max(others)
        record.wins += own > best
        record.draws += own == best
        record.losses += own < best
    for mate, points in zip(one.pairing.entrants, one.points, strict=True):
        if mate == one.pairing.entrants[seat]:
            continue
        scored = own
        if len(others) >= DUEL:
            # Who has no points has left and gets nothing against another that has left.
            scored = ((own > points) + (own >= points)) / 2 if own else 0.0
        record.meetings.append(Meeting(mate, scored, 1 / len(others), on_board or not is_swiss))


def total(values: Iterable[float]) -> float:
    """Return a sum that does not depend on the order of its summands."""
    return round(fsum(values), DIGITS)


def game_difference(records: Records, entrant: int) -> float:
    """Return the points of matches won minus the points of matches lost."""
    record = records.of[entrant]
    return round(2 * record.games - record.games_played, DIGITS)


def buchholz(records: Records, entrant: int) -> float:
    """Return the sum of the scores of all opponents."""
    return total(score * weight for score, weight, *_ in _summands(records, entrant))


def median_buchholz(records: Records, entrant: int) -> float:
    """Return the sum of the scores of all opponents without the lowest and the highest."""
    summands = sorted(_summands(records, entrant), key=lambda each: (not each[3], each))
    left = sorted(summands[1:])[:-1]
    return total(score * weight for score, weight, *_ in left)


def sonneborn_berger(records: Records, entrant: int) -> float:
    """Return the sum of the opponents' scores, each times the points scored against it."""
    return total(score * weight * scored for score, weight, scored, _ in _summands(records, entrant))


def _summands(records: Records, entrant: int) -> list[tuple[float, float, float, bool]]:
    """Return, for each encounter, the opponent's score, the weight, the points, and whether it was missed by choice.

    A forfeit lost and a round missed after leaving are what the regulations call a voluntary unplayed round.
    """
    record = records.of[entrant]
    bound = min(record.points, records.rounds / 2)
    found = []
    for meeting in record.meetings:
        score = records.of[meeting.opponent].adjusted
        if meeting.counts:
            found.append((score, meeting.weight, meeting.points, False))
        else:
            found.append((min(record.points, score), meeting.weight, meeting.points, not meeting.points))
    if records.is_swiss:
        found.extend((bound, 1.0, points, False) for points in record.byes)
        found.extend([(bound, 1.0, 0.0, True)] * record.missed)
    return found


def direct_encounter(records: Records, tied: Sequence[int]) -> dict[int, float]:
    """Return, for each tied entrant, how many of the others the direct encounter puts behind it.

    So more is better, as in all tie-breaks, and equal numbers are still tied.
    """
    order = _encountered(records, tied)
    behind = len(tied)
    values = {}
    for group in order:
        behind -= len(group)
        values.update(dict.fromkeys(group, float(behind)))
    return values


def _encountered(records: Records, tied: Sequence[int]) -> list[list[int]]:
    """Return the tied entrants as a list of groups, best first; those within a group are still tied."""
    if len(tied) < DUEL:
        return [list(tied)]
    scored = {}
    reachable = {}
    for own in tied:
        met: dict[int, list[float]] = defaultdict(list)
        for meeting in records.of[own].meetings:
            if meeting.counts and meeting.opponent in tied:
                met[meeting.opponent].append(meeting.points)
        scored[own] = total(total(points) / len(points) for points in met.values())
        reachable[own] = round(scored[own] + len(tied) - 1 - len(met), DIGITS)
    if scored == reachable:
        groups = split(tied, scored.__getitem__)
    else:
        groups, left = [], sorted(tied, key=lambda own: (-scored[own], own))
        while len(left) > 1 and scored[left[0]] > max(reachable[own] for own in left[1:]):
            groups.append([left.pop(0)])
        groups.append(left)
    if len(groups) == 1:
        return groups
    return [smaller for group in groups for smaller in _encountered(records, group)]


def split(entrants: Iterable[int], value: Callable[[int], float]) -> list[list[int]]:
    """Return groups of entrants with equal values, the highest first."""
    groups: dict[float, list[int]] = defaultdict(list)
    for entrant in entrants:
        groups[value(entrant)].append(entrant)
    return [groups[key] for key in sorted(groups, reverse=True)]


VALUES: Mapping[TieBreak, Callable[[Records, int], float]] = {
    TieBreak.BUCHHOLZ: buchholz,
    TieBreak.MEDIAN_BUCHHOLZ: median_buchholz,
    TieBreak.SONNEBORN_BERGER: sonneborn_berger,
    TieBreak.WINS: lambda records, entrant: records.of[entrant].wins,
    TieBreak.GAME_DIFFERENCE: game_difference,
}
"""All tie-breaks but direct encounter, which depends on who is tied."""
