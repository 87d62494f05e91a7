"""Bots and their versions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from common.names import NameKeyField, NameLookField
from common.validators import validate_bot_name
from jobs.leases import Leased

_ON_BOARD = Q(state__in=["active", "probation"])


class Bot(models.Model):
    """A player of one game, kept over all its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    game = models.CharField(max_length=40)
    """Name of the game in the core's registry."""
    name = models.CharField(max_length=40, validators=[validate_bot_name])
    name_key = NameKeyField()
    name_look = NameLookField()
    is_house = models.BooleanField(default=False)
    """One of ours: frozen, and an anchor of the rating scale."""
    declared_rating = models.FloatField(null=True, blank=True)
    """For house bots: the rating that anchors the scale, in Elo points."""
    league = models.PositiveSmallIntegerField(default=0)
    """0 is the lowest (``ladder.leagues``); kept over all versions, moved by ``ladder.services.standings``."""
    league_since = models.DateTimeField(null=True, blank=True)
    """When it came into its league; null: it has not been placed yet."""
    boss_of = models.PositiveSmallIntegerField(null=True, blank=True)
    """The league whose door this house bot keeps; null: none."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "name_key"], name="bot_name_unique_in_game"),
            models.UniqueConstraint(fields=["game", "name_look"], name="bot_name_looks_unique_in_game"),
            models.CheckConstraint(
                condition=Q(is_house=False, declared_rating__isnull=True)
                | Q(is_house=True, declared_rating__isnull=False),
                name="bot_house_has_declared_rating",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def league_placed(self) -> int | None:
        """Its league; None until it is placed, which takes a rank."""
        return None if self.league_since is None else self.league


class BotVersion(Leased):
    """One upload of a bot. Never changed or deleted once it has played."""

    class State(models.TextChoices):
        """Where a version is on its way. Transitions: ``ladder.services.versions.version_transition``."""

        UPLOADED = "uploaded", _("waiting for a builder")
        """Checked and stored; its build job is in the queue."""
        BUILDING = "building", _("being built")
        """A worker has taken the build job."""
        ACTIVE = "active", _("active")
        """Built, check match passed; it is paired and rated."""
        PROBATION = "probation", _("on probation")
        """It failed again and again: it keeps its place on the board and is not paired until somebody has looked."""
        REJECTED = "rejected", _("rejected")
        """The build or the check match failed by the bot's fault; never paired."""
        FAILED = "failed", _("not built, our fault")
        """Three attempts ended by the platform's fault; the owner may try again."""
        RETIRED = "retired", _("replaced or withdrawn")
        """A newer version took its place, or its owner or an administrator withdrew it; its matches stay."""

    ON_BOARD = (State.ACTIVE, State.PROBATION)
    """States of the version that stands for its bot; at most one a bot."""

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="children")
    """The version that was active when this one took its place: the rating is inherited from it."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    bundle_digest = models.CharField(max_length=64)
    """SHA-256 of the checked upload (a canonical tar)."""
    bundle_bytes = models.PositiveIntegerField()
    """What the upload counts in its owner's quotas; 0: we build it again, from an upload that counts already."""
    upload_name = models.CharField(max_length=120)
    """File name as uploaded, for showing."""
    artifact_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of what the build made; empty until built."""
    language = models.CharField(max_length=20, default="", blank=True)
    entry = models.CharField(max_length=200, default="", blank=True)
    step = models.CharField(max_length=20, default="", blank=True)
    """The step the build has reached or failed in: fetch, unpack, compile, check."""
    verdict = models.CharField(max_length=20, default="", blank=True)
    sentence = models.TextField(default="", blank=True)
    """The cause of a rejection in one sentence."""
    log = models.TextField(default="", blank=True)
    """What the build printed and the tail of standard error, for the owner only."""
    check_replay_digest = models.CharField(max_length=64, default="", blank=True)
    """Replay of the check match."""
    check_log_digest = models.CharField(max_length=64, default="", db_default="", blank=True)
    """Turns of the check match; empty where they tell no more than its replay."""
    worker = models.CharField(max_length=100, default="", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    activated_at = models.DateTimeField(null=True, blank=True)
    looked_at = models.DateTimeField(null=True, blank=True)
    """When somebody last ended its probation: faults before that are forgiven. Null: never."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_unique_in_bot"),
            models.UniqueConstraint(fields=["bot"], condition=_ON_BOARD, name="version_one_active_a_bot"),
            models.CheckConstraint(condition=~_ON_BOARD | ~Q(artifact_digest=""), name="version_active_has_artifact"),
            one_of(
                "version_state_known",
                state=["uploaded", "building", "active", "probation", "rejected", "failed", "retired"],
            ),
        ]
        indexes = [models.Index(fields=["state"], name="version_by_state")]
        ordering = ["bot", "-number"]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.number}"

    def again(self, *, bundle_bytes: int) -> BotVersion:
        """Return the next version of its bot from the same upload, not saved; the caller has locked owner or bot."""
        return BotVersion(
            bot=self.bot,
            number=self.bot.versions.latest("number").number + 1,
            bundle_digest=self.bundle_digest,
            bundle_bytes=bundle_bytes,
            upload_name=self.upload_name,
            language=self.language,
        )
