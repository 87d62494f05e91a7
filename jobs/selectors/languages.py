"""The programming languages that workers of this arena have."""

from __future__ import annotations

from common.queries.cached import cached
from jobs.models import WorkingLanguage


def languages_all() -> list[WorkingLanguage]:
    """Return the languages of this arena; none before its first worker has reported them."""
    return list(WorkingLanguage.objects.all())


def languages_shown() -> list[WorkingLanguage]:
    """Return the languages for pages, cached for a few seconds."""
    return cached(languages_all)
