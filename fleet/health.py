"""Health checks of what the site depends on: database, broker, clocks, file store, managers, timetable, workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.translation import gettext as _

from contests.selectors.contests import contests_on_own_hosts, contests_played
from fleet.models import Host, TallyMark
from jobs.celery_app import MANAGE_QUEUE
from jobs.coordination import MANAGER_FAULT_KEY
from jobs.files.storage import stores_full, stores_probe
from jobs.managers import Managing, managing_now
from jobs.models import Worker
from wire.clock import clock_fault
from wire.jobs import REPORT_QUEUE
from wire.own_queues import is_guest
from wire.signing import host_of

TIMEOUT_SECONDS = 2
STANDSTILL_SECONDS = 60
"""Without a count for this long, the managers or the timetable stand still: they count every 5 s, 10 s behind."""
BROKER_FULL = (
    "its memory is full and it takes no messages; a host fills it, or it needs more (the administrators' guide says how"
    " to tell)"
)
BROKER_CROWDED = (
    "others hold all of its connections; a host, or somebody else who can reach it, takes them (the administrators'"
    " guide says how to stop that)"
)
BROKER_DENIES = (
    "it denies the site's user a command that the site needs; give that user all rights (`+@all`), as `deploy.broker`"
    " does"
)
BROKER_USERS_LOST = (
    "the broker has lost {} of the users that workers sign in as, so these do not play. Run `manage.py hosts restore`"
    " for invited hosts, `deploy.broker` for the user player, and let the broker write the file of its users"
)

MANAGERS_SILENT = "{}, and {} messages wait for a manager. Restart banzuke-manage@1; its log says why it stands still"
MANAGERS_BEHIND = (
    "{} reports of workers wait for a manager, for {:.0f} s already, and {} managers are at work. Start another manager"
    " (`deploy/systemd/install.sh manage@2`, or `--scale manage=2`); more workers would make it worse"
)
TIMETABLE_SILENT = (
    "{}, and nothing waits for a manager: the timetable sends nothing. Restart banzuke-beat; its log says why it stands"
    " still"
)

NOBODY_PLAYS = (
    "no worker takes work: {} are gone or refuse to play, and no other plays. Fleet says which and why; see that they"
    " run and reach the broker (on their machines, `systemctl status banzuke-worker@1`)"
)

NOBODY_PLAYS_PRIVATE = (
    "no worker of the site's own takes work: {} are gone or refuse to play. Private contests wait, since all workers"
    " that play are on hosts of others"
)

PARTS = ("database", "broker", "broker users", "clock", "storage", "manage", "reports", "beat", "workers")
"""The values of ``Problem.part``; also labels of a metric."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A part that does not work."""

    part: str
    """One of ``PARTS``."""
    sentence: str
    """What is wrong and what to do about it."""

    def __str__(self) -> str:
        return f"{self.part}: {self.sentence}"


def health_problems() -> list[Problem]:
    """Check every part and return the problems, none for a healthy site (up to 8 queries)."""
    database, broker = [*_database_problems()], [*_broker_problems()]
    is_reached = all(problem.part != "broker" for problem in broker)
    managing = [*_managing_problems(has_database=not database)] if is_reached else []
    workers = [] if database else [*_worker_problems()]
    return [*database, *broker, *_storage_problems(), *managing, *workers]


def managing_shown() -> Managing:
    """Count the managers and the reports that wait for them, for metrics; zeros while the broker is away."""
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS) as broker:
            return managing_now(broker)
    except (redis.RedisError, ValueError):  # ValueError: REDIS_URL is no URL of Redis
        return Managing(managers=0, reports=0, seconds=0.0)


def scaling_note() -> str:
    """Return a sentence for who changes the number of playing processes while managers are behind; else empty."""
    if not managing_shown().is_behind:
        return ""
    return _("Results of matches wait for managers. Start another manager: more processes that play do not help.")


def _database_problems() -> Iterator[Problem]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        yield Problem("database", type(error).__name__)


def _broker_problems() -> Iterator[Problem]:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS) as client:
            # A key is written, since a broker that is full or read-only answers a ping, but takes no message.
            client.set("health", "", ex=TIMEOUT_SECONDS)
    except (redis.RedisError, ValueError) as error:  # ValueError: REDIS_URL is no URL of Redis
        yield _broker_problem(error)
    else:
        # Messages carry expiry times: with a wrong clock they have expired before a worker gets them, or never do.
        if fault := clock_fault(settings.REDIS_URL):
            yield Problem("clock", fault)


def _broker_problem(error: redis.RedisError | ValueError) -> Problem:
    if isinstance(error, redis.OutOfMemoryError):
        return Problem("broker", BROKER_FULL)
    if isinstance(error, redis.exceptions.NoPermissionError):
        return Problem("broker", BROKER_DENIES)
    # The library has no exception class for this error.
    crowded = "max number of clients" in str(error)
    return Problem("broker", BROKER_CROWDED if crowded else type(error).__name__)


def _storage_problems() -> Iterator[Problem]:
    try:
        stores_probe()
    except OSError as error:
        yield Problem("storage", error.strerror or type(error).__name__)
    else:
        if full := stores_full():
            yield Problem("storage", full)


def _managing_problems(*, has_database: bool) -> Iterator[Problem]:
    """Yield the problems of managers, timetable and broker users; call it only when the broker works.

    While the database is away only what the broker knows is checked.
    """
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS) as broker:
            fault = broker.get(MANAGER_FAULT_KEY)
            if isinstance(fault, bytes):
                yield Problem("manage", fault.decode())
            if not has_database:
                return
            if (still := _standstill()) and not fault:
                # Messages pile up when the timetable works and the managers do not; otherwise the queues are empty.
                waiting = sum(int(broker.llen(queue)) for queue in (MANAGE_QUEUE, REPORT_QUEUE))
                part, words = ("manage", MANAGERS_SILENT) if waiting else ("beat", TIMETABLE_SILENT)
                yield Problem(part, words.format(still, waiting))
            elif (managing := managing_now(broker)).is_behind:
                yield Problem("reports", MANAGERS_BEHIND.format(managing.reports, managing.seconds, managing.managers))
            if missing := _users_missing(set(broker.acl_users())):
                # The attack: a stranger reads this page and learns the names of hosts. So it has only their number.
                yield Problem("broker users", BROKER_USERS_LOST.format(missing))
    except redis.RedisError as error:  # the broker has failed since the first check, or denies one of these commands
        yield _broker_problem(error)


def _worker_problems() -> Iterator[Problem]:
    """Yield a problem if workers that should play do not, and no other may play instead (1 to 3 queries).

    A site that never had a worker is well, and so is one whose administrators have drained all.
    """
    known = list(Worker.objects.filter(tables=0))
    own = [worker for worker in known if not is_guest(worker.broker_user)]
    # The attack: a stranger reads this page and learns the names of hosts. So it has only their number.
    if (lost := _lost_count(known)) and not any(map(_plays, known)):
        yield Problem("workers", NOBODY_PLAYS.format(lost))
    elif (lost := _lost_count(own)) and not any(map(_plays, own)) and contests_on_own_hosts() & {*contests_played()}:
        yield Problem("workers", NOBODY_PLAYS_PRIVATE.format(lost))


def _plays(worker: Worker) -> bool:
    return worker.state == Worker.State.ACTIVE and worker.processes > 0 and not worker.self_test


def _lost_count(workers: list[Worker]) -> int:
    gone, active = Worker.State.GONE, Worker.State.ACTIVE
    return sum(each.state == gone or (each.state == active and bool(each.self_test)) for each in workers)


def _standstill() -> str:
    """Return a clause on how long no manager has worked; empty while managers work (1 query)."""
    mark = TallyMark.objects.first()
    if mark is None:
        return "nothing has been managed yet"
    seconds = (timezone.now() - mark.counted_until).total_seconds()
    return f"nothing has been managed for {seconds:.0f} s" if seconds > STANDSTILL_SECONDS else ""


def _users_missing(known: set[str]) -> int:
    """Return how many broker users of workers that may play are not in ``known``, the broker's users (3 queries)."""
    may_play = Worker.objects.exclude(state=Worker.State.QUARANTINED).exclude(broker_user="")
    barred = Worker.objects.filter(state=Worker.State.QUARANTINED)
    shared = {user for user in may_play.values_list("broker_user", flat=True) if not host_of(user)}
    hosts = {host.broker_user for host in Host.objects.filter(state=Host.State.JOINED)}
    return len((shared | hosts) - known - set(barred.values_list("broker_user", flat=True)))
