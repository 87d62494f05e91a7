"""The languages of the arena, as its workers announce them."""

from __future__ import annotations

import structlog
from django.db import transaction

from jobs.models import Worker, WorkingLanguage
from jobs.selectors.languages import languages_all
from jobs.selectors.workers import worker_is_quarantined
from ladder.selectors.housebots import housebots_missing
from ladder.services.housebots import housebots_complete
from wire.jobs import LanguagesReport

LIBRARIES_CHARS_MAX = 100

log = structlog.get_logger(__name__)


@transaction.atomic
def languages_announce(*, report: LanguagesReport) -> None:
    """Note which languages a worker has that has just started: the arena has those of all that work for it.

    What no other of them has is gone from the arena when its worker comes back without it, not when it is away: a
    restart must not make the pages say for a minute that there is no Python. It promises the libraries that all active
    workers with a language share, since any of them may be given a bot. House bots in a language that is new here are
    loaded, and those that were rejected are tried again when a language or a shared library is new.
    """
    if worker_is_quarantined(name=report.worker):
        log.warning("languages_refused", worker=report.worker)
        return
    known = _promised()
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
    # Its next beat says so, too; but another's announcement may come before.
    libraries = {language.name: language.libraries for language in report.languages}
    Worker.objects.filter(name=report.worker).update(languages=list(libraries), libraries=libraries)
    WorkingLanguage.objects.exclude(name__in=found | _of_others(report.worker)).delete()
    _libraries_share(report.worker, libraries)
    if _promised() - known:
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


def _of_others(worker: str) -> set[str]:
    """Return the languages of all other workers that work for the arena."""
    others = Worker.objects.exclude(name=worker).filter(state__in=[Worker.State.ACTIVE, Worker.State.DRAINING])
    return {name for languages in others.values_list("languages", flat=True) for name in languages}


def _promised() -> set[tuple[str, str]]:
    """Return the names of languages with those of their libraries, and with nothing."""
    return {(language.name, name) for language in languages_all() for name in ("", *_versions(language.libraries))}


def _libraries_share(worker: str, libraries: dict[str, str]) -> None:
    """Note which libraries all active workers have that have each language; one has just told its own."""
    others = Worker.objects.exclude(name=worker).filter(state=Worker.State.ACTIVE)
    told = [libraries, *(each for each in others.values_list("libraries", flat=True) if each is not None)]
    for language in languages_all():
        if having := [each[language.name] for each in told if language.name in each]:
            WorkingLanguage.objects.filter(pk=language.pk).update(libraries=_shared(having))


def _shared(told: list[str]) -> str:
    """Return the libraries that are in all of what workers have told; with a version only where all have that one."""
    first, *others = map(_versions, told)
    names = [name for name in first if all(name in each for each in others)]
    agreed = {name: first[name] if all(each[name] == first[name] for each in others) else "" for name in names}
    # The attack: names without spaces between them, which grow by those and no longer fit into their column.
    return ", ".join(f"{name} {version}".rstrip() for name, version in agreed.items())[:LIBRARIES_CHARS_MAX]


def _versions(libraries: str) -> dict[str, str]:
    """Return the versions of libraries by their names, as of ``numpy 1.24.2, scipy 1.10.1``."""
    names = (each.strip().partition(" ") for each in libraries.split(","))
    return {name: version for name, _, version in names if name}
