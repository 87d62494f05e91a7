"""What parts of the site tell each other without knowing each other."""

from __future__ import annotations

from django.db import transaction
from django.dispatch import Signal

queue_changed = Signal()
"""Something waits for a worker, or a worker has become free. Whoever hands out work looks at once."""
credentials_changed = Signal()
"""A ``user`` has a new password or other second factors, whoever has set them; when that ends sessions, too."""

replays_released = Signal()
"""No version has these stored replays and logs of turns any more (``digests``): who has others deletes the rest."""


def queue_announce() -> None:
    """Send ``queue_changed`` when the transaction is committed.

    A failure of who listens is logged, not raised: the timetable makes it look again.
    """
    transaction.on_commit(lambda: queue_changed.send(sender=None), robust=True)
