"""Times as people read and write them. The site knows no reader's zone, so it writes its own and says so.

``times.js`` tells readers of pages the same in theirs.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.template.defaultfilters import date
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from common.errors import InputError


def moment(value: datetime | None) -> str:
    """Return a day and time with its zone, since readers live in others; nothing for none."""
    return f"{date(value, 'SHORT_DATETIME_FORMAT')} {value.tzname()}" if value else ""


def timed(value: datetime | None) -> SafeString | str:
    """Return a day and time as HTML that the browser tells in the reader's zone; nothing for none."""
    return _told(value, moment(value), "")


def dated(value: datetime | None) -> SafeString | str:
    """Return the day of a moment as HTML that the browser tells in the reader's zone; nothing for none."""
    return _told(value, date(value, "SHORT_DATE_FORMAT"), "day")


def clocked(value: datetime | None) -> SafeString | str:
    """Return the time of day to the second as HTML that the browser tells in the reader's zone; nothing for none."""
    return _told(value, date(value, "H:i:s e"), "clock")


def _told(value: datetime | None, words: str, part: str) -> SafeString | str:
    if value is None:
        return ""
    return format_html('<time datetime="{}" data-moment="{}">{}</time>', value.isoformat(), part, words)


def moment_read(word: str, *, day_alone: bool = False) -> datetime:
    """Return the time that somebody has typed; one without a zone is taken for UTC.

    Args:
        word: what was typed.
        day_alone: a day alone is its beginning. Otherwise it is refused: of a deadline it would be unclear which of the
            day's moments is meant.

    Raises:
        InputError: it is none.
    """
    text = word.strip() if day_alone or ":" in word else ""
    try:
        typed = datetime.fromisoformat(text)
        return typed.replace(tzinfo=typed.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:  # the latter of a time that is before the first day in UTC
        raise InputError(_("%(word)s is no time: write it like 2026-12-01T18:00+09:00.") % {"word": word}) from error
