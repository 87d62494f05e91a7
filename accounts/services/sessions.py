"""Deletes expired sessions."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone


def sessions_forget() -> int:
    """Delete the expired sessions, since every sign-in creates one; return how many were deleted."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
