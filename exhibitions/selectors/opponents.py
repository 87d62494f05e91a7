"""Chooses bots for people to play against, and says in words how strong they are.

The words follow the order of the board. A board with few bots has none, and neither has a bot whose rating is not sure
enough for its word to stay: these show the rank instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import F, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contests.models import Contest
from ladder.leagues import BOTS_MIN, SURE_INTERVAL
from ladder.models import BotVersion, Rating
from ladder.selectors.ratings import games_missing, interval_of, rating_of, rating_provisional

OFFERED = 10
"""How many bots the form offers at most, spread evenly from the strongest to the weakest."""
_STRENGTHS: Sequence[tuple[float, str | Promise]] = (
    (0.1, _("very strong")),
    (0.35, _("strong")),
    (0.65, _("medium")),
    (0.9, _("easy")),
    (1.0, _("very easy")),
)
"""Words for the strength of a bot, each with the largest share of stronger bots up to which it is used."""
_UNKNOWN = _("not rated yet")


class Opponent(NamedTuple):
    """A bot that somebody may play against."""

    version: BotVersion
    """The version with which it plays, with its bot and its rating."""
    strength: str | Promise
    """How strong it is among the bots of its contest, in words; where these are not sure, its rank."""


def opponents_offered(*, contest: Contest, bot: int = 0) -> list[Opponent]:
    """Return bots to choose from, the strongest first (2 queries).

    They are at most ``OFFERED``, and the bot with the primary key ``bot`` in any case if it plays.
    """
    found = list(_active(contest).values_list("pk", "bot", "rating__rank"))
    last = len(found) - 1
    places = {round(step * last / (OFFERED - 1)) for step in range(OFFERED)} if found else set()
    places |= {place for place, (_version, owner, _rank) in enumerate(found) if owner == bot}
    chosen = [found[place][0] for place in places]
    ranked = max((rank for _version, _owner, rank in found if rank), default=0)
    versions = _active(contest).select_related("bot", "rating").filter(pk__in=chosen)
    return [Opponent(version, _strength(rating_of(version), ranked)) for version in versions]


def opponents_beside(*, contest: Contest, version: BotVersion, count: int) -> list[BotVersion]:
    """Return ``count`` bots that stand nearest to a version on the board, fewer if there are no more (2 queries)."""
    found = list(_active(contest).values_list("pk", flat=True))
    own = found.index(version.pk) if version.pk in found else 0
    others = [pk for pk in found if pk != version.pk]
    nearest = sorted(others, key=lambda pk: abs(found.index(pk) - own))[:count] if count else []
    return list(BotVersion.objects.select_related("bot").filter(pk__in=nearest))


def opponent_of(*, contest: Contest, bot: int) -> BotVersion | None:
    """Return the version with which a bot of a contest plays (1 query); None if it does not play."""
    return _active(contest).select_related("bot__contest").filter(bot=bot).first()


def opponent_named(*, contest: Contest, name: str) -> BotVersion | None:
    """Return the version with which the bot of this name plays, of several the strongest (1 query); None: none does."""
    if "\x00" in name:  # PostgreSQL raises an error for it
        return None
    return _active(contest).select_related("bot").filter(bot__name=name).first()


def _active(contest: Contest) -> QuerySet[BotVersion]:
    versions = BotVersion.objects.filter(bot__contest=contest.slug, state=BotVersion.State.ACTIVE)
    return versions.order_by(F("rating__board_rating").desc(nulls_last=True), "pk")


def _strength(rating: Rating | None, ranked: int) -> str | Promise:
    """Return how strong a version is among ``ranked`` versions with a rank, in words."""
    if rating is None or rating.rank is None or rating.rank_best is None or rating.rank_worst is None:
        return _UNKNOWN
    shares = [(rank - 1) / max(ranked - 1, 1) for rank in (rating.rank_best, rating.rank, rating.rank_worst)]
    words = [next(word for most, word in _STRENGTHS if share <= most) for share in shares]
    is_sure = not games_missing(rating) and (interval_of(rating) <= SURE_INTERVAL or words[0] == words[2])
    if ranked >= BOTS_MIN and is_sure:
        return words[1]
    sentence = _("about rank %(rank)d of %(bots)d") if rating_provisional(rating) else _("rank %(rank)d of %(bots)d")
    return sentence % {"rank": rating.rank, "bots": ranked}
