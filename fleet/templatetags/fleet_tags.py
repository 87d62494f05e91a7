"""Filters for the fleet's pages."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _

register = template.Library()

_SIGNS = {"active": "active", "draining": "busy", "quarantined": "bad", "gone": "gone"}


@register.filter
def duration(seconds: float) -> str:
    """Return a span of time in its largest unit that is not tiny: ``40 s``, ``5 min``, ``3 h``, ``2 days``."""
    if seconds < 100:
        return _("%(count)d s") % {"count": round(seconds)}
    if seconds < 100 * 60:
        return _("%(count)d min") % {"count": round(seconds / 60)}
    if seconds < 48 * 3600:
        return _("%(count)d h") % {"count": round(seconds / 3600)}
    return _("%(count)d days") % {"count": round(seconds / 86_400)}


@register.filter
def since_seconds(moment: datetime) -> float:
    """Return how long ago it was."""
    return max((timezone.now() - moment).total_seconds(), 0.0)


@register.filter
def worker_sign(state: str) -> str:
    """Return the name of the sign before a worker's state (site.css)."""
    return _SIGNS[state]
