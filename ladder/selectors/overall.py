"""The board over all games.

Of each game an owner's best bot counts. It brings 100 points times the share of the game's ranked bots that it leaves
behind or is: 100 for the first, 100 / n for the last of n. The points of all games are added: whoever is good at many
games stands above whoever is best at one. Ratings are not added, because each game has a scale of its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Max, Min

from ladder.models import BotVersion, Rating

POINTS = 100.0


@dataclass(frozen=True, slots=True)
class OverallRow:
    """One owner on the board over all games."""

    rank: int
    owner: str
    points: float
    ranks: list[int | None]
    """The rank of the owner's best bot in each game, in the order asked for; None without a ranked one."""


def overall_board(*, games: list[str]) -> list[OverallRow]:
    """Return the owners with ranked bots, the best first; house bots do not take part (2 queries)."""
    ranked = Rating.objects.filter(game__in=games, rank__isnull=False, version__state__in=BotVersion.ON_BOARD)
    sizes = dict(ranked.values_list("game").annotate(Max("rank")).order_by())
    best: defaultdict[str, dict[str, int]] = defaultdict(dict)
    own = ranked.filter(version__bot__is_house=False).order_by()
    for owner, game, rank in own.values_list("version__bot__owner__username", "game").annotate(Min("rank")):
        best[owner][game] = rank
    points = {owner: sum(_points(rank, sizes[game]) for game, rank in ranks.items()) for owner, ranks in best.items()}
    order = sorted(points, key=lambda owner: (-points[owner], owner))
    places: dict[float, int] = {}
    for place, owner in enumerate(order, start=1):
        places.setdefault(points[owner], place)  # equals share the better place
    return [
        OverallRow(places[points[owner]], owner, points[owner], [best[owner].get(game) for game in games])
        for owner in order
    ]


def _points(rank: int, size: int) -> float:
    return POINTS * (size - rank + 1) / size
