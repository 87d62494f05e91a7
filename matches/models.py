"""Matches, their attempts and results."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.access import Reader
from accounts.models import User
from common.constraints import one_of
from jobs.leases import Leased
from ladder.models import Bot, BotVersion

TALLY_WRONG = Q(kind="ladder") & (Q(state="finished", tallied=False) | Q(state="void", tallied=True))
"""Matches that have to be put into the tallies of their bots or taken out of them."""


class MatchQuerySet(models.QuerySet["Match"]):
    """Matches, by what they are read for."""

    def rated(self) -> MatchQuerySet:
        """Return the matches that ratings are made of."""
        return self.filter(kind=Match.Kind.LADDER, state=Match.State.FINISHED)

    def visible_to(self, reader: Reader) -> MatchQuerySet:
        """Return the matches that somebody may see: a private test is for the owner of its bot alone."""
        own = Seat.objects.filter(match=OuterRef("pk"), version__bot__owner=reader.pk)
        return self.filter(~Q(kind=Match.Kind.TRIAL) | Exists(own))


class Match(Leased):
    """One match between two or more versions. The database is the truth about it, the broker a doorbell."""

    class State(models.TextChoices):
        """Where a match is. Transitions: ``matches.services.lifecycle.match_transition``."""

        QUEUED = "queued", _("waiting for a worker")
        """Paired; its message has been or will be sent."""
        RUNNING = "running", _("being played")
        """A worker plays it and renews the lease. What ends within half a second is never seen so."""
        FINISHED = "finished", _("finished")
        """A result is committed; it is rated if its kind is."""
        VOID = "void", _("void")
        """No result: the platform failed three times, or an administrator took it out. Visible, never rated."""

    class Kind(models.TextChoices):
        """What a match is played for. Ladder matches alone are rated; a kind never changes."""

        LADDER = "ladder", _("rated")
        """Paired by the arena."""
        RERUN = "rerun", _("re-run")
        """A finished match played once more, to see whether it comes out the same."""
        TRIAL = "trial", _("private test")
        """Versions of one bot against each other, for its owner alone to see."""
        CHALLENGE = "challenge", _("challenge")
        """A bot against another that its owner has chosen, for everybody to see."""

    class QueueClass(models.TextChoices):
        """In which line a match waits for a worker (``jobs.fairness``). Builds have two lines of their own."""

        PLACEMENT = "placement", _("first matches of a version")
        """Somebody's version in it has few matches yet."""
        LADDER = "ladder", _("rated matches")
        """Somebody's bot plays in it."""
        REPLACED = "replaced", _("rated matches that are played again")
        """A worker was put into quarantine, and its match is taken out. However many, the arena pairs as before."""
        REQUESTED = "requested", _("re-runs, private tests and challenges")
        """Somebody has asked for it; it is not rated."""
        HOUSE = "house", _("house bots among themselves")
        """Nobody waits for it."""

    VISITORS = (QueueClass.PLACEMENT, QueueClass.LADDER, QueueClass.REPLACED)
    """The lines of rated matches in which somebody's bot plays."""

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.LADDER)
    queue_class = models.CharField(max_length=10, choices=QueueClass.choices, default=QueueClass.REQUESTED)
    original = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="reruns")
    """The match that a re-run plays again; null for the other kinds."""
    game = models.CharField(max_length=40)
    rules_version = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    encounter = models.CharField(max_length=32)
    """Shared by the matches of one pairing: the same seed played from all seats."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    void_reason = models.CharField(max_length=1_000, default="", blank=True)
    replaces = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by")
    """The match that was taken out with its worker and is played again as this one."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    tallied = models.BooleanField(default=False, editable=False)
    """Whether it counts in the bots' tallies (``HeadToHead``)."""

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        indexes = [
            models.Index(fields=["game", "state", "-id"], name="match_by_state"),
            models.Index(fields=["encounter"], name="match_by_encounter"),
            models.Index(fields=["state", "queue_class"], name="match_in_queue"),
            models.Index(fields=["finished_at"], name="match_by_end"),
            models.Index(fields=["created_at"], name="match_by_pairing"),
            models.Index(fields=["kind", "-id"], condition=~Q(kind="ladder"), name="match_unrated_newest"),
            models.Index(fields=["game", "-id"], condition=Q(kind="ladder"), name="match_rated_newest"),
            models.Index(fields=["game", "id"], condition=TALLY_WRONG, name="match_tally_wrong"),
        ]
        constraints = [
            one_of("match_state_known", state=["queued", "running", "finished", "void"]),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(lease_ends_at__isnull=False), name="match_running_has_lease"
            ),
            one_of("match_kind_known", kind=["ladder", "rerun", "trial", "challenge"]),
            one_of("match_queue_class_known", queue_class=["placement", "ladder", "replaced", "requested", "house"]),
            models.CheckConstraint(
                condition=Q(kind="rerun", original__isnull=False) | (~Q(kind="rerun") & Q(original__isnull=True)),
                name="match_rerun_has_original",
            ),
            models.UniqueConstraint(
                fields=["original"], condition=Q(state__in=["queued", "running"]), name="match_one_rerun_at_a_time"
            ),
        ]

    @property
    def audience(self) -> str:
        """Who may keep a copy of what is seen of it: ``public``, or ``private`` where no proxy may."""
        return "private" if self.kind == self.Kind.TRIAL else "public"

    def __str__(self) -> str:
        return f"match {self.pk}"


class Seat(models.Model):
    """A version's place in a match, and how it ended there."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="seats")
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    """1 is best; equal ranks are ties; null until the match is finished."""
    score = models.FloatField(null=True, blank=True)
    cpu_ms_total = models.FloatField(null=True, blank=True)
    cpu_ms_worst = models.FloatField(null=True, blank=True)
    """Of the turn that came nearest to its limit."""
    verdict = models.CharField(max_length=20, default="", blank=True)
    """Empty, or the bot fault that put it last."""
    evidence = models.JSONField(default=dict, blank=True)
    """The fault's evidence, for the owner only."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_unique_in_match"),
            models.UniqueConstraint(fields=["match", "version"], name="version_once_in_match"),
        ]
        indexes = [
            models.Index(fields=["version", "-match"], name="seat_newest_of_version"),
            models.Index(fields=["verdict", "-match"], condition=~Q(verdict=""), name="seat_fault_newest"),
        ]
        ordering = ["match", "index"]

    def __str__(self) -> str:
        return f"seat {self.index} of match {self.match_id}"


class Attempt(models.Model):
    """One time that a match was handed to a worker."""

    class Ending(models.TextChoices):
        """How an attempt ended."""

        RESULT = "result", _("played")
        """Its result is the match's result."""
        PLATFORM_FAULT = "platform_fault", _("our fault")
        """The worker reported that something of ours failed."""
        LOST = "lost", _("worker lost")
        """No sign of life: the lease ran out."""
        LATE = "late", _("too late")
        """It reported after its lease had been taken back; kept here, counted nowhere."""
        WITHDRAWN = "withdrawn", _("taken back")
        """Its worker is not trusted any more or lacks a language, or its match was taken out before it ended."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    lease_token = models.CharField(max_length=32, unique=True)
    worker = models.CharField(max_length=100, default="", blank=True)
    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=20, choices=Ending.choices, default="", blank=True)
    """Empty while it runs."""
    reason = models.CharField(max_length=1_000, default="", blank=True)

    class Meta:
        indexes = [models.Index(fields=["ended_at"], name="attempt_by_end")]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="attempt_number_unique_in_match")]
        ordering = ["match", "number"]

    def __str__(self) -> str:
        return f"attempt {self.number} of match {self.match_id}"


class Result(models.Model):
    """The one result of a match; one to one, so that the database refuses a second."""

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="result")
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="result")
    turns = models.PositiveIntegerField()
    replay_digest = models.CharField(max_length=64)
    """SHA-256 of the stored replay."""
    log_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the log of the turns (``wire.turnlog``), each seat's for its owner only; empty without one."""
    recorded_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"result of match {self.match_id}"


class HeadToHead(models.Model):
    """How a bot has done against another over all their rated matches; one row from each one's side.

    Kept by ``matches.services.tallies``: to count the matches of a house bot anew takes longer than a page may.
    At a table of more than two, each pair counts by itself: who has the better rank has won.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="heads")
    opponent = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "opponent"], name="head_to_head_unique"),
            models.CheckConstraint(
                condition=Q(games=models.F("wins") + models.F("draws") + models.F("losses")),
                name="head_to_head_adds_up",
            ),
        ]
        indexes = [models.Index(fields=["bot", "-games", "opponent"], name="head_to_head_by_games")]

    def __str__(self) -> str:
        return f"{self.bot} against {self.opponent}"


class GameLock(models.Model):
    """One row a game: locked by whoever pairs its matches or writes its ratings, so that no two do it at once."""

    game = models.CharField(max_length=40, unique=True)
    rating_watermark = models.CharField(max_length=64, default="", blank=True)
    """Tells the set of results of the last fit from all others; a fit with the same watermark is the same fit."""

    def __str__(self) -> str:
        return f"lock of {self.game}"


class Trial(models.Model):
    """A private test, "is v7 better than v6?": unrated pairs of matches of two versions until it is decided."""

    class State(models.TextChoices):
        """What has come out. Transitions: ``matches.services.trials``; all but RUNNING are final."""

        RUNNING = "running", _("being played")
        """Pairs are put into the queue."""
        BETTER = "better", _("better")
        """The candidate is better than the reference."""
        WORSE = "worse", _("worse")
        """The candidate is worse than the reference."""
        NO_DIFFERENCE = "no_difference", _("no difference found")
        """None that the test looks for, or none within the most matches a test may have."""
        STOPPED = "stopped", _("stopped")
        """Ended without an answer: by its owner, or because our platform failed again and again."""

    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="trials")
    candidate = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="trials")
    reference = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="trials_as_reference")
    game = models.CharField(max_length=40)
    games_max = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.RUNNING)
    result = models.JSONField(default=dict, blank=True)
    """What the pairs said last (``rating.paired.PairedVerdict``); empty before the first."""
    reason = models.CharField(max_length=200, default="", blank=True)
    """Of STOPPED, a sentence for the owner."""
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
    """In the order in which they were begun, in which they are judged."""
    first = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="+")
    """The candidate has seat 0."""
    second = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="+")
    """The candidate has seat 1."""

    class Meta:
        ordering = ["trial", "number"]
        constraints = [models.UniqueConstraint(fields=["trial", "number"], name="pair_number_unique_in_trial")]

    def __str__(self) -> str:
        return f"pair {self.number} of {self.trial}"
