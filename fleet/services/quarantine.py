"""Quarantines workers that an administrator no longer trusts, and releases them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from core.message import Message, said, stored
from fleet.services.hosts import host_let_in, host_shut_out
from jobs.selectors.workers import worker_named
from jobs.services.workers import worker_distrust, worker_resume
from ladder.services.builds import BUILDS
from ladder.services.rebuilds import versions_rebuild
from matches.services.match_jobs import MATCHES
from matches.services.quarantine import matches_void_and_requeue
from wire.signing import host_of

log = structlog.get_logger(__name__)

SINCE_SECONDS = 3_600
"""How far back results are voided and builds are made again, unless the administrator says otherwise."""
HOURS_MAX = 24 * 365
"""The furthest that an administrator can go back; larger numbers would overflow ``datetime``."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """What a quarantine has changed."""

    handed_on: int
    """Matches and builds that the worker had not finished, and that go to other workers."""
    voided: int
    """Matches that were voided and are played again, without those of tournaments, which see to it themselves."""
    rebuilt: int
    """Versions built by the worker that are built again."""
    shut_out: bool
    """Whether the host's broker user was deleted. A user that several machines share is not."""

    def __str__(self) -> str:
        template = _(
            "Given to other workers: %(handed_on)d. Voided and played again: %(voided)d. Built again: %(rebuilt)d."
        )
        sentence = template % {"handed_on": self.handed_on, "voided": self.voided, "rebuilt": self.rebuilt}
        if self.shut_out:
            return sentence
        more = _(
            "Other workers share its broker user, which was left on; if you do not trust its machine, change the "
            "password of that user."
        )
        return f"{sentence} {more}"


def worker_quarantine(*, name: str, actor: User | None, reason: str, since: datetime | None = None) -> Quarantined:
    """Quarantine a worker: ignore its reports, give its jobs to others, void its results, and delete its broker user.

    The worker's state changes first, so that nothing it reports meanwhile counts. If a crash interrupts the rest,
    calling the function again completes it.

    Args:
        name: name of the worker.
        actor: the administrator; None: the command line.
        reason: shown to everybody at the voided matches.
        since: the matches that it reported at this time or later are voided and played again, and versions that it
            built are built again; None: one hour ago.

    Raises:
        InputError: there is no such worker, or the reason is empty.
        BrokerRefused: its host could not be shut out of the broker; everything else has been done.
    """
    worker = worker_distrust(name=name, actor=actor, reason=reason)
    handed_on = MATCHES.take_back_all(worker=name) + BUILDS.take_back_all(worker=name)
    since = since or timezone.now() - timedelta(seconds=SINCE_SECONDS)
    why = Message("worker-distrusted", {"why": stored(said(reason))})
    voided = len(matches_void_and_requeue(worker=name, since=since, reason=why))
    rebuilt = versions_rebuild(worker=name, since=since)
    log.warning("worker_quarantined", worker=name, handed_on=handed_on, voided=voided, rebuilt=rebuilt)
    shut_out = bool(host_of(worker.broker_user))
    if shut_out:
        host_shut_out(broker_user=worker.broker_user)
    return Quarantined(handed_on, voided, rebuilt, shut_out)


def worker_release(*, name: str, actor: User | None, reason: str = "") -> None:
    """Have a drained or quarantined worker take work again, and create its host's broker user again.

    ``actor`` is the administrator, None for the command line; ``reason`` is for the audit log.

    Raises:
        InputError: there is no such worker, or it is neither drained nor quarantined.
        BrokerRefused: the broker user could not be created; nothing has changed.
    """
    with transaction.atomic():
        worker_resume(name=name, actor=actor, reason=reason)
        host_let_in(broker_user=worker_named(name=name).broker_user)
