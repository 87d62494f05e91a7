"""Stores what the beats of workers report, and makes workers do what administrators want of them.

The database holds what is wanted. An order to a worker (``workers.control``) may be lost, and a worker may restart. So
each beat is compared with the worker's row, and where they differ the order is sent once more.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import IllegalTransition, InputError
from common.queries.sql import rows_update
from jobs.celery_app import app
from jobs.models import Worker
from jobs.selectors.workers import worker_for_update, worker_named
from jobs.services.dispatching import queue_announce
from jobs.services.heartbeats import heartbeats_handle
from jobs.worker_names import worker_node
from wire.jobs import ADJUST_COMMAND, BEAT_SECONDS
from wire.transport import Refused
from wire.worker_reports import WorkerBeat

log = structlog.get_logger(__name__)

SILENT_SECONDS = 4 * BEAT_SECONDS
"""A worker without a beat for this time is marked as gone."""
FORGET_SECONDS = 7 * 24 * 3600
"""The row of a worker without a beat for this time is deleted."""
WORKERS_MAX = 1_000
"""Most workers that are registered at a time: several times what one site serves."""

State = Worker.State
_NEXT: dict[str, set[str]] = {
    State.ACTIVE: {State.DRAINING, State.QUARANTINED, State.GONE},
    State.DRAINING: {State.ACTIVE, State.DRAINING, State.QUARANTINED},
    State.QUARANTINED: {State.ACTIVE, State.QUARANTINED},
    State.GONE: {State.ACTIVE, State.DRAINING, State.QUARANTINED},
}


def worker_transition(*, worker: Worker, state: State, reason: str = "") -> None:
    """Move a worker, which the caller's transaction has locked, to another state, and save it.

    Raises:
        IllegalTransition: no transition leads from the worker's state to the new one.
    """
    if state not in _NEXT[worker.state]:
        raise IllegalTransition(f"{worker} cannot go from {worker.state} to {state}.")
    worker.state = state
    worker.reason = reason[:1_000]
    worker.save(update_fields=["state", "reason"])
    if state == State.ACTIVE:
        queue_announce()


# --- Beats of workers ------------------------------------------------------------------------------------------------


@transaction.atomic
def worker_beat(*, beat: WorkerBeat) -> None:
    """Store the beat of a worker; send the worker an order if it does not do what administrators want.

    Raises:
        Refused: the worker is new, and ``WORKERS_MAX`` workers are registered.
    """
    worker = worker_for_update(name=beat.worker) or _worker_new(beat)
    _beat_store(worker, beat)
    if worker.state == State.GONE:
        worker_transition(worker=worker, state=State.ACTIVE)
    takes_work = worker.state == State.ACTIVE
    is_obedient = beat.takes_work is takes_work and worker.processes_wanted in (None, beat.processes)
    if (beat.processes or beat.tables) and not is_obedient:
        _order_send(worker)


def _worker_new(beat: WorkerBeat) -> Worker:
    if Worker.objects.count() >= WORKERS_MAX and not _longest_gone_delete():
        raise Refused(f"There are {WORKERS_MAX} workers already, so {beat.worker} of {beat.broker_user} is not taken.")
    now = timezone.now()
    worker, _created = Worker.objects.select_for_update().get_or_create(
        name=beat.worker,
        defaults={"cores": beat.cores, "processes": 0, "started_at": now, "last_seen_at": now},
    )
    log.info("worker_new", worker=beat.worker, host=beat.host)
    return worker


def _longest_gone_delete() -> bool:
    """Delete the worker that has been gone for longest; return whether there was one.

    The attack that ``WORKERS_MAX`` stops: one host sends beats under a million names, and nobody can read the list of
    workers any more.
    """
    gone = Worker.objects.filter(state=State.GONE).order_by("last_seen_at")[:1]
    return Worker.objects.filter(pk__in=list(gone.values_list("pk", flat=True))).delete()[0] > 0


def _beat_store(worker: Worker, beat: WorkerBeat) -> None:
    now = timezone.now()
    if beat.processes > worker.processes:
        queue_announce()  # more jobs can be handed out now
    if beat.jobs_taken != worker.jobs_done + worker.busy and beat.jobs_taken:
        worker.last_taken_at = now
    if beat.jobs_done != worker.jobs_done and beat.jobs_done:
        worker.last_ended_at = now
    worker.started_at = now - timedelta(seconds=min(beat.uptime_seconds, _UPTIME_SECONDS_MAX))
    worker.last_seen_at = now
    for name in _AS_REPORTED:
        setattr(worker, name, getattr(beat, name))
    # A worker that still tests its languages reports none: such a beat must not undo an earlier report of languages.
    worker.languages = beat.languages or worker.languages
    rows_update([worker], ["last_taken_at", "last_ended_at", "started_at", "last_seen_at", "languages", *_AS_REPORTED])


_UPTIME_SECONDS_MAX = 10 * 365 * 24 * 3600
# The attack: a later field of the message has the name of a column that administrators set, and a host writes it.
_AS_REPORTED = [
    *("host", "broker_user", "version", "backend", "cores", "processes", "tables", "busy"),
    *("self_test", "canary_ms", "cpu_percent", "load", "jobs_done"),
]
"""The columns that get the values of the fields of a beat with the same names."""


def _order_send(worker: Worker) -> None:
    """Send a worker what administrators want of it, when the transaction is committed."""
    takes_work = worker.state == State.ACTIVE
    wanted: dict[str, Any] = {
        "processes": worker.processes_wanted,
        "takes_work": takes_work,
        "user": worker.broker_user,
    }

    def send() -> None:
        try:
            app.control.broadcast(ADJUST_COMMAND, arguments=wanted, destination=[worker_node(worker.name)])
        except OperationalError as error:
            # The broker is away: the next beat that differs from the row has the order sent again.
            log.warning("order_not_sent", worker=worker.name, error=str(error))

    transaction.on_commit(send)


def workers_sweep() -> None:
    """Mark active workers that have fallen silent as gone; delete those that have been silent for a week.

    A drained worker keeps its state while it is silent and when it comes back; so does a quarantined one, which is
    never deleted.
    """
    heartbeats_handle()
    now = timezone.now()
    silent = Worker.objects.filter(last_seen_at__lt=now - timedelta(seconds=SILENT_SECONDS))
    for pk in silent.filter(state=State.ACTIVE).values_list("pk", flat=True):
        _worker_mark_gone(pk)
    silent.filter(
        state__in=[State.GONE, State.DRAINING], last_seen_at__lt=now - timedelta(seconds=FORGET_SECONDS)
    ).delete()


@transaction.atomic
def _worker_mark_gone(pk: int) -> None:
    worker = Worker.objects.select_for_update().filter(pk=pk, state=State.ACTIVE).first()
    if worker is None or worker.last_seen_at >= timezone.now() - timedelta(seconds=SILENT_SECONDS):
        return
    log.warning("worker_gone", worker=worker.name, last_seen_at=worker.last_seen_at.isoformat())
    worker_transition(worker=worker, state=State.GONE)


# --- Orders of administrators -----------------------------------------------------------------------------------------


@transaction.atomic
def worker_scale(*, name: str, processes: int, actor: User | None, reason: str = "") -> None:
    """Set the number of processes of a worker, which also holds after the worker restarts.

    Args:
        name: name of the worker.
        processes: from one to the number of cores of its host: each process has a core of its own, so that no match
            disturbs the clock of another.
        actor: the administrator; None: the command line.
        reason: why, for the audit log.

    Raises:
        InputError: there is no such worker, or its host has fewer cores.
    """
    worker = _worker_locked(name)
    if not 1 <= processes <= worker.cores:
        raise InputError(
            _("Please choose from 1 to %(cores)d processes: %(name)s has so many cores, and each plays on its own.")
            % {"cores": worker.cores, "name": name}
        )
    worker.processes_wanted = processes
    worker.save(update_fields=["processes_wanted"])
    audit_write(actor=actor, act="worker_scale", target=f"{name} to {processes}", reason=reason)
    _order_send(worker)


@transaction.atomic
def worker_drain(*, name: str, actor: User | None, reason: str = "") -> None:
    """Have a worker finish its jobs and take no new ones, as before its host is stopped.

    ``actor`` is as for ``worker_scale``; ``reason`` is stored at the worker and in the audit log.

    Raises:
        InputError: there is no such worker, or it is quarantined.
    """
    worker = _worker_locked(name)
    if worker.state == State.QUARANTINED:
        raise InputError(_("%(name)s is quarantined and takes no work already.") % {"name": name})
    worker_transition(worker=worker, state=State.DRAINING, reason=reason)
    audit_write(actor=actor, act="worker_drain", target=name, reason=reason)
    _order_send(worker)


@transaction.atomic
def worker_resume(*, name: str, actor: User | None, reason: str = "") -> None:
    """Have a worker that was drained or quarantined take work again.

    ``actor`` and ``reason`` are as for ``worker_scale``.

    Raises:
        InputError: there is no such worker, or it is neither drained nor quarantined.
    """
    worker = _worker_locked(name)
    if worker.state not in (State.DRAINING, State.QUARANTINED):
        raise InputError(_("%(name)s is neither drained nor quarantined.") % {"name": name})
    worker_transition(worker=worker, state=State.ACTIVE)
    audit_write(actor=actor, act="worker_resume", target=name, reason=reason)
    _order_send(worker)


@transaction.atomic
def worker_distrust(*, name: str, actor: User | None, reason: str) -> Worker:
    """Put a worker into quarantine and return it: from now on its reports are ignored.

    The caller, in a layer above, voids the jobs it works on and what it has reported. ``actor`` is as for
    ``worker_scale``; ``reason`` is shown to everybody at the voided matches.

    Raises:
        InputError: there is no such worker, or no reason was given.
    """
    if not reason.strip():
        raise InputError(_("Please give the reason; everybody will read it at the matches that are voided."))
    worker = _worker_locked(name)
    worker_transition(worker=worker, state=State.QUARANTINED, reason=reason)
    audit_write(actor=actor, act="worker_quarantine", target=name, reason=reason)
    _order_send(worker)
    return worker


def _worker_locked(name: str) -> Worker:
    """Lock and return the worker of this name; raise InputError if there is none."""
    return Worker.objects.select_for_update().get(pk=worker_named(name=name).pk)
