"""Matches and their seats."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.access import Reader, administrates
from accounts.models import User
from common.constraints import one_of
from contests.models import Contest, Member, contest_place
from contests.selectors.visibility import ALL_ROWS, seen_by
from jobs.leases import Leased
from ladder.models import BotVersion
from ladder.selectors.bots import own_condition
from wire.tables import TABLE_SECONDS_MAX

TALLY_WRONG = Q(kind="ladder") & (Q(state="finished", tallied=False) | Q(state="void", tallied=True))
"""Matches that ``services.tallies`` has to add to the tallies of their bots, or to subtract from them."""


def told_to(reader: Reader | None, *, at: str = "") -> Q:
    """Return a condition on rows: the results of their match are not hidden from a reader (no query).

    Args:
        reader: the visitor; None for what is the same for everybody.
        at: the path from the rows to the match; empty for matches themselves.
    """
    path = f"{at}__" if at else ""
    if reader is not None and administrates(reader):
        return ALL_ROWS
    told = Q(**{f"{path}is_hidden": False})
    if reader is None or not reader.pk:
        return told
    organised = Member.objects.filter(user=reader.pk, role=Member.Role.ORGANISER)
    return told | Q(**{f"{path}contest__in": organised.values("contest")})


class MatchQuerySet(models.QuerySet["Match"]):
    """Queries on matches."""

    def rated(self) -> MatchQuerySet:
        """Return the matches that ratings are made of."""
        return self.filter(kind=Match.Kind.LADDER, state=Match.State.FINISHED)

    def visible_to(self, reader: Reader) -> MatchQuerySet:
        """Return the matches that a reader may see: of contests that the reader sees, without hidden results.

        Those of a private test are for the owners of its bot alone.
        """
        own = Seat.objects.filter(own_condition(reader=reader, prefix="version__bot__"), match=OuterRef("pk"))
        return self.told_to(reader).filter(~Q(kind=Match.Kind.TRIAL) | Exists(own), seen_by(reader))

    def told_to(self, reader: Reader | None) -> MatchQuerySet:
        """Return the matches whose results are not hidden from a reader, by the rule of their tournament.

        The attack: somebody learns a winner before the ceremony from the number of a match, a list, a log or a file.
        So every query for matches of all kinds has this condition; organisers and administrators see all.
        """
        return self.filter(told_to(reader))


class Match(Leased):
    """One match between two or more versions. This row is the truth about it; the broker only notifies workers."""

    class State(models.TextChoices):
        """Where a match is. Transitions: ``matches.services.lifecycle.match_transition``."""

        QUEUED = "queued", _("waiting for a worker")
        """Paired; its message has been or will be sent."""
        RUNNING = "running", _("being played")
        """A worker plays it and renews the lease. A match of less than half a second never reaches this state."""
        FINISHED = "finished", _("finished")
        """A result is committed; it is rated if its kind is."""
        VOID = "void", _("void")
        """It does not count, for the reason in ``void_reason``: the platform failed too often, say. Visible, never
        rated."""

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
        TOURNAMENT = "tournament", _("tournament")
        """At a table of a tournament."""
        EXHIBITION = "exhibition", _("exhibition")
        """A person, or a program at home, against bots; everybody who has its link may watch it, and no list has it."""

    class QueueClass(models.TextChoices):
        """In which class a match waits for a worker (``jobs.fairness``). Builds have two further classes."""

        TOURNAMENT = "tournament", _("tournaments")
        """Not rated; a hall may be waiting for it."""
        PLACEMENT = "placement", _("first matches of a version")
        """Rated; a version that has not had its first matches plays in it, of a person or a house bot."""
        LADDER = "ladder", _("rated matches")
        """Rated; a person's bot plays in it."""
        REPLACED = "replaced", _("rated matches that are played again")
        """Rated; it is played instead of a void match of a quarantined worker. Pairing does not count these."""
        REQUESTED = "requested", _("re-runs, private tests and challenges")
        """Not rated; somebody has asked for it."""
        HOUSE = "house", _("house bots among themselves")
        """Rated; no person waits for it."""
        TABLE = "table", _("tables")
        """Not rated; it has remote seats, and waits for a place on a worker of tables, not for a process."""

    VISITORS = (QueueClass.PLACEMENT, QueueClass.LADDER, QueueClass.REPLACED)
    """The queue classes of all rated matches but those among house bots that have had their first matches."""

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.LADDER)
    queue_class = models.CharField(max_length=10, choices=QueueClass.choices, default=QueueClass.REQUESTED)
    original = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="reruns")
    """The match that a re-run plays again; null for the other kinds."""
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    rules_version = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    encounter = models.CharField(max_length=32)
    """Shared by the matches of one pairing: the same seed played from all seats."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    void_reason = models.JSONField(default=dict, blank=True)
    """Why it does not count: a message (``core.message``); empty unless it is VOID."""
    replaces = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by")
    """The void match that is played again as this one; null for all others."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    is_hidden = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether only organisers of its contest and administrators see it, since its tournament's results are hidden."""
    tallied = models.BooleanField(default=False, editable=False)
    """Whether it has been added to the bots' tallies (``HeadToHead``)."""

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        indexes = [
            models.Index(fields=["contest", "state", "-id"], name="match_by_state"),
            models.Index(fields=["encounter"], name="match_by_encounter"),
            models.Index(fields=["state", "queue_class"], name="match_in_queue"),
            models.Index(fields=["finished_at"], name="match_by_end"),
            models.Index(fields=["created_at"], name="match_by_pairing"),
            models.Index(fields=["kind", "-id"], condition=~Q(kind="ladder"), name="match_unrated_newest"),
            models.Index(fields=["contest", "-id"], condition=Q(kind="ladder"), name="match_rated_newest"),
            models.Index(fields=["contest", "id"], condition=TALLY_WRONG, name="match_tally_wrong"),
        ]
        constraints = [
            one_of("match_state_known", state=["queued", "running", "finished", "void"]),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(lease_ends_at__isnull=False), name="match_running_has_lease"
            ),
            one_of("match_kind_known", kind=["ladder", "rerun", "trial", "challenge", "tournament", "exhibition"]),
            one_of(
                "match_queue_class_known",
                queue_class=["tournament", "placement", "ladder", "replaced", "requested", "house", "table"],
            ),
            models.CheckConstraint(
                condition=Q(kind="exhibition", queue_class="table") | (~Q(kind="exhibition") & ~Q(queue_class="table")),
                name="match_exhibitions_at_tables",
            ),
            models.CheckConstraint(
                condition=Q(is_hidden=False) | Q(kind="tournament"), name="match_hidden_in_tournaments"
            ),
            models.CheckConstraint(
                condition=Q(kind="rerun", original__isnull=False) | (~Q(kind="rerun") & Q(original__isnull=True)),
                name="match_rerun_has_original",
            ),
            models.UniqueConstraint(
                fields=["original"], condition=Q(state__in=["queued", "running"]), name="match_one_rerun_at_a_time"
            ),
        ]

    @property
    def life_seconds_max(self) -> int:
        """Within how many seconds after its message was sent it ends; more for exhibitions, since people think long."""
        extra = TABLE_SECONDS_MAX if self.kind == self.Kind.EXHIBITION else 0
        return super().life_seconds_max + extra

    @property
    def audience(self) -> str:
        """For Cache-Control: ``private`` if guests may not see it, so that no proxy may cache it; else ``public``."""
        is_private = self.kind == self.Kind.TRIAL or self.is_hidden or not self.contest.is_for_everybody
        return "private" if is_private else "public"

    @property
    def seed_told(self) -> int | None:
        """Its seed; None while players sit at its table: the seed tells what comes."""
        is_secret = self.kind == self.Kind.EXHIBITION and self.state in (self.State.QUEUED, self.State.RUNNING)
        return None if is_secret else self.seed

    @property
    def contest_place(self) -> str:
        """The part of urls that names its contest (no query)."""
        return contest_place(self.contest_id, self.game)

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
    """CPU time of the turn that came nearest to its limit, in ms."""
    verdict = models.CharField(max_length=20, default="", blank=True)
    """The bot fault that put the seat last; empty if there was none."""
    evidence = models.JSONField(default=dict, blank=True)
    """The fault's evidence (``wire.jobs.FaultReport``), for the owner only."""

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


class RemoteSeat(models.Model):
    """A seat of an exhibition that no bot of this arena plays: a person in a browser, or a program at home.

    The numbers of seats and remote seats of a match together are all from 0.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="remote_seats")
    index = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100)
    """What everybody reads as the player's name."""
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """Who plays; null for guests."""
    visitor = models.CharField(max_length=64, default="", blank=True, db_index=True)
    """A keyed hash of the network of a guest, which the limit of tables counts; empty once the table has ended."""
    secret_hash = models.CharField(max_length=64, unique=True)
    """SHA-256 of the secret that the player shows with each question and answer, in hexadecimal digits."""
    clock_seconds = models.PositiveSmallIntegerField()
    """Wall time for each answer; 0: no limit."""
    tries = models.PositiveSmallIntegerField(default=1)
    """How many answers to one question may be illegal, the last of which puts the seat out of the match."""
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    """1 is best; null until the match is finished. Bots and remote seats are ranked together."""
    score = models.FloatField(null=True, blank=True)
    verdict = models.CharField(max_length=20, default="", blank=True)
    """The fault that put the seat out of the match; empty if there was none."""
    evidence = models.JSONField(default=dict, blank=True)
    """The fault's evidence (``wire.jobs.FaultReport``)."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "index"], name="remote_seat_unique_in_match")]
        ordering = ["match", "index"]

    def __str__(self) -> str:
        return f"remote seat {self.index} of match {self.match_id}"
