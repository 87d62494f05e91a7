"""Standings: what a new fit makes of ranks and leagues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Notification
from ladder.leagues import bosses_choose, league_moved, league_placed
from ladder.models import Bot, BotVersion, Rating
from ladder.services.notifications import notification_create
from ladder.services.versions import bots_lock
from ladder.standings import standings
from rating import has_rank, interval

_BATCH_ROWS = 500


@dataclass(frozen=True, slots=True)
class LeagueMove:
    """A bot that comes into another league."""

    bot: Bot
    before: int | None
    """None: it was not in a league before."""
    after: int | None
    """None: it is in no league any more, because none of the matches that placed it counts."""


def standings_fill(*, game: str, ratings: Sequence[Rating]) -> None:
    """Give the rows of a fit their ranks; nothing is saved (1 query).

    Args:
        game: name of the game.
        ratings: one row a version, not only of those that play.
    """
    listed = set(_on_board(game).values_list("pk", flat=True))
    ranked = []
    for row in sorted(ratings, key=lambda row: row.version_id):
        row.game, row.listed = game, row.version_id in listed
        row.rank = row.rank_best = row.rank_worst = None
        if row.listed and has_rank(row.games):
            ranked.append(row)
    places = standings(np.array([row.rating for row in ranked]), np.array([_half(row) for row in ranked]))
    for row, (rank, best, worst) in zip(ranked, places, strict=True):
        row.rank, row.rank_best, row.rank_worst = rank, best, worst


def leagues_update(*, game: str, ratings: Sequence[Rating]) -> list[LeagueMove]:
    """Place, promote and demote bots after a fit.

    Args:
        game: name of the game.
        ratings: the rows of the fit.

    Returns:
        Who moved.
    """
    rows = {row.version_id: row for row in ratings}
    on_board = dict(_on_board(game).values_list("bot", "pk"))
    shown = Bot.objects.filter(pk__in=_on_board(game).values("bot")).order_by("pk")
    bots = {bot: rows[on_board[bot.pk]] for bot in shown if on_board.get(bot.pk) in rows}
    declared = {bot: bot.declared_rating for bot in bots if bot.declared_rating is not None}
    bosses = sorted(bosses_choose(declared), key=lambda bot: bots[bot].rating)
    borders = [bots[boss].rating for boss in bosses]
    new = _new_again(bots)
    moves = []
    for bot, row in bots.items():
        before = bot.league_placed
        current = None if bot.pk in new else before
        # A boss stands below the door that it keeps, whatever its interval says.
        after = bosses.index(bot) if bot in bosses else _league(current, row, borders)
        if after != before:
            moves.append(LeagueMove(bot, before, after))
            if after is not None and after > (before or 0):
                _promotion_tell(bot, after)
            bot.league, bot.league_since = (0, None) if after is None else (after, timezone.now())
    doors = _doors_changed(game, bosses)
    bots_lock(pks=[*doors, *(move.bot.pk for move in moves)])
    for pk, door in doors.items():
        Bot.objects.filter(pk=pk).update(boss_of=door)
    Bot.objects.bulk_update([move.bot for move in moves], ["league", "league_since"], batch_size=_BATCH_ROWS)
    return moves


def _league(current: int | None, row: Rating, borders: Sequence[float]) -> int | None:
    """Return the league of a bot that is no boss; None for a newcomer without a rank."""
    if current is None:
        return None if row.rank is None else league_placed(rating=row.rating, borders=borders)
    return league_moved(current=current, rating=row.rating, interval=_half(row), borders=borders)


def _new_again(bots: Mapping[Bot, Rating]) -> set[int]:
    """Return which bots have risen by matches that do not count any more, none of which is left (1 query at most)."""
    without = {bot.pk for bot, row in bots.items() if bot.league_since and not row.games}
    if not without:
        return without
    played = Rating.objects.filter(version__bot__in=without, games__gt=0)  # a version before may have
    return without - set(played.values_list("version__bot", flat=True))


def _promotion_tell(bot: Bot, league: int) -> None:
    since = bot.league_since.isoformat() if bot.league_since else ""
    occasion = f"bot {bot.pk} {league} {since}"  # it may have fallen since it was last promoted there
    notification_create(kind=Notification.Kind.PROMOTED, bot=bot, occasion=occasion, league=league)


def _doors_changed(game: str, bosses: Sequence[Bot]) -> dict[int, int | None]:
    """Return which bots begin or cease to keep a door, and the league behind it (1 query)."""
    before = dict(Bot.objects.filter(game=game, boss_of__isnull=False).values_list("pk", "boss_of"))
    after = {boss.pk: league for league, boss in enumerate(bosses, start=1)}
    return {pk: after.get(pk) for pk in before.keys() | after.keys() if before.get(pk) != after.get(pk)}


def _on_board(game: str) -> QuerySet[BotVersion]:
    return BotVersion.objects.filter(bot__game=game, state__in=BotVersion.ON_BOARD)


def _half(row: Rating) -> float:
    return interval(row.standard_error)
