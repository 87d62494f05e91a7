"""Template tags that show times, which the browser then shows in the reader's zone, and countdowns."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.safestring import SafeString

from common.times import ago, clocked, countdown, dated, timed

register = template.Library()

_PARTS = {"": timed, "day": dated, "clock": clocked, "ago": ago}

register.filter("ago", ago)
register.simple_tag(countdown)


@register.simple_tag
def when(moment: datetime | None, part: str = "") -> SafeString | str:
    """Render a time as a ``<time>`` element; empty for None.

    Args:
        moment: the time, with a time zone.
        part: what of it is shown: date and time with the zone's name (empty), the date (``day``), the time of day with
            seconds and the zone's name (``clock``), or how long ago it was (``ago``).
    """
    return _PARTS[part](moment)
