"""The sentences and urls of notifications, made in the reader's language when they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Notification
from ladder.leagues import league_name
from ladder.words.events import event_text, event_url

Kind = Notification.Kind

_SENTENCES: dict[tuple[str, str], Promise] = {
    (Kind.BUILT, "plays"): _("%(name)s v%(number)d is active: it was built, and has played its check match."),
    (Kind.BUILT, ""): _("%(name)s v%(number)d was built but does not play. Its page says why."),
    (Kind.REJECTED, ""): _("%(name)s v%(number)d was rejected. Its page says why and what to try."),
    (Kind.NOT_BUILT, ""): _(
        "We could not build %(name)s v%(number)d; it is our fault. Please have it built again in a while."
    ),
    (Kind.PROBATION, ""): _(
        "%(name)s v%(number)d is on probation: it failed again and again, so it is not paired any more. Please look at"
        " its faults."
    ),
    (Kind.WITHDRAWN, ""): _("An administrator has withdrawn %(name)s v%(number)d. Its page says why."),
    (Kind.WITHDRAWN, "organiser"): _("An organiser has disqualified %(name)s v%(number)d. Its page says why."),
    (Kind.PROMOTED, ""): _("%(name)s was promoted to the league %(league)s."),
    (Kind.TRIAL_ENDED, "better"): _("The private test of %(name)s says: v%(number)d is better than v%(reference)d."),
    (Kind.TRIAL_ENDED, "worse"): _("The private test of %(name)s says: v%(number)d is worse than v%(reference)d."),
    (Kind.TRIAL_ENDED, "no_difference"): _(
        "The private test of %(name)s found no difference between v%(number)d and v%(reference)d."
    ),
    (Kind.TRIAL_ENDED, "stopped"): _(
        "The private test of %(name)s, v%(number)d against v%(reference)d, was stopped without an answer."
    ),
    (Kind.TOURNAMENT_BEGINS, ""): _("The tournament %(tournament)s has begun: %(name)s v%(number)d plays in it."),
    (Kind.TOURNAMENT_LEFT, "withdrawn"): _("An organiser has withdrawn %(name)s from the tournament %(tournament)s."),
    (Kind.TOURNAMENT_LEFT, "disqualified"): _(
        "An organiser has disqualified %(name)s from the tournament %(tournament)s. Its page says why."
    ),
    (Kind.TOURNAMENT_FAULTS, ""): _(
        "%(name)s v%(number)d was at fault in every match of a stage of the tournament %(tournament)s. Please look at"
        " its matches."
    ),
    (Kind.TOURNAMENT_OVER, ""): _(
        "The tournament %(tournament)s is over: %(name)s came in place %(place)d of %(entrants)d."
    ),
    (Kind.CONTEST_OVER, ""): _("The contest %(contest)s is over: %(name)s came in place %(place)d of %(entrants)d."),
    (Kind.CONTEST_OVER, "unplaced"): _(
        "The contest %(contest)s is over: %(name)s has no place, since it has played no match that counts."
    ),
    (Kind.HOOK_OFF, ""): _(
        "Your webhook to %(host)s was turned off, since %(failures)d tries in a row have failed. Please repair your"
        " program, then turn it on again."
    ),
}
"""Sentences by kind and outcome."""


_PAGES: dict[str, Callable[[dict[str, Any]], str]] = {}
"""Functions of other apps that return the url of a notification, by kind."""


def notification_page(kind: str, page_url: Callable[[dict[str, Any]], str]) -> None:
    """Register the page of another app as the target of notifications of a kind.

    Args:
        kind: one of ``Notification.Kind``.
        page_url: returns the url, given ``Notification.values``.
    """
    _PAGES[kind] = page_url


def notification_text(notification: Notification) -> str:
    """Return the sentence of a notification in the active language."""
    values: dict[str, Any] = notification.values
    if notification.kind == Kind.FOLLOWED:
        return event_text(values["event"], values)
    if notification.kind == Kind.PROMOTED:
        values = values | {"league": gettext(league_name(values["league"]))}
    return str(_SENTENCES[notification.kind, values.get("outcome", "")]) % values


def notification_url(notification: Notification) -> str:
    """Return the url of the page that a notification is about."""
    values: dict[str, Any] = notification.values
    if notification.kind == Kind.FOLLOWED:
        return event_url(values["event"], values)
    if page_url := _PAGES.get(notification.kind):
        return page_url(values)
    if notification.kind == Kind.CONTEST_OVER:
        return reverse("ladder:board", args=[values["contest_place"]])
    if notification.kind == Kind.PROMOTED or (notification.kind == Kind.PROBATION and values["is_house"]):
        return reverse("ladder:bot", args=[values["bot"]])
    # Only the owner may open the page of a version; notifications about house bots go to administrators.
    page = "admin:ladder_botversion_change" if values["is_house"] else "ladder:version"
    return reverse(page, args=[values["version"]])
