"""Models of the queue layer: workers, the languages that they have, and the lock of the queue."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of


class WorkingLanguage(models.Model):
    """A programming language that this arena's workers have, as the worker that started last has reported it."""

    name = models.CharField(max_length=20, unique=True)
    title = models.CharField(max_length=100)
    version = models.CharField(max_length=20)
    entries = models.JSONField()
    """File names of the entry point in an archive, the preferred one first."""
    suffixes = models.JSONField()
    """Suffixes of its source files."""
    libraries = models.CharField(max_length=100, default="", db_default="", blank=True)
    """What bots may use besides the standard library, as all active workers have it; empty: nothing.

    ``numpy 1.24.2``, or ``numpy`` where their versions differ; commas stand between several.
    """
    position = models.PositiveSmallIntegerField()
    announced_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return f"{self.title} {self.version}"


class Worker(models.Model):
    """A worker: what its beats report, and what administrators want of it (``jobs.services.workers``)."""

    class State(models.TextChoices):
        """The state of a worker, changed by ``jobs.services.workers.worker_transition`` alone."""

        ACTIVE = "active", _("active")
        """It takes work, and its reports count."""
        DRAINING = "draining", _("draining")
        """It finishes its jobs and takes no new ones."""
        QUARANTINED = "quarantined", _("quarantined")
        """An administrator does not trust it: it takes no work, and its reports are ignored."""
        GONE = "gone", _("gone")
        """It was active and has sent no beat for a while; its next beat makes it active again."""

    name = models.CharField(max_length=100, unique=True)
    """Celery's name of its node, such as ``play@host``, which its reports and attempts contain."""
    host = models.CharField(max_length=100)
    state = models.CharField(max_length=11, choices=State.choices, default=State.ACTIVE)
    reason = models.CharField(max_length=1_000, default="", blank=True)
    """Why it is drained or quarantined."""
    broker_user = models.CharField(max_length=100, default="", blank=True)
    """The user of the broker as which it signs in."""
    version = models.CharField(max_length=20)
    """Version of the worker's software."""
    backend = models.CharField(max_length=20)
    """``docker`` or ``bubblewrap``."""
    languages = models.JSONField(default=list, blank=True)
    """Names of the languages that passed its last test; empty until it has tested them once."""
    libraries = models.JSONField(null=True, blank=True)
    """The libraries of each language with their versions, as last reported; null: it has reported none yet."""
    cores = models.PositiveIntegerField()
    processes = models.PositiveIntegerField()
    """Number of processes that it has now."""
    tables = models.PositiveIntegerField(default=0, db_default=0)
    """Number of tables that a worker of tables holds at once; it has no processes, and ``busy`` tables are open."""
    processes_wanted = models.PositiveIntegerField(null=True, blank=True)
    """Number of processes that an administrator wants; null: as many as it was started with."""
    busy = models.PositiveIntegerField(default=0)
    """Number of processes that play or build now."""
    self_test = models.CharField(max_length=1_000, default="", blank=True)
    """What is wrong with its sandbox, in whole sentences; empty: nothing."""
    canary_ms = models.FloatField(null=True, blank=True)
    """CPU time of a small benchmark, in milliseconds: the larger, the slower its host."""
    cpu_percent = models.FloatField(null=True, blank=True)
    """Load of all cores of its host since the beat before."""
    load = models.FloatField(null=True, blank=True)
    """Load average of its host over one minute."""
    jobs_done = models.PositiveIntegerField(default=0)
    """Number of matches and builds that it has finished since it started."""
    last_taken_at = models.DateTimeField(null=True, blank=True)
    last_ended_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            one_of("worker_state_known", state=["active", "draining", "quarantined", "gone"]),
            models.CheckConstraint(
                condition=Q(processes_wanted__isnull=True) | Q(processes_wanted__gte=1), name="worker_wanted_positive"
            ),
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class QueueLock(models.Model):
    """A row that a process locks so that no two do the same at once (``jobs.locks``)."""

    ahead = models.JSONField(default=dict)
    """How far each queue class and contest is ahead of its share, and which owners have had a build in this round
    (``jobs.fairness.jobs_choose``)."""

    def __str__(self) -> str:
        return "lock of the queue"


class TimetableLead(models.Model):
    """Which process of the timetable sends the tasks that are due. There is one row, with the key 1."""

    holder = models.CharField(max_length=150, default="")
    """Name of the process; empty before the first."""
    ends_at = models.DateTimeField()
    """When another process may take the lead, by the database's clock; the holder moves it on."""

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="timetable_lead_once")]

    def __str__(self) -> str:
        return f"lead of {self.holder} until {self.ends_at}"
