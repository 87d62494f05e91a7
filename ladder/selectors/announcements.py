"""Reads the announcements that pages show."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q
from django.utils import timezone

from accounts.access import Reader
from common.queries.cached import cached
from contests.models import Contest
from contests.selectors.visibility import shown_to
from ladder.models import Announcement

COOKIE = "dismissed"
"""The cookie with the keys of the announcements that were dismissed in a browser, separated by dots."""
_COOKIE_CHARS_MAX = 400


def announcements_current() -> list[Announcement]:
    """Return the announcements of this moment, those of all contests too, the newest first (cached: seldom a query)."""
    now = timezone.now()
    return [
        row for row in cached(_not_over) if row.shown_from <= now and (row.shown_until is None or now < row.shown_until)
    ]


def announcements_for(*, cookies: Mapping[str, str], contest: Contest | None = None) -> list[Announcement]:
    """Return the current announcements that the browser with these cookies has not dismissed (seldom a query).

    ``contest`` is that of the page, whose announcements are among them; None: only those of all pages.
    """
    dismissed = set(cookies.get(COOKIE, "")[:_COOKIE_CHARS_MAX].split("."))
    places = {None, contest.slug if contest else None}
    return [row for row in announcements_current() if row.contest_id in places and str(row.pk) not in dismissed]


def announcements_dismissed(*, cookies: Mapping[str, str]) -> list[int]:
    """Return the keys of the current announcements, of any contest, that a browser has dismissed (seldom a query)."""
    dismissed = set(cookies.get(COOKIE, "")[:_COOKIE_CHARS_MAX].split("."))
    return [row.pk for row in announcements_current() if str(row.pk) in dismissed]


def announcements_shown(*, reader: Reader) -> list[Announcement]:
    """Return the current announcements of all pages, and of the contests that lists show to a reader (2 queries)."""
    general = Q(contest=None) | shown_to(reader)
    shown = set(Announcement.objects.filter(general).values_list("pk", flat=True))
    return [row for row in announcements_current() if row.pk in shown]


def _not_over() -> list[Announcement]:
    """Return current and future announcements, since a future one may begin while this list is cached."""
    return list(Announcement.objects.filter(Q(shown_until__isnull=True) | Q(shown_until__gt=timezone.now())))
