"""What administrators tell everybody."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q
from django.utils import timezone

from common.queries.cached import cached
from ladder.models import Announcement

COOKIE = "dismissed"
"""Of a reader's browser: the numbers of the announcements that were dismissed in it, with dots between."""
_COOKIE_CHARS_MAX = 400


def announcements_current() -> list[Announcement]:
    """Return what is announced now, the newest first (seldom a query)."""
    now = timezone.now()
    return [
        row for row in cached(_not_over) if row.shown_from <= now and (row.shown_until is None or now < row.shown_until)
    ]


def announcements_for(*, cookies: Mapping[str, str]) -> list[Announcement]:
    """Return what is announced now and was not dismissed in the browser with these cookies (seldom a query)."""
    dismissed = set(cookies.get(COOKIE, "")[:_COOKIE_CHARS_MAX].split("."))
    return [row for row in announcements_current() if str(row.pk) not in dismissed]


def _not_over() -> list[Announcement]:
    """Return what is announced or will be: the moment of each comes while this is kept."""
    return list(Announcement.objects.filter(Q(shown_until__isnull=True) | Q(shown_until__gt=timezone.now())))
