"""Private tests of versions."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.constraints import one_of
from ladder.models import BotVersion
from matches.models.matches import Match


class Trial(models.Model):
    """A private test, "is v7 better than v6?": unrated pairs of matches of two versions until it is decided."""

    class State(models.TextChoices):
        """Running, or its outcome. Transitions: ``matches.services.trials``; all but RUNNING are final."""

        RUNNING = "running", _("being played")
        """Pairs are queued and played."""
        BETTER = "better", _("better")
        """The candidate is better than the reference."""
        WORSE = "worse", _("worse")
        """The candidate is worse than the reference."""
        NO_DIFFERENCE = "no_difference", _("no difference found")
        """The difference is smaller than the test looks for, or it was not found within the most matches allowed."""
        STOPPED = "stopped", _("stopped")
        """Ended without an answer: by its owner, or because the platform failed to play too many matches."""

    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="trials")
    candidate = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="trials")
    reference = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="trials_as_reference")
    game = models.CharField(max_length=40)
    games_max = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.RUNNING)
    result = models.JSONField(default=dict, blank=True)
    """The last verdict on its pairs (``rating.paired.PairedVerdict``); empty until a pair has been played."""
    reason = models.JSONField(default=dict, blank=True)
    """Why it was STOPPED: a message (``core.message``) for the owner; empty for the other states."""
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            # Tests take thousands of matches: one user's must not keep all workers.
            models.UniqueConstraint(fields=["owner"], condition=Q(state="running"), name="trial_one_running_an_owner"),
            models.CheckConstraint(condition=~Q(candidate=models.F("reference")), name="trial_of_two_versions"),
            one_of("trial_state_known", state=["running", "better", "worse", "no_difference", "stopped"]),
        ]

    def __str__(self) -> str:
        return f"trial {self.pk}"


class TrialPair(models.Model):
    """Two matches of a trial: equal seed, seats swapped."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="pairs")
    number = models.PositiveIntegerField()
    """The pairs of a trial are numbered in the order in which they were begun; they are judged in this order."""
    first = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="+")
    """The match in which the candidate has seat 0."""
    second = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="+")
    """The match in which the candidate has seat 1."""

    class Meta:
        ordering = ["trial", "number"]
        constraints = [models.UniqueConstraint(fields=["trial", "number"], name="pair_number_unique_in_trial")]

    def __str__(self) -> str:
        return f"pair {self.number} of {self.trial}"
