"""Quarantine: an administrator does not trust a worker any more, and nothing of it may count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from fleet.services.hosts import host_let_in, host_shut_out
from jobs.selectors.workers import worker_named
from jobs.services.workers import worker_distrust, worker_resume
from ladder.services.builds import builds_withdraw
from ladder.services.rebuilds import versions_rebuild
from matches.services.quarantine import matches_requeue, matches_void_and_requeue
from wire.signing import host_of

log = structlog.get_logger(__name__)

SINCE_SECONDS = 3_600
"""So far back its results are taken out and its builds made again, unless the administrator says otherwise."""
HOURS_MAX = 24 * 365
"""Nobody goes further back than that; no clock knows every number that can be typed."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """What was done besides."""

    withdrawn: int
    """Matches and builds that were under way and are another worker's now."""
    replaced: int
    """Results that were taken out, and are played again."""
    rebuilt: int
    """Versions it has built that are built again."""
    shut_out: bool
    """Whether its host lost the broker, as one that was invited and has a user of its own; others share one."""

    def __str__(self) -> str:
        told = _(
            "Given to other workers: %(withdrawn)d. Taken out and played again: %(replaced)d. Built again: %(rebuilt)d."
        )
        sentence = told % {"withdrawn": self.withdrawn, "replaced": self.replaced, "rebuilt": self.rebuilt}
        if self.shut_out:
            return sentence
        more = _(
            "Other workers share its broker user, which was left on; if you do not trust its machine, change the "
            "password of that user."
        )
        return f"{sentence} {more}"


def worker_quarantine(*, name: str, actor: User | None, reason: str, since: datetime | None = None) -> Quarantined:
    """Put a worker into quarantine: it loses the broker, what it works on, and the results and builds it has reported.

    First of all nothing that it reports counts any more; whatever of the rest is cut short by a crash, the same call
    does again.

    Args:
        name: of the worker.
        actor: the administrator; None: the command line.
        reason: everybody will read it at the matches that are taken out.
        since: the results it reported from then on are taken out and played again, and what it built from then on is
            built again; None: those of the last hour.

    Raises:
        InputError: there is no such worker, or no reason was given.
        BrokerRefused: its host could not be shut out; everything else has been done.
    """
    worker = worker_distrust(name=name, actor=actor, reason=reason)
    withdrawn = matches_requeue(worker=name) + builds_withdraw(worker=name)
    since = since or timezone.now() - timedelta(seconds=SINCE_SECONDS)
    # English, as stored sentences are: `common.words.sentences` tells it in the reader's language.
    sentence = f"The worker that played it is not trusted any more: {reason}"
    replaced = len(matches_void_and_requeue(worker=name, since=since, reason=sentence[:1_000]))
    rebuilt = versions_rebuild(worker=name, since=since)
    log.warning("worker_quarantined", worker=name, withdrawn=withdrawn, replaced=replaced, rebuilt=rebuilt)
    shut_out = bool(host_of(worker.broker_user))
    if shut_out:
        host_shut_out(broker_user=worker.broker_user)
    return Quarantined(withdrawn, replaced, rebuilt, shut_out)


def worker_release(*, name: str, actor: User | None, reason: str = "") -> None:
    """Have a worker that was drained or quarantined take work again, and let its host at the broker again.

    Raises:
        InputError: there is no such worker, or it takes work already.
        BrokerRefused: its broker user could not be made; it is as it was.
    """
    with transaction.atomic():
        worker_resume(name=name, actor=actor, reason=reason)
        host_let_in(broker_user=worker_named(name=name).broker_user)
