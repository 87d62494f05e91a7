"""Reads the entrants of tournaments, and which of a reader's own bots are among them or may be entered."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import bots_own, own_condition
from tournaments.models import Entrant, Tournament


def entrants_of(*, tournament: Tournament) -> QuerySet[Entrant]:
    """Return the entrants with bot, owner and version: by seed number, before the draw in the order of entry."""
    found = Entrant.objects.filter(tournament=tournament).select_related("bot__owner", "bot__team", "version")
    return found.order_by(F("number").asc(nulls_last=True), "pk")


@dataclass(frozen=True, slots=True)
class OwnEntries:
    """The bots of one reader that are entered in a tournament, or may be."""

    entered: list[Entrant]
    free: list[Bot]
    """The bots that can be entered now: they have an active version and are not entered yet; [] unless ``is_open``."""
    is_open: bool
    """Whether owners can enter their bots now."""


def own_entries(*, tournament: Tournament, reader: User) -> OwnEntries:
    """Return the bots of a reader that are entered in a tournament, and those that may be (at most 2 queries)."""
    own = Entrant.objects.filter(own_condition(reader=reader, prefix="bot__"), tournament=tournament)
    entered = list(own.select_related("bot", "version").order_by("number", "pk"))
    is_late = tournament.entries_until is not None and tournament.entries_until <= timezone.now()
    is_open = (tournament.entry, tournament.state) == (Tournament.Entry.SIGN_UP, Tournament.State.OPEN) and not is_late
    free: list[Bot] = []
    if is_open:
        active = BotVersion.objects.filter(bot=OuterRef("pk"), state=BotVersion.State.ACTIVE)
        bots = bots_own(reader=reader).filter(Exists(active), contest=tournament.contest_id)
        free = list(bots.exclude(pk__in=[entrant.bot_id for entrant in entered]).order_by("name_key"))
    return OwnEntries(entered, free, is_open)
