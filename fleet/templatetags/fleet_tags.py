"""Template filters of the fleet's pages."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _

register = template.Library()

_STATE_CLASSES = {"active": "active", "draining": "busy", "quarantined": "bad", "gone": "gone"}


@register.filter
def duration(seconds: float) -> str:
    """Return a duration rounded to one unit, such as ``40 s``, ``5 min``, ``3 h`` or ``2 days``."""
    if seconds < 100:
        return _("%(count)d s") % {"count": round(seconds)}
    if seconds < 100 * 60:
        return _("%(count)d min") % {"count": round(seconds / 60)}
    if seconds < 48 * 3600:
        return _("%(count)d h") % {"count": round(seconds / 3600)}
    return _("%(count)d days") % {"count": round(seconds / 86_400)}


@register.filter
def since_seconds(moment: datetime) -> float:
    """Return how many seconds ago a moment was."""
    return max((timezone.now() - moment).total_seconds(), 0.0)


@register.filter
def worker_state_class(state: str) -> str:
    """Return the suffix of the CSS class ``state-...`` (site.css) for a worker's state."""
    return _STATE_CLASSES[state]
