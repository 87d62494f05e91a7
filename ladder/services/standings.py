"""Updates ranks and leagues after a new fit of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone

from contests.models import Contest
from ladder.leagues import BOTS_MIN, Ranked, league_gates_choose, league_is_sure, leagues_of
from ladder.models import Bot, BotVersion, Rating
from ladder.news import PROMOTED
from ladder.services.bots import bots_lock
from ladder.services.notifications import notification_create
from ladder.standings import standings
from rating.fit import has_rank, interval

_BATCH_ROWS = 500


@dataclass(frozen=True, slots=True)
class LeagueMove:
    """A bot that enters, changes or leaves a league."""

    bot: Bot
    before: int | None
    """The league before; None if the bot was in no league."""
    after: int | None
    """The league now; None if its matches do not count any more, or its board has no leagues any more."""


def standings_fill(*, contest: str, ratings: Sequence[Rating]) -> None:
    """Set contest, ``listed`` and ranks in the rows of a fit, without saving them (1 query).

    ``ratings`` has a row for each version of the contest, retired ones included.
    """
    listed = set(_on_board(contest).values_list("pk", flat=True))
    ranked = []
    for row in sorted(ratings, key=lambda row: row.version_id):
        row.contest_id, row.listed = contest, row.version_id in listed
        row.rank = row.rank_best = row.rank_worst = None
        if row.listed and has_rank(row.games):
            ranked.append(row)
    places = standings(
        np.array([row.rating for row in ranked]), np.array([interval(row.standard_error) for row in ranked])
    )
    for row, (rank, best, worst) in zip(ranked, places, strict=True):
        row.rank, row.rank_best, row.rank_worst = rank, best, worst


def leagues_update(*, contest: str, ratings: Sequence[Rating]) -> list[LeagueMove]:
    """Place, promote and demote the bots of a contest after a fit, and notify owners of promotions.

    ``ratings`` are the rows of the fit, with their ranks. On a board without leagues, because its contest has none or
    too few bots play, bots that were in one leave it.

    Returns:
        The bots whose league changed, without the league gates.
    """
    rows = {row.version_id: row for row in ratings}
    on_board = dict(_on_board(contest).values_list("bot", "pk"))
    shown = Bot.objects.filter(pk__in=_on_board(contest).values("bot")).order_by("pk")
    bots = {bot: rows[on_board[bot.pk]] for bot in shown if on_board.get(bot.pk) in rows}
    has_leagues = len(bots) >= BOTS_MIN and Contest.objects.filter(slug=contest, has_leagues=True).exists()
    declared = {bot: bot.declared_rating for bot in bots if bot.declared_rating is not None} if has_leagues else {}
    gates = sorted(league_gates_choose(declared), key=lambda bot: bots[bot].rating)
    placed = _placed(bots, gates) if gates else {}
    moves, gate_moves = [], []
    for bot in bots:
        before, after = bot.league_placed, placed.get(bot)
        if after == before:
            continue
        if bot in gates:
            gate_moves.append(bot)
        else:
            moves.append(LeagueMove(bot, before, after))
            if after is not None and after > (before or 0):
                _promotion_notify(bot, after)
        bot.league, bot.league_since = (0, None) if after is None else (after, timezone.now())
        bot.league_best = max(bot.league_best, bot.league)
    moved = [*gate_moves, *(move.bot for move in moves)]
    changed = _league_gates_changed(contest, gates)
    bots_lock(pks=[*changed, *(bot.pk for bot in moved)])
    for pk, league in changed.items():
        Bot.objects.filter(pk=pk).update(boss_of=league)
    Bot.objects.bulk_update(moved, ["league", "league_since", "league_best"], batch_size=_BATCH_ROWS)
    return moves


def _placed(bots: Mapping[Bot, Rating], gates: Sequence[Bot]) -> dict[Bot, int]:
    """Return the new league of each bot that is in one now (1 query at most).

    A bot whose new version has not played yet stays in its league.
    """
    borders = [bots[gate].rating for gate in gates]
    unplaced = _without_counted_matches(bots)
    leagues = {bot: bot.league for bot in bots if bot.league_since and bot.pk not in unplaced}
    taking_part = {}
    for bot, row in bots.items():
        ranked = Ranked(row.rating, interval(row.standard_error), None if bot in gates else leagues.get(bot))
        if row.rank and (
            bot in leagues or bot in gates or league_is_sure(bot=ranked, games=row.games, borders=borders)
        ):
            taking_part[bot] = ranked
    order = sorted(taking_part, key=lambda bot: bots[bot].rank or 0)
    found = leagues_of(bots=[taking_part[bot] for bot in order], borders=borders)
    return leagues | dict(zip(order, found, strict=True))


def _without_counted_matches(bots: Mapping[Bot, Rating]) -> set[int]:
    """Return the keys of bots in a league of which no version has a counted match any more (1 query at most)."""
    without = {bot.pk for bot, row in bots.items() if bot.league_since and not row.games}
    if not without:
        return without
    played = Rating.objects.filter(version__bot__in=without, games__gt=0)  # an older version may have played
    return without - set(played.values_list("version__bot", flat=True))


def _promotion_notify(bot: Bot, league: int) -> None:
    since = bot.league_since.isoformat() if bot.league_since else ""
    occasion = f"bot {bot.pk} {league} {since}"  # with its time: a bot may be promoted to one league repeatedly
    notification_create(kind=PROMOTED, bot=bot, occasion=occasion, league=league)


def _league_gates_changed(contest: str, gates: Sequence[Bot]) -> dict[int, int | None]:
    """Return the new value of ``Bot.boss_of`` for each bot for which it changes, by key (1 query)."""
    before = dict(Bot.objects.filter(contest=contest, boss_of__isnull=False).values_list("pk", "boss_of"))
    after = {gate.pk: league for league, gate in enumerate(gates, start=1)}
    return {pk: after.get(pk) for pk in before.keys() | after.keys() if before.get(pk) != after.get(pk)}


def _on_board(contest: str) -> QuerySet[BotVersion]:
    return BotVersion.objects.filter(bot__contest=contest, state__in=BotVersion.ON_BOARD)
