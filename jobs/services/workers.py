"""Workers: what they say of themselves is noted, what administrators want of them is said again until they do it.

The database is the truth here, too. An order to a worker (``workers.control``) may be lost and a worker may restart;
each of its beats is compared with its row, and where they differ the order is sent once more.
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
from jobs.report_auth import worker_node
from jobs.selectors.workers import worker_named, worker_of_beat
from jobs.services.dispatching import queue_announce
from wire.jobs import ADJUST_COMMAND, BEAT_SECONDS, WorkerBeat
from wire.transport import Refused

log = structlog.get_logger(__name__)

SILENT_SECONDS = 4 * BEAT_SECONDS
"""After so long without a beat a worker is gone."""
FORGET_SECONDS = 7 * 24 * 3600
"""After so long without a beat a worker is forgotten."""
WORKERS_MAX = 1_000
"""No more are known at a time; several times what one site serves."""

State = Worker.State
_NEXT: dict[str, set[str]] = {
    State.ACTIVE: {State.DRAINING, State.QUARANTINED, State.GONE},
    State.DRAINING: {State.ACTIVE, State.DRAINING, State.QUARANTINED},
    State.QUARANTINED: {State.ACTIVE, State.QUARANTINED},
    State.GONE: {State.ACTIVE, State.DRAINING, State.QUARANTINED},
}


def worker_transition(*, worker: Worker, state: State, reason: str = "") -> None:
    """Move a worker to another state and save it.

    Args:
        worker: locked by the caller's transaction (``select_for_update``).
        state: where to.
        reason: of DRAINING and QUARANTINED.

    Raises:
        IllegalTransition: there is no such way.
    """
    if state not in _NEXT[worker.state]:
        raise IllegalTransition(f"{worker} cannot go from {worker.state} to {state}.")
    worker.state = state
    worker.reason = reason[:1_000]
    worker.save(update_fields=["state", "reason"])
    if state == State.ACTIVE:
        queue_announce()


# --- What workers say ------------------------------------------------------------------------------------------------


@transaction.atomic
def worker_beat(*, beat: WorkerBeat) -> None:
    """Note how a worker is; tell it what is wanted of it if it does something else.

    Raises:
        Refused: it is new, and there are too many already.
    """
    worker = worker_of_beat(name=beat.worker) or _worker_new(beat)
    _worker_note(worker, beat)
    if worker.state == State.GONE:
        worker_transition(worker=worker, state=State.ACTIVE)
    if beat.processes and not _does_what_is_wanted(worker, beat):
        _worker_tell(worker)


def _worker_new(beat: WorkerBeat) -> Worker:
    if not _is_room():
        raise Refused(f"There are {WORKERS_MAX} workers already, so {beat.worker} of {beat.broker_user} is not taken.")
    now = timezone.now()
    worker, _created = Worker.objects.select_for_update().get_or_create(
        name=beat.worker,
        defaults={"cores": beat.cores, "processes": 0, "started_at": now, "last_seen_at": now},
    )
    log.info("worker_new", worker=beat.worker, host=beat.host)
    return worker


def _is_room() -> bool:
    """Say whether one more worker may become known; whoever has been gone for longest makes room.

    The attack this stops: one host beats under a million names, and nobody can read the list of workers any more.
    """
    if Worker.objects.count() < WORKERS_MAX:
        return True
    gone = Worker.objects.filter(state=State.GONE).order_by("last_seen_at")[:1]
    return Worker.objects.filter(pk__in=list(gone.values_list("pk", flat=True))).delete()[0] > 0


def _worker_note(worker: Worker, beat: WorkerBeat) -> None:
    now = timezone.now()
    if beat.processes > worker.processes:
        queue_announce()  # more can be handed out, or something at all where nobody else takes work
    if beat.jobs_taken != worker.jobs_done + worker.busy and beat.jobs_taken:
        worker.last_taken_at = now
    if beat.jobs_done != worker.jobs_done and beat.jobs_done:
        worker.last_ended_at = now
    worker.started_at = now - timedelta(seconds=min(beat.uptime_seconds, _UPTIME_SECONDS_MAX))
    worker.last_seen_at = now
    for name in _AS_REPORTED:
        setattr(worker, name, getattr(beat, name))
    # None while it still tries them: a beat that comes later than its announcement must not undo that.
    worker.languages = beat.languages or worker.languages
    rows_update([worker], ["last_taken_at", "last_ended_at", "started_at", "last_seen_at", "languages", *_AS_REPORTED])


_UPTIME_SECONDS_MAX = 10 * 365 * 24 * 3600
_AS_REPORTED = [
    "host",
    "broker_user",
    "version",
    "backend",
    "cores",
    "processes",
    "busy",
    "self_test",
    "canary_ms",
    "cpu_percent",
    "load",
    "jobs_done",
]


def _does_what_is_wanted(worker: Worker, beat: WorkerBeat) -> bool:
    takes_work = worker.state == State.ACTIVE
    return beat.takes_work is takes_work and worker.processes_wanted in (None, beat.processes)


def _worker_tell(worker: Worker) -> None:
    """Send a worker what is wanted of it when the transaction is committed."""
    takes_work = worker.state == State.ACTIVE
    wanted = {"processes": worker.processes_wanted, "takes_work": takes_work, "user": worker.broker_user}
    transaction.on_commit(lambda: _send(worker.name, wanted))


def _send(name: str, wanted: dict[str, Any]) -> None:
    try:
        app.control.broadcast(ADJUST_COMMAND, arguments=wanted, destination=[worker_node(name)])
    except OperationalError as error:
        # The broker is away: the next beat that shows something else has it sent again.
        log.warning("order_not_sent", worker=name, error=str(error))


def workers_sweep() -> None:
    """Note which active workers give no sign of life any more; forget those that have been away for a week.

    One that is drained or quarantined stays so while it is silent, and when it comes back.
    """
    now = timezone.now()
    silent = Worker.objects.filter(last_seen_at__lt=now - timedelta(seconds=SILENT_SECONDS))
    for pk in silent.filter(state=State.ACTIVE).values_list("pk", flat=True):
        _worker_gone(pk)
    silent.filter(
        state__in=[State.GONE, State.DRAINING], last_seen_at__lt=now - timedelta(seconds=FORGET_SECONDS)
    ).delete()


@transaction.atomic
def _worker_gone(pk: int) -> None:
    worker = Worker.objects.select_for_update().filter(pk=pk, state=State.ACTIVE).first()
    if worker is None or worker.last_seen_at >= timezone.now() - timedelta(seconds=SILENT_SECONDS):
        return
    log.warning("worker_gone", worker=worker.name, last_seen_at=worker.last_seen_at.isoformat())
    worker_transition(worker=worker, state=State.GONE)


# --- What administrators want -----------------------------------------------------------------------------------------


@transaction.atomic
def worker_scale(*, name: str, processes: int, actor: User | None, reason: str = "") -> None:
    """Have a worker play in so many processes; it keeps this over its restarts.

    Args:
        name: of the worker.
        processes: from one to as many as its host has cores: each keeps to a core of its own, so that no match
            disturbs another's clock.
        actor: the administrator; None: the command line.
        reason: for the audit log.

    Raises:
        InputError: there is no such worker, or it has fewer cores.
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
    _worker_tell(worker)


@transaction.atomic
def worker_drain(*, name: str, actor: User | None, reason: str = "") -> None:
    """Have a worker end what it plays and take no new work, as before its host is stopped.

    Raises:
        InputError: there is no such worker, or it is quarantined.
    """
    worker = _worker_locked(name)
    if worker.state == State.QUARANTINED:
        raise InputError(_("%(name)s is quarantined and takes no work already.") % {"name": name})
    worker_transition(worker=worker, state=State.DRAINING, reason=reason)
    audit_write(actor=actor, act="worker_drain", target=name, reason=reason)
    _worker_tell(worker)


@transaction.atomic
def worker_resume(*, name: str, actor: User | None, reason: str = "") -> None:
    """Have a worker that was drained or quarantined take work again.

    Raises:
        InputError: there is no such worker, or it takes work already.
    """
    worker = _worker_locked(name)
    if worker.state not in (State.DRAINING, State.QUARANTINED):
        raise InputError(_("%(name)s is neither drained nor quarantined.") % {"name": name})
    worker_transition(worker=worker, state=State.ACTIVE)
    audit_write(actor=actor, act="worker_resume", target=name, reason=reason)
    _worker_tell(worker)


@transaction.atomic
def worker_distrust(*, name: str, actor: User | None, reason: str) -> Worker:
    """Put a worker into quarantine: from now on nothing it reports counts.

    The caller voids what it works on and what it has reported.

    Raises:
        InputError: there is no such worker, or no reason was given.
    """
    if not reason.strip():
        raise InputError(_("Please give the reason; everybody will read it at the matches that are taken out."))
    worker = _worker_locked(name)
    worker_transition(worker=worker, state=State.QUARANTINED, reason=reason)
    audit_write(actor=actor, act="worker_quarantine", target=name, reason=reason)
    _worker_tell(worker)
    return worker


def _worker_locked(name: str) -> Worker:
    """Lock and return a worker.

    Raises:
        InputError: there is none of this name.
    """
    return Worker.objects.select_for_update().get(pk=worker_named(name=name).pk)
