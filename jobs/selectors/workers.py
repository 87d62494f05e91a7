"""Reads of workers."""

from __future__ import annotations

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from common.errors import InputError
from common.queries.sql import lock_clause, rows_read
from jobs.models import Worker
from wire.own_queues import GUEST_PREFIX

PROCESSES_MAX = 5_000
"""No more processes are counted, whatever workers report: several times what one site serves."""


def workers_all() -> QuerySet[Worker]:
    """Return all workers, those that are gone included, in the order of their names."""
    return Worker.objects.all()


def worker_by_id(*, pk: int) -> Worker | None:
    """Return the worker with this key, or None (1 query)."""
    return Worker.objects.filter(pk=pk).first()


def worker_named(*, name: str) -> Worker:
    """Return the worker of this name.

    Raises:
        InputError: no worker has this name; the message lists up to 20 names that exist.
    """
    worker = Worker.objects.filter(name=name).first()
    if worker is None:
        known = ", ".join(Worker.objects.values_list("name", flat=True)[:20])
        if not known:
            raise InputError(_("No worker has given a sign of life yet; start one first."))
        raise InputError(_("There is no worker %(name)s. Known are: %(known)s.") % {"name": name, "known": known})
    return worker


def worker_for_update(*, name: str) -> Worker | None:
    """Return the worker of this name, locked until the transaction ends, or None."""
    return Worker.objects.select_for_update(no_key=True).filter(name=name).first()


def worker_is_quarantined(*, name: str) -> bool:
    """Return whether reports of this worker must be ignored; the answer holds until the transaction ends.

    Takes a shared lock on the worker. A transaction that quarantines the worker waits for it, and then sees (and voids)
    what this transaction stores of the worker's report. In SQL, since Django has no shared locks.
    """
    state = "SELECT state FROM jobs_worker WHERE name = %s" + lock_clause(shared=True)  # noqa: S608 - all text is ours
    return rows_read(state, name) == [(Worker.State.QUARANTINED,)]


def language_elsewhere(*, name: str, worker: str) -> bool:
    """Return whether any other worker that takes work has a language (1 query).

    Args:
        name: name of the language.
        worker: name of the worker to leave out.
    """
    others = Worker.objects.filter(state=Worker.State.ACTIVE).exclude(name=worker)
    return any(name in languages for languages in others.values_list("languages", flat=True))


def processes_count(*, own: bool = False) -> int:
    """Return the number of processes of all active workers, or of those on the site's own hosts (1 query).

    ``PROCESSES_ASSUMED`` before the first beat, and 0 while all workers are gone, drained or in quarantine. The attack
    that ``PROCESSES_MAX`` stops: matches are paired and handed out for each process, so a host that reports a huge
    number would fill the database and the broker.

    In SQL, since it runs for each match: see ``common.queries.sql``.
    """
    # Workers of tables have no processes; one that beats first must not end the time before the first beat.
    counts, *guests = (" AND broker_user NOT LIKE %s", f"{GUEST_PREFIX}%") if own else ("",)
    ((reported,),) = rows_read(
        f"SELECT SUM(CASE WHEN state = 'active'{counts} THEN processes ELSE 0 END) FROM jobs_worker"  # noqa: S608
        " WHERE tables = 0",
        *guests,
    )
    return min(int(settings.PROCESSES_ASSUMED if reported is None else reported), PROCESSES_MAX)


def tables_count(*, own: bool = False) -> int:
    """Return how many tables all active workers of tables hold together, or those of the site's own hosts (1 query)."""
    workers = Worker.objects.filter(state=Worker.State.ACTIVE)
    if own:
        workers = workers.exclude(broker_user__startswith=GUEST_PREFIX)
    tables = workers.aggregate(tables=Sum("tables"))["tables"]
    return min(tables or 0, PROCESSES_MAX)
