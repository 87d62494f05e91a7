"""Tallies of bots against each other (``HeadToHead``): each finished match is added once, each void one subtracted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, islice, permutations

from django.db import transaction

from matches.models import TALLY_WRONG, HeadToHead, Match, Seat
from matches.selectors.statements import tallies_of
from matches.services.board_locks import board_lock_if_free

MATCHES_AT_ONCE = 2_000
"""The most matches in one transaction; further ones wait for the next."""
_BATCH_ROWS = 500

Pair = tuple[int, int]
"""Keys of a bot and its opponent."""


def tallies_outdated() -> list[str]:
    """Return the keys of contests whose tallies lack finished matches or still count void ones (1 query)."""
    wrong = Match.objects.filter(TALLY_WRONG).order_by()
    return list(wrong.values_list("contest", flat=True).distinct())


def tallies_update(*, contest: str) -> int:
    """Add new results of a contest to its tallies, and subtract those of matches that have become void.

    Returns:
        How many matches were added or subtracted; 0 also when another process holds the lock of the contest.
    """
    done = 0
    while changed := _step(contest):
        done += changed
    return done


@transaction.atomic
def _step(contest: str) -> int:
    wrong = Match.objects.filter(TALLY_WRONG, contest=contest).order_by("pk")
    if not wrong.exists():
        return 0
    # One process at a time: of two that add to the same row one addition would be lost. A process that does not get the
    # lock returns at once; the next call, a few seconds later, counts what it has left.
    if not board_lock_if_free(contest=contest):
        return 0
    matches = list(wrong.select_for_update(no_key=True).only("pk", "state")[:MATCHES_AT_ONCE])
    for state in (Match.State.FINISHED, Match.State.VOID):
        pks = [match.pk for match in matches if match.state == state]
        if pks:
            _add(_counts(pks), sign=1 if state == Match.State.FINISHED else -1)
            Match.objects.filter(pk__in=pks).update(tallied=state == Match.State.FINISHED)
    return len(matches)


def _counts(matches: Iterable[int]) -> dict[Pair, list[int]]:
    """Return wins, draws and losses of each pair of bots in these matches, from both sides."""
    counts: defaultdict[Pair, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (bot, rank), (opponent, other_rank) in _meetings(matches):
        counts[bot, opponent][(rank > other_rank) - (rank < other_rank) + 1] += 1
    return counts


def _meetings(matches: Iterable[int]) -> Iterator[tuple[Pair, Pair]]:
    """Yield bot and rank of each two seats of a match, in both orders; two versions of one bot do not count."""
    seats = Seat.objects.filter(match__in=matches).order_by("match")
    rows = seats.values_list("match", "version__bot", "rank")
    for _, table in groupby(rows, key=lambda row: row[0]):
        for one, other in permutations([(bot, rank) for _, bot, rank in table if rank], 2):
            if one[0] != other[0]:
                yield one, other


def _add(counts: dict[Pair, list[int]], *, sign: int) -> None:
    """Add wins, draws and losses to the rows of pairs, or subtract them (sign -1); create rows that are missing."""
    waiting = iter(sorted(counts.items()))
    while part := dict(islice(waiting, _BATCH_ROWS)):
        rows = {(row.bot_id, row.opponent_id): row for row in tallies_of(pairs=list(part))}
        changed = []
        for (bot, opponent), (wins, draws, losses) in part.items():
            row = rows.get((bot, opponent)) or HeadToHead(bot_id=bot, opponent_id=opponent)
            row.wins += sign * wins
            row.draws += sign * draws
            row.losses += sign * losses
            row.games = row.wins + row.draws + row.losses
            changed.append(row)
        HeadToHead.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["bot", "opponent"],
            update_fields=["games", "wins", "draws", "losses"],
        )
