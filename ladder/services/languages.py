"""The languages of the arena, as its workers announce them."""

from __future__ import annotations

import structlog
from django.db import transaction

from ladder.models import Worker, WorkingLanguage
from ladder.selectors.housebots import housebots_missing
from ladder.selectors.languages import languages_all
from ladder.selectors.workers import worker_is_quarantined
from ladder.services.housebots import housebots_complete
from workers.jobs import LanguagesReport

log = structlog.get_logger(__name__)


@transaction.atomic
def languages_announce(*, report: LanguagesReport) -> None:
    """Note which languages a worker has that has just started: the arena has those of all that work for it.

    What no other of them has is gone from the arena when its worker comes back without it, not when it is away: a
    restart must not make the pages say for a minute that there is no Python. House bots in a language that is new here
    are loaded, and those that were rejected are tried again: what they lacked may have come with it.
    """
    if worker_is_quarantined(name=report.worker):
        log.warning("languages_refused", worker=report.worker)
        return
    known = {(language.name, language.version, language.libraries) for language in languages_all()}
    for position, language in enumerate(report.languages):
        WorkingLanguage.objects.update_or_create(
            name=language.name,
            defaults={
                "title": language.title,
                "version": language.version,
                "entries": language.entries,
                "suffixes": language.suffixes,
                "libraries": language.libraries,
                "position": position,
            },
        )
    found = {language.name for language in report.languages}
    # Its next beat says so, too; but another's announcement may come before.
    Worker.objects.filter(name=report.worker).update(languages=[language.name for language in report.languages])
    WorkingLanguage.objects.exclude(name__in=found | _of_others(report.worker)).delete()
    if {(language.name, language.version, language.libraries) for language in report.languages} - known:
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
