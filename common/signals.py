"""What parts of the site tell each other without knowing each other."""

from __future__ import annotations

from django.dispatch import Signal

credentials_changed = Signal()
"""A ``user`` has a new password or other second factors, whoever has set them; when that ends sessions, too."""

replays_released = Signal()
"""No version has these stored replays and logs of turns any more (``digests``): who has others deletes the rest."""
