"""The sentences and urls of what bots did, made in the reader's language when they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ladder.leagues import league_name
from ladder.models import BotEvent

Kind = BotEvent.Kind

_SENTENCES: dict[tuple[str, str], Promise] = {
    (Kind.VERSION, ""): _("%(name)s v%(number)d plays now."),
    (Kind.CLOSE_MATCH, "level"): _("A close match: %(name)s and %(opponent)s ended level."),
    (Kind.CLOSE_MATCH, "won"): _("A close match: %(name)s beat %(opponent)s by %(score)s to %(other_score)s."),
    (Kind.CLOSE_MATCH, "lost"): _("A close match: %(name)s lost to %(opponent)s by %(score)s to %(other_score)s."),
    (Kind.LEADER, ""): _("%(name)s took the first place."),
    (Kind.PLACE_LOST, "first"): _("%(name)s lost the first place and has rank %(rank)d now."),
    (Kind.PLACE_LOST, "top"): _("%(name)s fell from rank %(before)d to rank %(rank)d, out of the first ten."),
    (Kind.PLACE_LOST, "league"): _("%(name)s went down to the league %(league)s."),
    (Kind.PROMOTED, ""): _("%(name)s was promoted to the league %(league)s."),
    (Kind.TOURNAMENT, ""): _(
        "The tournament %(tournament)s is over: %(name)s came in place %(place)d of %(entrants)d."
    ),
}
"""Sentences by kind and outcome. The values of an event fill their gaps."""

_PAGES: dict[str, Callable[[dict[str, Any]], str]] = {}
"""Functions of other apps that return the url of an event, by kind."""


def event_page(kind: str, page_url: Callable[[dict[str, Any]], str]) -> None:
    """Register the page of another app as the target of events of a kind.

    Args:
        kind: one of ``BotEvent.Kind``.
        page_url: returns the url, given ``BotEvent.values``.
    """
    _PAGES[kind] = page_url


def event_text(kind: str, values: dict[str, Any]) -> str:
    """Return the sentence of an event in the active language.

    Args:
        kind: one of ``BotEvent.Kind``.
        values: of the event, with the ``name`` of its bot.
    """
    if "league" in values:
        values = values | {"league": gettext(league_name(values["league"]))}
    return str(_SENTENCES[kind, values.get("outcome", "")]) % values


def event_url(kind: str, values: dict[str, Any]) -> str:
    """Return the url of the page that an event is about: by default its bot's.

    Args:
        kind: one of ``BotEvent.Kind``.
        values: of the event, with the key of its ``bot``.
    """
    page_url = _PAGES.get(kind)
    return page_url(values) if page_url else reverse("ladder:bot", args=[values["bot"]])
