"""Signals by which an app tells apps above it what has happened, without importing them."""

from __future__ import annotations

from django.dispatch import Signal

credentials_changed = Signal()
"""Sent when a ``user`` has a new password or other second factors, and when all sessions of the user are ended."""

replays_released = Signal()
"""Sent when no version refers to these stored replays and logs of turns any more (``digests``). A receiver deletes the
files that its own rows do not refer to either."""

contest_unfrozen = Signal()
"""Sent when a contest (``contest``, its key) stops being frozen, within the transaction."""
