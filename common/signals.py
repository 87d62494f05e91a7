"""Signals by which an app tells apps above it what has happened, without importing them."""

from __future__ import annotations

from django.dispatch import Signal

credentials_changed = Signal()
"""Sent when a ``user`` has a new password or other second factors, and when all sessions of the user are ended."""

account_closed = Signal()
"""Sent when the account of a ``user`` is being closed for ever, within the transaction, while it still has its name. A
receiver may raise ``InputError``: then it is not closed."""

account_disabled = Signal()
"""Sent after the transaction in which a ``user`` was saved who cannot sign in any more, because the account is closed
or was disabled. Sent again by each later change of such an account."""

notified = Signal()
"""Sent when users were notified of events about bots of theirs, within the transaction. Arguments: the ``kind`` of the
notifications (``NewsKind``), and ``events``, a set of pairs: the occasion of a notification, and the key of its
reader."""

replays_released = Signal()
"""Sent when no version refers to these stored replays and logs of turns any more (``digests``). A receiver deletes the
files that its own rows do not refer to either."""

contest_unfrozen = Signal()
"""Sent when a contest (``contest``, its key) stops being frozen, within the transaction."""

contest_archiving = Signal()
"""Sent before a contest (``contest``, its key) is archived, within the transaction. A receiver may raise
``InputError``: then it is not archived."""

results_void = Signal()
"""Sent when matches that had results (``matches``, their keys) have become void, within the transaction."""

member_left = Signal()
"""Sent when a ``user`` is no member of a contest (``contest``, its key) any more, within the transaction."""

team_joined = Signal()
"""Sent when a ``user`` has become a member of a ``team``, within the transaction. A receiver may raise ``InputError``:
then the user does not become one."""

team_left = Signal()
"""Sent when a ``user`` is no member of a ``team`` any more, within the transaction; its captain is another one, or it
has no members and is about to be deleted."""
