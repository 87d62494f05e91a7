"""Drafts, and tries of programs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.constraints import one_of
from contests.models import Contest
from jobs.leases import Leased
from ladder.models import BotVersion


class Draft(models.Model):
    """The files on which a user works in the workshop of a contest, one set for each language."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="drafts")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=20)
    files = models.JSONField()
    """Texts by path."""
    changed_at = models.DateTimeField(auto_now=True)
    revision = models.PositiveIntegerField(default=1, db_default=1)
    """Grows by one each time that it is saved."""
    written_by = models.CharField(max_length=36, default="", blank=True, db_default="")
    """The opened page that saved it last, by a random name; a page need not know the revision that it wrote itself."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "contest", "language"], name="draft_once")]
        ordering = ["-changed_at"]

    def __str__(self) -> str:
        return f"draft {self.pk}"


class Try(Leased):
    """One match with a program that is no version of any bot, for its author alone. It is never rated."""

    class State(models.TextChoices):
        """Where a try is. Transitions: ``workshop.services.tries.try_transition``."""

        WAITING = "waiting", _("waiting for a worker")
        """Stored; its job is in the queue."""
        RUNNING = "running", _("being tried")
        """A worker builds it, or plays its match."""
        FINISHED = "finished", _("played")
        """Its match was played, with or without a fault of the program."""
        REJECTED = "rejected", _("not built")
        """The program could not be built, by its own fault."""
        FAILED = "failed", _("not tried, our fault")
        """The platform failed ``jobs.leases.ATTEMPTS_MAX`` times."""

    OPEN = (State.WAITING, State.RUNNING)
    """States of a try that has not ended; a user has at most one such try."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tries")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="+")
    opponent = models.ForeignKey(BotVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The version on all other seats; null: copies of the program."""
    seat = models.PositiveSmallIntegerField()
    """The program's seat."""
    players = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    rules_version = models.CharField(max_length=20)
    options = models.JSONField()
    played = models.JSONField(default=list, blank=True)
    """The answers by seat of the turns before the one from which the program plays on; [] from the first."""
    language = models.CharField(max_length=20, default="", blank=True)
    """What the author chose, or what the builder found; empty: not known yet."""
    bundle_digest = models.CharField(max_length=64)
    """SHA-256 of the checked files (a canonical tar)."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    step = models.CharField(max_length=20, default="", blank=True)
    """The step that the worker has reached or that has failed: fetch, unpack, compile, check."""
    verdict = models.CharField(max_length=20, default="", blank=True)
    """Why the program was not built; empty if it was."""
    reason = models.JSONField(default=dict, blank=True)
    """Why it was REJECTED or FAILED: a message (``core.message``); empty for the other states."""
    log = models.TextField(default="", blank=True)
    """What the build step wrote."""
    turns = models.PositiveIntegerField(default=0)
    seats = models.JSONField(default=list, blank=True)
    """The result of each seat (``wire.jobs.SeatReport``); [] until the match was played."""
    replay_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the replay; empty until the match was played."""
    log_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the turn log (``wire.turnlog``); empty until the match was played."""
    stored_bytes = models.PositiveBigIntegerField(default=0, db_default=0)
    """How many bytes of its owner's quota it takes: its program, its replay and its logs."""
    worker = models.CharField(max_length=100, default="", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "tries"
        constraints = [
            models.UniqueConstraint(
                fields=["owner"], condition=Q(state__in=["waiting", "running"]), name="try_one_open_an_owner"
            ),
            models.CheckConstraint(condition=~Q(state="finished") | ~Q(replay_digest=""), name="try_played_has_replay"),
            one_of("try_state_known", state=["waiting", "running", "finished", "rejected", "failed"]),
        ]
        indexes = [
            models.Index(fields=["state"], name="try_by_state"),
            models.Index(fields=["created_at"], name="try_by_age"),
        ]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"try {self.pk}"
