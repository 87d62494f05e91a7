"""Reads the board over all games, which ranks owners.

An owner's best bot of each game counts; a bot of a team counts for all its members. It earns 100 points for the first
rank of n, 100 / n for the last, and evenly spaced points between. The points of all games are added, so that a good bot
in each of many games ranks above one best bot. Ratings are not added, because each game has a scale of its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Max
from django.db.models.functions import Coalesce

from ladder.models import BotVersion, Rating
from rating.fit import is_provisional

POINTS = 100.0


@dataclass(frozen=True, slots=True)
class OverallRow:
    """One owner on the board over all games."""

    rank: int
    owner: str
    points: float
    ranks: list[int | None]
    """The rank of the owner's best bot in each game, in the order of the games; None in a game without a ranked bot."""
    provisional: list[bool]
    """Whether each of these ranks is still uncertain."""

    @property
    def marked_ranks(self) -> list[tuple[int | None, bool]]:
        """The ranks, each with whether it is still uncertain."""
        return list(zip(self.ranks, self.provisional, strict=True))


def overall_board(*, games: list[str]) -> list[OverallRow]:
    """Return the owners with ranked bots, the best first, without house bots (2 queries).

    ``games`` are the keys of the games' open contests, in whose order the ranks stand in each row.
    """
    ranked = Rating.objects.filter(contest__in=games, rank__isnull=False, version__state__in=BotVersion.ON_BOARD)
    sizes = dict(ranked.values_list("contest").annotate(Max("rank")).order_by())
    best: defaultdict[str, dict[str, int]] = defaultdict(dict)
    uncertain = set()
    # A bot of a team counts for each of its members.
    person = Coalesce("version__bot__team__members__user__username", "version__bot__owner__username")
    own = ranked.filter(version__bot__is_house=False).annotate(person=person).order_by()
    rows = own.values_list("person", "contest", "rank", "standard_error", "games")
    for owner, game, rank, error, matches in rows:
        best[owner][game] = min(filter(None, (rank, best[owner].get(game))))
        if is_provisional(error, matches):
            uncertain.add((game, rank))
    points = {
        owner: sum(POINTS * (sizes[game] - rank + 1) / sizes[game] for game, rank in ranks.items())
        for owner, ranks in best.items()
    }
    order = sorted(points, key=lambda owner: (-points[owner], owner))
    places: dict[float, int] = {}
    for place, owner in enumerate(order, start=1):
        places.setdefault(points[owner], place)  # owners with equal points share the better rank
    return [
        OverallRow(
            places[points[owner]],
            owner,
            points[owner],
            [best[owner].get(game) for game in games],
            [(game, best[owner].get(game)) in uncertain for game in games],
        )
        for owner in order
    ]
