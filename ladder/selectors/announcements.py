"""Reads the announcements that pages show."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q
from django.utils import timezone

from common.queries.cached import cached
from ladder.models import Announcement

COOKIE = "dismissed"
"""The cookie with the keys of the announcements that were dismissed in a browser, separated by dots."""
_COOKIE_CHARS_MAX = 400


def announcements_current() -> list[Announcement]:
    """Return the announcements of this moment, the newest first (cached: seldom a query)."""
    now = timezone.now()
    return [
        row for row in cached(_not_over) if row.shown_from <= now and (row.shown_until is None or now < row.shown_until)
    ]


def announcements_for(*, cookies: Mapping[str, str]) -> list[Announcement]:
    """Return the current announcements that the browser with these cookies has not dismissed (seldom a query)."""
    dismissed = set(cookies.get(COOKIE, "")[:_COOKIE_CHARS_MAX].split("."))
    return [row for row in announcements_current() if str(row.pk) not in dismissed]


def _not_over() -> list[Announcement]:
    """Return current and future announcements, since a future one may begin while this list is cached."""
    return list(Announcement.objects.filter(Q(shown_until__isnull=True) | Q(shown_until__gt=timezone.now())))
