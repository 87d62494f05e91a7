"""Reads tournaments: which of them a reader sees, what a draw would give, and entrants at fault."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.access import Reader
from contests.models import Contest
from contests.selectors.people import organises
from contests.selectors.visibility import is_contest_key
from formats import model
from tournaments.models import Entrant, Tournament


@dataclass(frozen=True, slots=True)
class DrawPreview:
    """What a draw made now would give."""

    entrants: list[Entrant]
    """Those that would play, in the order of their seed numbers, with ``number``, ``rating``, ``bot`` and ``version``
    as the draw would set them. Not saved."""
    left_out: list[Entrant]
    """Entered bots that would not play: they have no active version, or ``entrants_max`` better ones are entered."""
    draw: model.Draw | None
    """The first round, with why each table meets; None if it cannot be drawn."""
    faults: list[str]
    """Why it cannot be drawn, in whole sentences; empty if it can."""


def tournaments_seen(*, contest: Contest, reader: Reader) -> QuerySet[Tournament]:
    """Return the tournaments of a contest that a reader may see, the newest first (at most 1 query before it is read).

    Drafts are for the contest's organisers and administrators alone.

    Args:
        contest: the contest, which the reader may see.
        reader: the visitor.
    """
    drafts = organises(reader=reader, contest=contest)
    seen = Q() if drafts else ~Q(state=Tournament.State.DRAFT)
    return Tournament.objects.filter(seen, contest=contest).order_by("-pk")


def tournament_seen(*, contest: Contest, slug: str, reader: Reader) -> Tournament | None:
    """Return a tournament of a contest by its key if the reader may see it, else None (at most 2 queries).

    Args:
        contest: the contest, which the reader may see.
        slug: the tournament's key; any text.
        reader: the visitor.
    """
    if not is_contest_key(slug):
        return None
    return tournaments_seen(contest=contest, reader=reader).filter(slug=slug).first()


def draw_preview(*, tournament: Tournament) -> DrawPreview:
    """Return what a draw of an open tournament would give now (at most 4 queries; nothing is written)."""
    raise NotImplementedError


def entrants_at_fault(*, tournament: Tournament, reader: Reader | None) -> list[Entrant]:
    """Return the entrants that were at fault in every match of a stage that has ended and whose results are told.

    Args:
        tournament: the tournament.
        reader: organisers and administrators learn hidden results, too; None: what everybody may know.
    """
    raise NotImplementedError
