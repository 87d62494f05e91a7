"""Notes which bots took the first place of a board, rose to a league, or lost their place by a fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ladder.models import BotEvent, BotVersion, Rating
from ladder.news import LEADER, PLACE_LOST, PROMOTED
from ladder.services.events import event_new, events_create, today
from ladder.services.standings import LeagueMove
from rating.fit import PROVISIONAL_GAMES

TOP = 10
"""A bot with a rank up to this one is among the first ten."""
Placed = tuple[int, int, int | None]
"""A version: its key, the number of its rated matches, and its rank."""


def places_note(*, before: Iterable[Placed], ratings: Sequence[Rating], moves: Sequence[LeagueMove]) -> None:
    """Write the events of a fit: at most one of each kind for a bot and day (2 queries; none if there is nothing).

    Places are counted among the versions with enough matches: a bot that is first after one lucky match took no place,
    and nobody lost one to it. A version with too few matches lost no place: its bot has just been given a new program.
    ``before`` has the versions as they stood before the fit, ``ratings`` its rows, ``moves`` the bots whose league
    changed.
    """
    earlier, lost, leaders = _places(before), {}, []
    for version, place in _places((row.version_id, row.games, row.rank) for row in ratings).items():
        old = earlier.get(version)
        if place == 1 and old != 1:
            leaders.append(version)
        elif old and (old == 1 or old <= TOP < place) and old < place:
            lost[version] = {"outcome": "first" if old == 1 else "top", "before": old, "rank": place}
    bots = dict(BotVersion.objects.filter(pk__in=[*lost, *leaders]).values_list("pk", "bot"))
    events = [event_new(bot=bots[pk], kind=LEADER, occasion=today()) for pk in leaders]
    events += [event_new(bot=bots[pk], kind=PLACE_LOST, occasion=today(), **told) for pk, told in lost.items()]
    events += [_league_event(move) for move in moves if move.before is not None and move.after is not None]
    events_create(events)


def _places(rows: Iterable[Placed]) -> dict[int, int]:
    """Return the place from 1 of each version with enough matches among all that have them."""
    ranked = sorted((rank, version) for version, games, rank in rows if rank and games >= PROVISIONAL_GAMES)
    return {version: place for place, (_rank, version) in enumerate(ranked, start=1)}


def _league_event(move: LeagueMove) -> BotEvent:
    after, before = move.after or 0, move.before or 0
    if after > before:
        return event_new(bot=move.bot, kind=PROMOTED, occasion=today(), league=after)
    return event_new(bot=move.bot, kind=PLACE_LOST, occasion=today(), outcome="league", league=after)
