"""The languages of the arena, as its workers announce them."""

from __future__ import annotations

import structlog
from django.db import transaction

from ladder.models import WorkingLanguage
from workers.jobs import LanguagesReport

log = structlog.get_logger(__name__)


@transaction.atomic
def languages_announce(*, report: LanguagesReport) -> None:
    """Note which languages the worker that has started last has. The workers of an arena should all have the same."""
    for position, language in enumerate(report.languages):
        WorkingLanguage.objects.update_or_create(
            name=language.name,
            defaults={
                "title": language.title,
                "version": language.version,
                "entries": language.entries,
                "suffixes": language.suffixes,
                "position": position,
            },
        )
    WorkingLanguage.objects.exclude(name__in=[language.name for language in report.languages]).delete()
    log.info("languages_announced", worker=report.worker, languages=[language.name for language in report.languages])
