"""Reads tournaments: which of them a reader sees."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.access import Reader
from contests.models import Contest
from contests.selectors.people import organises
from contests.selectors.visibility import is_contest_key
from tournaments.models import Tournament


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
