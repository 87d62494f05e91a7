"""Notes which bots took the first place of a board, rose to a league, or lost their place by a fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ladder.models import BotEvent, BotVersion, Rating
from ladder.services.events import event_new, events_create, today
from ladder.services.standings import LeagueMove

TOP = 10
"""A bot with a rank up to this one is among the first ten."""
Kind = BotEvent.Kind


def places_note(*, before: Mapping[int, int | None], ratings: Sequence[Rating], moves: Sequence[LeagueMove]) -> None:
    """Write the events of a fit: at most one of each kind for a bot and day (2 queries; none if there is nothing).

    A version that has no rank yet has lost no place: its bot has just been given a new program.

    Args:
        before: the rank that each version had before the fit.
        ratings: the rows of the fit.
        moves: the bots whose league changed.
    """
    lost, leaders = {}, []
    for row in ratings:
        old = before.get(row.version_id)
        if row.rank == 1 and old != 1:
            leaders.append(row.version_id)
        elif row.rank and old and (old == 1 or old <= TOP < row.rank) and old < row.rank:
            lost[row.version_id] = {"outcome": "first" if old == 1 else "top", "before": old, "rank": row.rank}
    bots = dict(BotVersion.objects.filter(pk__in=[*lost, *leaders]).values_list("pk", "bot"))
    events = [event_new(bot=bots[pk], kind=Kind.LEADER, occasion=today()) for pk in leaders]
    events += [event_new(bot=bots[pk], kind=Kind.PLACE_LOST, occasion=today(), **told) for pk, told in lost.items()]
    events += [_league_event(move) for move in moves if move.before is not None and move.after is not None]
    events_create(events)


def _league_event(move: LeagueMove) -> BotEvent:
    after, before = move.after or 0, move.before or 0
    if after > before:
        return event_new(bot=move.bot, kind=Kind.PROMOTED, occasion=today(), league=after)
    return event_new(bot=move.bot, kind=Kind.PLACE_LOST, occasion=today(), outcome="league", league=after)
