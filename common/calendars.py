"""Calendars (iCalendar, RFC 5545) that people subscribe to in their own calendar program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone
from icalendar import Calendar, Event, vText

CONTENT_TYPE = "text/calendar; charset=utf-8"
_REFRESH = timedelta(hours=1)
"""How often programs should ask for changes; most ask less often whatever a calendar says."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something in a calendar that happens at one moment."""

    key: str
    """Its name for programs, unique in the calendar; one that is moved keeps it, else it would be there twice."""
    title: str
    """Its name for people."""
    at: datetime


def calendar_of(*, uid: str, title: str, url: str, occasions: Sequence[Occasion]) -> bytes:
    """Return a calendar as an iCalendar file (RFC 5545).

    Times are written in UTC; programs show them in their reader's zone.
    ``uid`` is a name that no other calendar in the world has, such as ``spring.contests.example.org``. ``title`` also
    begins the title of each occasion; ``url`` is the page that tells more.
    """
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Banzuke//Contests//EN")
    calendar.add("uid", uid)
    calendar.add("url", url)
    for name in ("name", "x-wr-calname"):  # RFC 7986, and the older name that many programs read alone
        calendar.add(name, vText(title))
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    for occasion in occasions:
        calendar.add_component(_event(uid, title, url, occasion))
    file: bytes = calendar.to_ical()
    return file


def _event(uid: str, title: str, url: str, occasion: Occasion) -> Event:
    event = Event()
    event.add("uid", f"{occasion.key}.{uid}")
    event.add("summary", f"{title}: {occasion.title}")
    event.add("dtstamp", timezone.now())
    event.add("dtstart", occasion.at.astimezone(UTC))  # without an end: it takes no time
    event.add("transp", "TRANSPARENT")  # does not make its reader busy
    event.add("url", url)
    return event
