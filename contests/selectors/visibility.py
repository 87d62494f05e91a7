"""Decides who may see what belongs to a contest. Every read for a page, a file or the API takes its condition here.

There are two questions, and `docs/organise/visibility.md` says which surface asks which:

- May this reader open it by its url (``seen_by``)? Everybody may if the contest is public or unlisted, its members and
  administrators if it is private, its organisers and administrators while it is a draft.
- Does a list show it without having been asked for it (``shown_to``)? Lists show public contests, to members those that
  they are in, and to administrators all.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q, QuerySet

from accounts.access import Reader, administrates
from common.queries.cached import cached
from common.words.messages import game_title
from contests.models import Contest, Member

ALL_ROWS = ~Q(pk__in=[])
"""A condition that holds for all rows. An empty ``Q`` would not do: combined by ``|`` it counts as no condition."""
State = Contest.State
Visibility = Contest.Visibility


class ListedContest(NamedTuple):
    """A contest as lists name it."""

    slug: str
    title: str
    """Its title; of an open contest, the title of its game in the reader's language."""
    game: str


def seen_by(reader: Reader, *, at: str = "contest") -> Q:
    """Return the condition on rows that the reader may see their contest.

    ``at`` is the path of fields from the rows to their contest; empty: the rows are contests.

    The attack: somebody who is not in a private contest guesses the numbers of its bots and matches, which are counted
    through all contests. So each query for a thing of a contest has this condition, and answers as if there were none.
    """
    if administrates(reader):
        return ALL_ROWS
    path = f"{at}__" if at else ""
    begun = ~Q(**{f"{path}state": State.DRAFT})
    to_everybody = ~Q(**{f"{path}visibility": Visibility.PRIVATE}) & begun
    if not reader.pk:
        return to_everybody
    mine = Member.objects.filter(user=reader.pk)
    key = f"{path}pk__in"
    member = Q(**{key: mine.values("contest")}) & begun
    organiser = Q(**{key: mine.filter(role=Member.Role.ORGANISER).values("contest")})
    return to_everybody | member | organiser


def shown_to(reader: Reader | None, *, at: str = "contest") -> Q:
    """Return the condition on rows that lists show their contest to the reader without having been asked for it.

    ``at`` is the path of fields from the rows to their contest, or ``pk`` for contests. ``reader`` is None for lists
    that are the same for everybody. No query: the keys of public contests are cached. So the condition needs no join,
    and the database reads the newest of a million matches by the index that it also uses without the condition.
    """
    if reader is not None and administrates(reader):
        return ALL_ROWS
    public = Q(**{f"{at}__in": public_keys()})
    if reader is None or not reader.pk:
        return public
    return public | Q(**{f"{at}__in": _hidden_of(reader).values("contest")})


def contests_hidden(*, reader: Reader) -> tuple[ListedContest, ...]:
    """Return the contests that are not public but that lists show to a reader: the reader's own; to administrators all.

    1 query; none for guests.
    """
    if administrates(reader):
        hidden = Contest.objects.exclude(visibility=Visibility.PUBLIC) | Contest.objects.filter(state=State.DRAFT)
    elif reader.pk:
        hidden = Contest.objects.filter(pk__in=_hidden_of(reader).values("contest"))
    else:
        return ()
    rows = hidden.order_by("pk").values_list("pk", "title", "game")
    return tuple(ListedContest(slug, title or game_title(game), game) for slug, title, game in rows)


def _hidden_of(reader: Reader) -> QuerySet[Member]:
    """Return a reader's memberships of contests that are not public, without those of drafts that others organise."""
    hidden = ~Q(contest__visibility=Visibility.PUBLIC) | Q(contest__state=State.DRAFT)
    seen = Q(role=Member.Role.ORGANISER) | ~Q(contest__state=State.DRAFT)
    return Member.objects.filter(hidden, seen, user=reader.pk)


def contest_is_seen(contest: Contest, *, reader: Reader) -> bool:
    """Return whether a reader may see a contest (no query for one that everybody sees, else 2 at most)."""
    if contest.is_for_everybody:
        return True
    return Contest.objects.filter(seen_by(reader, at=""), pk=contest.pk).exists()


def contest_key_is_seen(slug: str, *, reader: Reader | None) -> bool:
    """Return whether a reader (None: everybody) may see the contest with the key ``slug``, which may be any text.

    Cached for public contests, else 2 queries at most.
    """
    if slug in public_keys():
        return True
    if not is_contest_key(slug):
        return False
    everybody = Q(state__in=set(State) - {State.DRAFT}) & ~Q(visibility=Visibility.PRIVATE)
    seen = seen_by(reader, at="") if reader is not None else everybody
    return Contest.objects.filter(seen, pk=slug).exists()


def is_contest_key(text: str) -> bool:
    """Return whether a text may be the key of a contest; PostgreSQL would fail on a NUL, which a url may have."""
    return text.replace("-", "").replace("_", "").isalnum()


def contests_public() -> tuple[ListedContest, ...]:
    """Return the public contests, also those of games that are not installed any more (cached: seldom a query).

    A process may know changes late, by ``common.queries.cached.SECONDS`` at most: a contest that has become public is
    missing in lists, and one that is public no more is listed still, but cannot be opened.
    """
    return tuple(ListedContest(slug, title or game_title(game), game) for slug, title, game in cached(_public))


def public_keys() -> list[str]:
    """Return the keys of ``contests_public`` alone, without the cost of titles in the reader's language."""
    return [slug for slug, _title, _game in cached(_public)]


def _public() -> tuple[tuple[str, str, str], ...]:
    public = Contest.objects.filter(visibility=Visibility.PUBLIC).exclude(state=State.DRAFT)
    return tuple(public.values_list("pk", "title", "game"))
