"""Sentences about how often a version plays: until when its rank is provisional, and why it plays seldom later."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contests.selectors.contests import play_problem
from ladder.models import BotVersion
from ladder.selectors.ratings import games_missing, interval_of, rating_of
from matches.selectors.matches import seats_rated
from rating.fit import PROVISIONAL_GAMES
from rating.matchmaking import TOP, in_maintenance

PACE_MATCHES = 20
"""Number of newest matches of a version over which its pace is measured."""
PACE_MATCHES_MIN = 5
"""A version with fewer matches has no measured pace yet."""
_MINUTE_SECONDS = 60.0


def rank_wait(*, version: BotVersion) -> str:
    """Say in one sentence why an active version has no rank, or a provisional one for want of matches; else empty.

    At most 1 query besides reading the version's rating, if that is not loaded; none for a version with enough matches.
    """
    rating = rating_of(version)
    left = games_missing(rating)
    if version.state != BotVersion.State.ACTIVE or not left:
        return ""
    if rating is None or not rating.games:
        return _("No rank yet: the first rated match gives one.")
    seconds = None if play_problem(version.bot.contest.state) else _seconds_a_match(version)
    if seconds is None:
        return _("Its rank is provisional: that ends after %(goal)d rated matches at the earliest.") % {
            "goal": PROVISIONAL_GAMES
        }
    sentence = ngettext(
        "Its rank is provisional: that ends after %(goal)d rated matches at the earliest, and this version has"
        " %(games)d; %(left)d more is needed, at its pace in about %(time)s.",
        "Its rank is provisional: that ends after %(goal)d rated matches at the earliest, and this version has"
        " %(games)d; %(left)d more are needed, at its pace in about %(time)s.",
        left,
    )
    now = timezone.now()
    time = timeuntil(now + timedelta(seconds=max(left * seconds, _MINUTE_SECONDS)), now)
    return sentence % {"goal": PROVISIONAL_GAMES, "games": rating.games, "left": left, "time": time}


def match_pace(*, version: BotVersion) -> str:
    """Say in one sentence that a ranked version begins one match a day, and why; empty for one that plays more often.

    It is empty for versions of house bots, too, and while the contest makes no matches. No query if the version comes
    with its rating and its bot.
    """
    rating = rating_of(version)
    if version.state != BotVersion.State.ACTIVE or version.bot.is_house or not (rating and rating.rank):
        return ""
    interval, clear = interval_of(rating), rating.rank_best == rating.rank_worst == rating.rank
    if not in_maintenance(interval, rating.games, clear=clear, top=rating.rank <= TOP):
        return ""
    if play_problem(version.bot.contest.state):
        return ""
    if clear:
        return _(
            "After %(games)d rated matches its place is clear, and more would hardly change it: it begins one match a"
            " day now, and plays those that others begin with it."
        ) % {"games": rating.games}
    return _(
        "After %(games)d rated matches its rating is known to ±%(interval)d, and more would tell little: it begins one"
        " match a day now, and plays those that others begin with it."
    ) % {"games": rating.games, "interval": round(interval)}


def _seconds_a_match(version: BotVersion) -> float | None:
    """Return the mean seconds between a version's newest matches (1 query); None below ``PACE_MATCHES_MIN`` matches."""
    newest = seats_rated(version=version).order_by("-match").values_list("match__finished_at", flat=True)
    ended = [at for at in newest[:PACE_MATCHES] if at]
    if len(ended) < PACE_MATCHES_MIN:
        return None
    # Until now, not until the newest match: a version that has stopped playing must not look quick.
    span: timedelta = timezone.now() - min(ended)
    return span.total_seconds() / len(ended)
