"""Which languages bots may be written in here."""

from __future__ import annotations

from common.queries.kept import kept
from jobs.models import WorkingLanguage


def languages_all() -> list[WorkingLanguage]:
    """Return the languages of this arena; none before its first worker has announced them."""
    return list(WorkingLanguage.objects.all())


def languages_shown() -> list[WorkingLanguage]:
    """Return the languages as pages name them: those of a few seconds ago."""
    return kept(languages_all)
