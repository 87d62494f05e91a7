"""Which languages bots may be written in here."""

from __future__ import annotations

from ladder.models import WorkingLanguage


def languages_all() -> list[WorkingLanguage]:
    """Return the languages of this arena; none before its first worker has announced them."""
    return list(WorkingLanguage.objects.all())
