"""Which workers there are, and how they are."""

from __future__ import annotations

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from common.errors import InputError
from common.queries.sql import locking, rows_read
from jobs.models import Worker

PROCESSES_MAX = 5_000
"""No more are believed, whatever workers say: several times what one site serves."""


def workers_all() -> QuerySet[Worker]:
    """Return all workers by name, those that are gone too."""
    return Worker.objects.all()


def worker_by_id(*, pk: int) -> Worker | None:
    """Return a worker, or None (1 query)."""
    return Worker.objects.filter(pk=pk).first()


def worker_named(*, name: str) -> Worker:
    """Return a worker.

    Raises:
        InputError: there is none of this name; the message says which there are.
    """
    worker = Worker.objects.filter(name=name).first()
    if worker is None:
        known = ", ".join(Worker.objects.values_list("name", flat=True)[:20])
        if not known:
            raise InputError(_("No worker has given a sign of life yet; start one first."))
        raise InputError(_("There is no worker %(name)s. Known are: %(known)s.") % {"name": name, "known": known})
    return worker


def worker_of_beat(*, name: str) -> Worker | None:
    """Return a worker, locked until the transaction ends, or None; in SQL, since every worker beats all the time."""
    worker = "SELECT * FROM jobs_worker WHERE name = %s" + locking()  # noqa: S608 - all text is ours
    return next(iter(Worker.objects.raw(worker, [name])), None)


def worker_is_quarantined(*, name: str) -> bool:
    """Say whether nothing that a worker of this name reports may count; that stays so until the transaction ends.

    Locked together with all others who only ask: whoever puts it into quarantine waits until what it has just reported
    is there to be taken out.
    """
    state = "SELECT state FROM jobs_worker WHERE name = %s" + locking(shared=True)  # noqa: S608 - all text is ours
    return rows_read(state, name) == [(Worker.State.QUARANTINED,)]


def language_elsewhere(*, name: str, worker: str) -> bool:
    """Tell whether another worker that takes work has a language (1 query)."""
    others = Worker.objects.filter(state=Worker.State.ACTIVE).exclude(name=worker)
    return any(name in languages for languages in others.values_list("languages", flat=True))


def processes_count() -> int:
    """Return how many processes play and build now, or may be thought to before the first worker has told (1 query).

    0 while all workers are gone, drained or in quarantine. Never more than ``PROCESSES_MAX``: for each, matches are
    paired and handed out, so a host that lies could fill the database and the broker.
    """
    ((told,),) = rows_read("SELECT SUM(CASE WHEN state = 'active' THEN processes ELSE 0 END) FROM jobs_worker")
    return min(int(settings.PROCESSES_ASSUMED if told is None else told), PROCESSES_MAX)
