"""The kinds of news about bots and versions: their sentences and urls."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.news_kinds import NewsKind, Topic, Values, filled, news_kind, news_kinds_register
from ladder.leagues import league_name

_BUILDS = Topic("build", _("builds"))


def _bot_url(values: Values) -> str:
    return reverse("ladder:bot", args=[values["bot"]])


def _version_url(values: Values) -> str:
    # Only the owner may open the page of a version; notifications about house bots go to administrators.
    page = "admin:ladder_botversion_change" if values["is_house"] else "ladder:version"
    return reverse(page, args=[values["version"]])


def _filled_with_league(sentence: str | Promise = "", **by_outcome: str | Promise) -> Callable[[Values], str]:
    text = filled(sentence, **by_outcome)
    return lambda values: text({**values, "league": gettext(league_name(values.get("league")))})


BUILT = NewsKind(
    "built",
    filled(
        _("%(name)s v%(number)d was built but does not play. Its page says why."),
        plays=_("%(name)s v%(number)d is active: it was built, and has played its check match."),
    ),
    _version_url,
    _("built"),
    _BUILDS,
)
"""A version has been built. Usually it plays; else its page says why not."""
REJECTED = NewsKind(
    "rejected",
    filled(_("%(name)s v%(number)d was rejected. Its page says why and what to try.")),
    _version_url,
    _("rejected"),
    _BUILDS,
    for_staff=True,
)
"""A version was rejected: it could not be built, or failed its check match."""
NOT_BUILT = NewsKind(
    "not_built",
    filled(_("We could not build %(name)s v%(number)d; it is our fault. Please have it built again in a while.")),
    _version_url,
    _("not built"),
    _BUILDS,
    for_staff=True,
)
"""A version could not be built, by the platform's fault."""
PROBATION = NewsKind(
    "probation",
    filled(
        _(
            "%(name)s v%(number)d is on probation: it failed again and again, so it is not paired any more. Please look"
            " at its faults."
        )
    ),
    lambda values: (_bot_url if values["is_house"] else _version_url)(values),
    _("on probation"),
    Topic("probation", _("probation")),
    for_staff=True,
)
"""A version failed in several matches, and is not paired any more."""
WITHDRAWN = NewsKind(
    "withdrawn",
    filled(
        _("An administrator has withdrawn %(name)s v%(number)d. Its page says why."),
        organiser=_("An organiser has disqualified %(name)s v%(number)d. Its page says why."),
    ),
    _version_url,
    _("withdrawn"),
    _BUILDS,
)
"""An administrator or organiser has withdrawn a version."""
CONTEST_OVER = NewsKind(
    "contest_over",
    filled(
        _("The contest %(contest)s is over: %(name)s came in place %(place)d of %(entrants)d."),
        unplaced=_("The contest %(contest)s is over: %(name)s has no place, since it has played no match that counts."),
    ),
    lambda values: reverse("ladder:board", args=[values["contest_place"]]),
    _("contest over"),
    Topic("contest", _("contests")),
)
"""The final board of a contest in which the bot took part is signed."""
FOLLOWED = NewsKind(
    "followed",
    lambda values: news_kind(values["event"]).text(values),
    lambda values: news_kind(values["event"]).url(values),
    _("followed bot"),
)
"""A bot that the reader follows did something (the value ``event``)."""
VERSION = NewsKind("version", filled(_("%(name)s v%(number)d plays now.")), _bot_url)
"""A version of the bot was accepted and plays."""
LEADER = NewsKind("leader", filled(_("%(name)s took the first place.")), _bot_url)
"""The bot took the first rank of its board."""
PLACE_LOST = NewsKind(
    "place_lost",
    _filled_with_league(
        first=_("%(name)s lost the first place and has rank %(rank)d now."),
        top=_("%(name)s fell from rank %(before)d to rank %(rank)d, out of the first ten."),
        league=_("%(name)s went down to the league %(league)s."),
    ),
    _bot_url,
    for_followers=True,
)
"""The bot lost the first rank, a rank among the first ten, or its league."""
PROMOTED = NewsKind(
    "promoted", _filled_with_league(_("%(name)s was promoted to the league %(league)s.")), _bot_url, _("promoted")
)
"""The bot rose to a higher league: a notification, and news of the bot."""

news_kinds_register(
    *(BUILT, REJECTED, NOT_BUILT, PROBATION, WITHDRAWN, CONTEST_OVER, FOLLOWED),
    *(VERSION, LEADER, PLACE_LOST, PROMOTED),
)
