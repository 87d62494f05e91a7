"""What becomes of sessions that are over."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone


def sessions_forget() -> int:
    """Delete the sessions that let nobody in any more: whoever signs in makes one, and may do so without end.

    Returns:
        How many.
    """
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
