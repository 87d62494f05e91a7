"""The kinds of news that tournaments bring."""

from __future__ import annotations

from functools import partial

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.news_kinds import NewsKind, Topic, Values, filled, news_kinds_register


def _tournament_url(values: Values) -> str:
    return reverse("tournaments:tournament", args=[values["contest_place"], values["slug"]])


_notification = partial(NewsKind, url=_tournament_url, topic=Topic("tournament", _("tournaments")))

BEGINS = _notification(
    "tournament_begins",
    filled(_("The tournament %(tournament)s has begun: %(name)s v%(number)d plays in it.")),
    title=_("tournament begins"),
)
"""A tournament in which the bot plays has begun."""
LEFT = _notification(
    "tournament_left",
    filled(
        withdrawn=_("An organiser has withdrawn %(name)s from the tournament %(tournament)s."),
        disqualified=_("An organiser has disqualified %(name)s from the tournament %(tournament)s. Its page says why."),
    ),
    title=_("out of a tournament"),
)
"""An organiser has withdrawn or disqualified the bot from a tournament."""
FAULTS = _notification(
    "tournament_faults",
    filled(
        _(
            "%(name)s v%(number)d was at fault in every match of a stage of the tournament %(tournament)s. Please look"
            " at its matches."
        )
    ),
    title=_("at fault in a tournament"),
)
"""The bot was at fault in every match of a tournament's stage."""
OVER = _notification(
    "tournament_over",
    filled(_("The tournament %(tournament)s is over: %(name)s came in place %(place)d of %(entrants)d.")),
    title=_("tournament over"),
)
"""All results of a tournament are public."""
PLACED = NewsKind("tournament", OVER.text, _tournament_url)
"""All results of a tournament are public, as news of a bot that played in it."""

news_kinds_register(BEGINS, LEFT, FAULTS, OVER, PLACED)
