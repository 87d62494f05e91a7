"""Bots and their versions."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from common.names import NameKeyField, NameLookField
from common.validators import validate_bot_name
from contests.models import Contest, Team, contest_place
from jobs.leases import Leased

_ON_BOARD = Q(state__in=["active", "probation"])


class Bot(models.Model):
    """A player in one contest, with all versions that its owner has uploaded."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="bots")
    """The team that owns it, of which its owner is a member; null: its owner alone."""
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="bots", db_index=False)
    game = models.CharField(max_length=40)
    """Name of the game of its contest, copied here since a contest's game never changes."""
    name = models.CharField(max_length=40, validators=[validate_bot_name])
    name_key = NameKeyField()
    name_look = NameLookField()
    is_house = models.BooleanField(default=False)
    """Whether this is a house bot, shipped with the arena: an anchor of the rating scale."""
    declared_rating = models.FloatField(null=True, blank=True)
    """The declared rating of a house bot, in Elo points, which anchors the scale; null for all others, and for house
    bots in contests by whose rules none was measured."""
    league = models.PositiveSmallIntegerField(default=0)
    """Index in ``ladder.leagues.NAMES``, 0 is the lowest. ``ladder.services.standings`` changes it after fits."""
    league_since = models.DateTimeField(null=True, blank=True)
    """When the bot entered its league; null while it is in no league."""
    league_best = models.PositiveSmallIntegerField(default=0, db_default=0)
    """Index of the highest league that the bot has reached; 0 also if it was in none."""
    boss_of = models.PositiveSmallIntegerField(null=True, blank=True)
    """The league for which this house bot is the league gate (the boss); null for all other bots."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "name_key"], name="bot_name_unique_in_contest"),
            models.UniqueConstraint(fields=["contest", "name_look"], name="bot_name_looks_unique"),
            models.CheckConstraint(
                condition=Q(is_house=True) | Q(declared_rating__isnull=True), name="bot_declared_rating_only_of_house"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def contest_place(self) -> str:
        """The part of urls that names its contest (no query)."""
        return contest_place(self.contest_id, self.game)

    @property
    def participant(self) -> str:
        """The name of who takes part with it: its team, or else its owner (no query if both were selected)."""
        return self.owner.username if self.team is None else self.team.name

    @property
    def league_placed(self) -> int | None:
        """The index of its league; None while its rating is not sure enough, and on boards without leagues."""
        return None if self.league_since is None else self.league


class BotVersion(Leased):
    """One uploaded program of a bot. Its program never changes, and a version that has played is never deleted."""

    class State(models.TextChoices):
        """The state of a version. ``ladder.services.versions.version_transition`` holds the transitions."""

        RECEIVED = "received", _("received")
        """Stored as it was sent (``SentFile``); a manager examines it next."""
        UPLOADED = "uploaded", _("waiting for a builder")
        """Examined; its build job is in the queue."""
        BUILDING = "building", _("being built")
        """A worker has taken the build job."""
        ACTIVE = "active", _("active")
        """Built, and its check match passed; it is paired and rated."""
        PROBATION = "probation", _("on probation")
        """It failed in several matches: it stays on the board, but is not paired until somebody ends the probation."""
        REJECTED = "rejected", _("rejected")
        """The examination refused it, or its build or check match failed by the bot's fault; it is never paired."""
        FAILED = "failed", _("not built, our fault")
        """Three attempts to build it failed by the platform's fault; the owner may try again."""
        RETIRED = "retired", _("replaced or withdrawn")
        """A newer version took its place, or its owner or an administrator withdrew it; its matches stay."""

    ON_BOARD = (State.ACTIVE, State.PROBATION)
    """States of the version that represents its bot on the board; each bot has at most one such version."""

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="children")
    """The version from which this one inherited its rating when it became active."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    received_at = models.DateTimeField(default=timezone.now, db_default=Now())
    """When the request with the upload reached the site, by the clock of the database: contests compare it with their
    deadlines. A rebuild keeps the time of the version that it rebuilds."""
    sent_digest = models.CharField(max_length=64, default="", db_default="", blank=True)
    """SHA-256 of the file exactly as it was sent, for the sender's receipt; empty if nothing was sent: a version that
    plays again, was entered from another contest or rebuilt, or came before receipts were given."""
    bundle_digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the examined upload (a canonical tar); empty before, and if the examination refused it."""
    bundle_bytes = models.PositiveIntegerField()
    """Bytes that count against the owner's quota; 0 for a rebuild of an upload that counts already."""
    upload_name = models.CharField(max_length=120)
    """File name of the upload; only shown, never used as a path."""
    artifact_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the built program; empty until it is built."""
    language = models.CharField(max_length=20, default="", blank=True)
    entry = models.CharField(max_length=200, default="", blank=True)
    step = models.CharField(max_length=20, default="", blank=True)
    """The step that the build has reached or failed in: fetch, unpack, compile, check."""
    verdict = models.CharField(max_length=20, default="", blank=True)
    reason = models.JSONField(default=dict, blank=True)
    """Why the version was rejected, failed or retired: a message (``core.message``); empty if there is none."""
    log = models.TextField(default="", blank=True)
    """Output of the build and the end of standard error; only the owner sees it."""
    check_replay_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the replay of the check match."""
    check_log_digest = models.CharField(max_length=64, default="", db_default="", blank=True)
    """SHA-256 of the log of turns of the check match; empty if the log would add nothing to the replay."""
    worker = models.CharField(max_length=100, default="", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    activated_at = models.DateTimeField(null=True, blank=True)
    looked_at = models.DateTimeField(null=True, blank=True)
    """When its probation was last ended; faults before that do not count any more. Null: never."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_unique_in_bot"),
            models.UniqueConstraint(fields=["bot"], condition=_ON_BOARD, name="version_one_active_a_bot"),
            models.CheckConstraint(condition=~_ON_BOARD | ~Q(artifact_digest=""), name="version_active_has_artifact"),
            one_of(
                "version_state_known",
                state=["received", "uploaded", "building", "active", "probation", "rejected", "failed", "retired"],
            ),
        ]
        indexes = [models.Index(fields=["state"], name="version_by_state")]
        ordering = ["bot", "-number"]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.number}"

    def successor(self, *, bundle_bytes: int, received_at: datetime) -> BotVersion:
        """Return an unsaved next version of the bot with this upload; the caller has locked the owner or the bot."""
        return BotVersion(
            bot=self.bot,
            received_at=received_at,
            number=self.bot.versions.latest("number").number + 1,
            bundle_digest=self.bundle_digest,
            bundle_bytes=bundle_bytes,
            upload_name=self.upload_name,
            language=self.language,
        )


class SentFile(models.Model):
    """The file of an upload exactly as it was sent; deleted as soon as the upload has been examined.

    It lies in the database and not in the file store, so that it is stored in the same transaction as its version, and
    an upload that came in time is taken also while the file store is away.
    """

    version = models.OneToOneField(BotVersion, on_delete=models.CASCADE, primary_key=True, related_name="sent_file")
    data = models.BinaryField()
    language_code = models.CharField(max_length=10)
    """The language in which the sender reads the site; a refusal is written in it."""

    def __str__(self) -> str:
        return f"{self.version_id}: {len(self.data)} bytes"
