"""What is told of how often a version plays: when it will have a rank, and why it plays seldom once it has one."""

from __future__ import annotations

import math
from datetime import timedelta

from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import core
from ladder.models import BotVersion, Rating
from ladder.rating import PROVISIONAL_GAMES, PROVISIONAL_INTERVAL, matches_until_ranked
from ladder.selectors.boards import interval_of, rating_of
from ladder.selectors.games import game_setting, play_problem
from matches.matchmaking import TOP, in_maintenance
from matches.selectors.matches import seats_rated

PACE_MATCHES = 20
"""So many of its newest matches tell how often a version plays .."""
PACE_MATCHES_MIN = 5
""".. and fewer than that tell nothing yet."""
_MINUTE_SECONDS = 60.0


def rank_wait(*, version: BotVersion) -> str:
    """Say in one sentence why a version that plays has no rank yet; empty of all others.

    No query for one that has a rank if its rating is there, else one at most besides its rating.
    """
    rating = rating_of(version)
    if version.state != BotVersion.State.ACTIVE or (rating and rating.rank):
        return ""
    needs = {"goal": PROVISIONAL_GAMES, "widest": round(PROVISIONAL_INTERVAL)}
    seconds = None if play_problem(game_setting(game=version.bot.game).state) else _seconds_a_match(version)
    if rating is None or seconds is None:
        sentence = _("No rank yet: a rank takes %(goal)d rated matches and an interval of ±%(widest)d at the most.")
        return sentence % needs
    left = matches_until_ranked(rating.standard_error, rating.games, core.game(version.bot.game).players[0])
    return _still_needed(rating, left, seconds, needs)


def match_pace(*, version: BotVersion) -> str:
    """Say in one sentence that a version with a rank plays one match a day, and why; empty of all others.

    No query if its rating and its bot are there.
    """
    rating = rating_of(version)
    if version.state != BotVersion.State.ACTIVE or version.bot.is_house or not (rating and rating.rank):
        return ""
    interval = interval_of(rating)
    if not in_maintenance(interval, rating.games, top=rating.rank <= TOP):
        return ""
    if play_problem(game_setting(game=version.bot.game).state):
        return ""
    return _(
        "After %(games)d rated matches its rating is known to ±%(interval)d, and more would tell little: it begins one"
        " match a day now, and plays those that others begin with it."
    ) % {"games": rating.games, "interval": round(interval)}


def _still_needed(rating: Rating, left: int, seconds_a_match: float, needs: dict[str, int]) -> str:
    if not left:  # the next fit ranks it
        return ""
    sentence = ngettext(
        "No rank yet: a rank takes %(goal)d rated matches and an interval of ±%(widest)d at the most, and this version"
        " has %(games)d and ±%(interval)d; about %(left)d more match is needed, at its pace in about %(time)s.",
        "No rank yet: a rank takes %(goal)d rated matches and an interval of ±%(widest)d at the most, and this version"
        " has %(games)d and ±%(interval)d; about %(left)d more matches are needed, at its pace in about %(time)s.",
        left,
    )
    # Rounded up: ± 100.2 is not enough, and must not look as if it were.
    has = {"games": rating.games, "interval": math.ceil(interval_of(rating))}
    return sentence % {**needs, **has, "left": left, "time": _in_words(left * seconds_a_match)}


def _seconds_a_match(version: BotVersion) -> float | None:
    """Return how many seconds lie between a version's matches of late (1 query), None while it has hardly played."""
    newest = seats_rated(version=version).order_by("-match").values_list("match__finished_at", flat=True)
    ended = [at for at in newest[:PACE_MATCHES] if at]
    if len(ended) < PACE_MATCHES_MIN:
        return None
    # Until now, not until the newest: of one that has stopped playing nothing quick is promised.
    span: timedelta = timezone.now() - min(ended)
    return span.total_seconds() / len(ended)


def _in_words(seconds: float) -> str:
    now = timezone.now()
    return timeuntil(now + timedelta(seconds=max(seconds, _MINUTE_SECONDS)), now)
