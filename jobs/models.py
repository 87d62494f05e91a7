"""The machines that play, what they can run, and whose turn it is in the queue."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import known


class WorkingLanguage(models.Model):
    """A language that this arena's workers have, as the one that started last has announced it."""

    name = models.CharField(max_length=20, unique=True)
    title = models.CharField(max_length=100)
    version = models.CharField(max_length=20)
    entries = models.JSONField()
    """Where the entry point is looked for in an archive, best first."""
    suffixes = models.JSONField()
    """Endings of its source files."""
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
    """A playing worker, as its own beats describe it and as administrators want it (``jobs.services.workers``)."""

    class State(models.TextChoices):
        """What is wanted of a worker. Transitions: ``jobs.services.workers.worker_transition``."""

        ACTIVE = "active", _("active")
        """It takes work, and its reports count."""
        DRAINING = "draining", _("draining")
        """It ends what it plays and takes no new work."""
        QUARANTINED = "quarantined", _("quarantined")
        """An administrator does not trust it: it takes no work and nothing it reports counts."""
        GONE = "gone", _("gone")
        """It was active and gives no sign of life; the next one makes it active again."""

    name = models.CharField(max_length=100, unique=True)
    """Celery's name of its node, ``play@host``; what its reports and attempts carry."""
    host = models.CharField(max_length=100)
    state = models.CharField(max_length=11, choices=State.choices, default=State.ACTIVE)
    reason = models.CharField(max_length=1_000, default="", blank=True)
    """Why it is drained or quarantined."""
    broker_user = models.CharField(max_length=100, default="", blank=True)
    """The broker's user that it signs in as."""
    version = models.CharField(max_length=20)
    """Of the software."""
    backend = models.CharField(max_length=20)
    """``docker`` or ``bubblewrap``."""
    languages = models.JSONField(default=list, blank=True)
    """Names of the languages that work there, as it has found last; empty until it has tried them once."""
    libraries = models.JSONField(null=True, blank=True)
    """By the names of its languages, their libraries with versions, as it has announced last; null: it has not."""
    cores = models.PositiveIntegerField()
    processes = models.PositiveIntegerField()
    """How many play now."""
    processes_wanted = models.PositiveIntegerField(null=True, blank=True)
    """How many an administrator wants; null: as many as it was started with."""
    busy = models.PositiveIntegerField(default=0)
    """Processes that play or build."""
    self_test = models.CharField(max_length=1_000, default="", blank=True)
    """What is wrong with its walls, in whole sentences; empty: nothing."""
    canary_ms = models.FloatField(null=True, blank=True)
    """CPU time of a small fixed piece of work: the larger, the slower its host."""
    cpu_percent = models.FloatField(null=True, blank=True)
    """Of all cores of its host, over the last beat."""
    load = models.FloatField(null=True, blank=True)
    """Load average of its host over a minute."""
    jobs_done = models.PositiveIntegerField(default=0)
    """Matches and builds since it started."""
    last_taken_at = models.DateTimeField(null=True, blank=True)
    last_ended_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            known("worker_state_known", state=["active", "draining", "quarantined", "gone"]),
            models.CheckConstraint(
                condition=Q(processes_wanted__isnull=True) | Q(processes_wanted__gte=1), name="worker_wanted_positive"
            ),
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class QueueLock(models.Model):
    """One row in all, locked while work is handed out, so that no two processes do it at once."""

    ahead = models.JSONField(default=dict)
    """How far each line of the queue is ahead of its share, and whose uploads have been built in this round
    (``jobs.fairness.jobs_choose``)."""

    def __str__(self) -> str:
        return "whose turn it is"
