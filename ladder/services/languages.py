"""Records the languages and libraries that workers announce; they are the languages of the arena."""

from __future__ import annotations

import structlog
from django.db import transaction

from jobs.models import Worker, WorkingLanguage
from jobs.selectors.languages import languages_all
from jobs.selectors.workers import worker_is_quarantined
from ladder.selectors.housebots import housebots_missing
from ladder.services.housebots import housebots_complete
from wire.worker_reports import LanguagesReport

LIBRARIES_CHARS_MAX = 100
"""The length of the column ``WorkingLanguage.libraries``."""

log = structlog.get_logger(__name__)


@transaction.atomic
def languages_announce(*, report: LanguagesReport) -> None:
    """Record the languages of a worker that has just started. The arena has the languages of all its workers.

    A language leaves the arena when the last worker with it announces itself without it, but not while that worker is
    away: a restart must not remove Python from the pages for a minute. The arena shows those libraries of a language
    that all active workers with it have, since any of them may play a bot. A new language or shared library makes
    ``housebots_complete`` load house bots and try rejected ones again.
    """
    if worker_is_quarantined(name=report.worker):
        log.warning("languages_refused", worker=report.worker)
        return
    known = _language_libraries()
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
    found = {language.name for language in report.languages}
    # Its next heartbeat stores them, too, but another worker may announce itself before that.
    libraries = {language.name: language.libraries for language in report.languages}
    Worker.objects.filter(name=report.worker).update(languages=list(libraries), libraries=libraries)
    WorkingLanguage.objects.exclude(name__in=found | _languages_elsewhere(report.worker)).delete()
    _shared_libraries_update(report.worker, libraries)
    if _language_libraries() - known:
        transaction.on_commit(housebots_complete)
    log.info("languages_announced", worker=report.worker, languages=[language.name for language in report.languages])
    for missing in housebots_missing():
        if missing.language:
            log.info("housebot_left_out", game=missing.game, bot=missing.name, lacks=missing.language)
        elif missing.is_name_taken:
            log.error("housebot_left_out", game=missing.game, bot=missing.name, reason="its name is taken")
        else:
            reason = f"{missing.sentence} {missing.error}".rstrip()
            log.error("housebot_not_built", game=missing.game, bot=missing.name, reason=reason)


def _languages_elsewhere(worker: str) -> set[str]:
    """Return the languages of all other active and draining workers."""
    others = Worker.objects.exclude(name=worker).filter(state__in=[Worker.State.ACTIVE, Worker.State.DRAINING])
    return {name for languages in others.values_list("languages", flat=True) for name in languages}


def _language_libraries() -> set[tuple[str, str]]:
    """Return each language of the arena paired with each of its libraries, and with an empty string."""
    return {(language.name, name) for language in languages_all() for name in ("", *_versions(language.libraries))}


def _shared_libraries_update(worker: str, libraries: dict[str, str]) -> None:
    """Store for each language the libraries that all active workers with it share.

    Args:
        worker: name of the worker that has just announced itself.
        libraries: its libraries by language, such as ``numpy 1.24.2, scipy 1.10.1``.
    """
    others = Worker.objects.exclude(name=worker).filter(state=Worker.State.ACTIVE)
    announced = [libraries, *(each for each in others.values_list("libraries", flat=True) if each is not None)]
    for language in languages_all():
        if having := [each[language.name] for each in announced if language.name in each]:
            WorkingLanguage.objects.filter(pk=language.pk).update(libraries=_shared(having))


def _shared(announced: list[str]) -> str:
    """Return the libraries that are in all of these lists, with a version only where all have the same one."""
    first, *others = map(_versions, announced)
    names = [name for name in first if all(name in each for each in others)]
    agreed = {name: first[name] if all(each[name] == first[name] for each in others) else "" for name in names}
    # The attack: a worker announces "a,b,c" without spaces; joined by ", " it would exceed the length of the column.
    return ", ".join(f"{name} {version}".rstrip() for name, version in agreed.items())[:LIBRARIES_CHARS_MAX]


def _versions(libraries: str) -> dict[str, str]:
    """Return versions by the names of libraries, from a list such as ``numpy 1.24.2, scipy 1.10.1``."""
    names = (each.strip().partition(" ") for each in libraries.split(","))
    return {name: version for name, _, version in names if name}
