"""Reads contests for their list, their page and the front page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.access import Reader
from accounts.models import User
from common.queries.cached import cached
from contests.dates import next_date
from contests.models import Contest, Member
from contests.selectors.visibility import contests_public, shown_to

State = Contest.State
FRONT_MAX = 4
"""How many contests the front page shows at most."""
LISTED_MAX = 200
"""How many contests that are over the list shows at most: those that were over last."""
_FOR_EVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ContestList:
    """The contests that a reader finds in the list."""

    running: Sequence[Contest]
    coming: Sequence[Contest]
    """Drafts, which only their organisers and administrators see."""
    over: Sequence[Contest]

    def __bool__(self) -> bool:
        """Return whether there is any contest in the list."""
        return bool(self.running or self.coming or self.over)


def contest_list(*, reader: Reader) -> ContestList:
    """Return the contests that lists show to a reader (``shown_to``; 1 query).

    Each has ``bots_playing``, how many bots of people play in it, and ``is_member``. The open contests of games are not
    among them. Running ones are sorted by their next date, coming ones by their opening, and of those that are over the
    newest come first.
    """
    own = Member.objects.filter(contest=OuterRef("pk"), user=reader.pk)
    playing = Count("bots", filter=Q(bots__is_house=False, bots__versions__state__in=["active", "probation"]))
    contests = Contest.objects.filter(shown_to(reader, at="pk"), ~Q(slug=F("game")), game__in=settings.GAMES).defer(
        "description"
    )
    found = list(contests.annotate(bots_playing=playing, is_member=Exists(own)).order_by("-created_at"))
    return ContestList(
        running=sorted((one for one in found if one.state in (State.OPEN, State.PAUSED)), key=_ends_at),
        coming=sorted((one for one in found if one.state == State.DRAFT), key=lambda one: one.opens_at or _FOR_EVER),
        over=sorted(
            (one for one in found if one.is_over), key=lambda one: one.frozen_at or one.changed_at, reverse=True
        )[:LISTED_MAX],
    )


def contests_in_front(*, reader: Reader) -> Sequence[Contest]:
    """Return the contests that run, at most ``FRONT_MAX``: first the reader's own, and then those that close next.

    The open contests of games are not among them. Cached for guests, 1 query for users.
    """
    if reader.pk is None:
        return sorted(cached(_running), key=_ends_at)[:FRONT_MAX]
    own = Member.objects.filter(contest=OuterRef("pk"), user=reader.pk)
    running = _run_now().filter(Exists(own) | Q(visibility=Contest.Visibility.PUBLIC)).annotate(is_member=Exists(own))
    return sorted(running, key=lambda one: (not one.is_member, _ends_at(one)))[:FRONT_MAX]


def contests_exist() -> bool:
    """Return whether there is a public contest besides the open ones of the games (cached: seldom a query)."""
    return any(contest.slug != contest.game for contest in contests_public())


def _running() -> tuple[Contest, ...]:
    return tuple(_run_now().filter(visibility=Contest.Visibility.PUBLIC))


def _run_now() -> QuerySet[Contest]:
    running = Contest.objects.filter(~Q(slug=F("game")), game__in=settings.GAMES)
    return running.filter(state__in=(State.OPEN, State.PAUSED)).defer("description")


@dataclass(frozen=True, slots=True)
class ContestPeople:
    """Who runs a contest, and the reader's part in it."""

    organisers: list[User]
    """The organisers, in the order in which they became members."""
    role: str
    """The role of the reader; empty if the reader is no member."""

    @property
    def is_organiser(self) -> bool:
        """Whether the reader is an organiser."""
        return self.role == Member.Role.ORGANISER


def contest_people(*, contest: Contest, reader: Reader) -> ContestPeople:
    """Return the organisers of a contest and the reader's role (1 query)."""
    members = Member.objects.filter(Q(role=Member.Role.ORGANISER) | Q(user=reader.pk), contest=contest)
    found = list(members.select_related("user").only("role", "user__username").order_by("pk"))
    return ContestPeople(
        [member.user for member in found if member.role == Member.Role.ORGANISER],
        next((member.role for member in found if member.user_id == reader.pk), ""),
    )


def _ends_at(contest: Contest) -> datetime:
    """Return the next date of a contest, for sorting; contests without one come last."""
    date = next_date(contest)
    return date.at if date and date.at else _FOR_EVER
