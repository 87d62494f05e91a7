"""Formats times for people, and parses times that people have typed.

The site does not know the time zone of its readers, so it writes UTC and says so. In the browser ``times.js`` then
replaces each time with the one in the reader's zone. Pages are the same for readers of all zones, so that they can be
cached for all.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from common.errors import InputError


def moment(value: datetime | None) -> str:
    """Return a date and time as text, with its zone; empty for None."""
    return f"{date(value, 'SHORT_DATETIME_FORMAT')} {value.tzname()}" if value else ""


def moment_exact(value: datetime) -> str:
    """Return a time in UTC to the millisecond as text, the same in all languages, to be compared with other clocks."""
    return f"{value.astimezone(UTC).isoformat(sep=' ', timespec='milliseconds').removesuffix('+00:00')} UTC"


def timed(value: datetime | None) -> SafeString | str:
    """Return a date and time as HTML, which the browser shows in the reader's zone; empty for None."""
    return _time_element(value, moment(value), "")


def dated(value: datetime | None) -> SafeString | str:
    """Return the date of a time as HTML, which the browser shows in the reader's zone; empty for None."""
    return _time_element(value, date(value, "SHORT_DATE_FORMAT"), "day")


def clocked(value: datetime | None) -> SafeString | str:
    """Return the time of day, with seconds, as HTML, which the browser shows in the reader's zone; empty for None."""
    return _time_element(value, date(value, "H:i:s e"), "clock")


def ago(value: datetime | None) -> SafeString | str:
    """Return how long ago a time was, as HTML with the time itself as a tooltip; empty for None."""
    if not value:
        return ""
    since = timezone.now() - value
    # After a day the hours say nothing and make tables wide.
    told = naturaltime(value + since % timedelta(days=1) if since > timedelta(days=1) else value)
    return format_html('<time datetime="{}" title="{}">{}</time>', value.isoformat(), moment(value), told)


def countdown(value: datetime | None) -> SafeString | str:
    """Return how long it is until a time, as HTML that ``times.js`` keeps up to date; empty for None.

    The element's role ``timer`` tells screen readers not to announce each change.
    """
    if not value:
        return ""
    phrase, over = _("in %(time)s"), _("the time is over")
    return format_html(
        '<time role="timer" class="num" datetime="{}" title="{}" data-countdown="{}" data-over="{}">{}</time>',
        value.isoformat(),
        moment(value),
        phrase % {"time": "{time}"},
        over,
        phrase % {"time": timeuntil(value)} if value > timezone.now() else over,
    )


def _time_element(value: datetime | None, words: str, part: str) -> SafeString | str:
    """Return a ``<time>`` element, of which ``times.js`` shows a part: ``day``, ``clock``, or all (empty)."""
    if not value:
        return ""
    return format_html('<time datetime="{}" data-moment="{}">{}</time>', value.isoformat(), part, words)


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones, read from the disk once."""
    return frozenset(available_timezones())


def moment_read(word: str, *, day_alone: bool = False) -> datetime:
    """Parse a time that somebody has typed, in ISO 8601, and return it in UTC; without a zone it is taken as UTC.

    Args:
        word: what was typed.
        day_alone: whether a date without a time is accepted, as the beginning of that day. A deadline should not accept
            it: it would be unclear which time of the day is meant.

    Raises:
        InputError: ``word`` is no such time.
    """
    text = word.strip() if day_alone or ":" in word else ""
    try:
        typed = datetime.fromisoformat(text)
        return typed.replace(tzinfo=typed.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:  # OverflowError: the time is before the year 1 in UTC
        raise _no_time(word) from error


def local_moment(typed: str, zone: str) -> datetime:
    """Return the moment of a date and time in a time zone, in UTC.

    Args:
        typed: date and time in ISO 8601; if it names its own offset, that one counts.
        zone: name of the time zone.

    Raises:
        InputError: ``typed`` is no time, or clocks in the zone show it never or twice.
    """
    moment = moment_read(typed)
    if datetime.fromisoformat(typed).tzinfo:
        return moment
    local = moment.replace(tzinfo=ZoneInfo(zone))
    try:
        first, second = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
    except OverflowError as error:
        raise _no_time(typed) from error
    said = {"time": f"{local:%Y-%m-%d %H:%M}", "zone": zone}
    if first > second:  # before the gap clocks are still behind, so that the offset after it gives an earlier moment
        sentence = _(
            "%(time)s does not exist in %(zone)s: clocks are put forward past it. Type a time before or after it."
        )
        raise InputError(sentence % said)
    if first < second:
        sentence = _(
            "%(time)s comes twice in %(zone)s, where clocks are put back. Type it in UTC, or type another time."
        )
        raise InputError(sentence % said)
    return first


def _no_time(word: str) -> InputError:
    return InputError(_("%(word)s is no time: write it like 2026-12-01T18:00+09:00.") % {"word": word})
