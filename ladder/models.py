"""Accounts, bots, their versions and ratings."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from ladder.leases import Leased
from ladder.validators import validate_bot_name


class User(AbstractUser):
    """Somebody with an account. Our own class from the first migration on, because Django cannot change it later."""


class Bot(models.Model):
    """A player of one game, kept over all its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    game = models.CharField(max_length=40)
    """Name of the game in the core's registry."""
    name = models.CharField(max_length=40, validators=[validate_bot_name])
    is_house = models.BooleanField(default=False)
    """One of ours: frozen, and an anchor of the rating scale."""
    declared_rating = models.FloatField(null=True, blank=True)
    """For house bots: the rating that anchors the scale, in Elo points."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("game", Lower("name"), name="bot_name_unique_in_game"),
            models.CheckConstraint(
                condition=Q(is_house=False, declared_rating__isnull=True)
                | Q(is_house=True, declared_rating__isnull=False),
                name="bot_house_has_declared_rating",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class BotVersion(Leased):
    """One upload of a bot. Never changed or deleted once it has played."""

    class State(models.TextChoices):
        """Where a version is on its way. Transitions: ``ladder.services.versions.version_transition``."""

        UPLOADED = "uploaded", _("waiting for a builder")
        """Checked and stored; its build job is in the queue."""
        BUILDING = "building", _("being built")
        """A worker has taken the build job."""
        ACTIVE = "active", _("active")
        """Built, check match passed; it is paired and rated. At most one a bot."""
        REJECTED = "rejected", _("rejected")
        """The build or the check match failed by the bot's fault; never paired."""
        FAILED = "failed", _("not built, our fault")
        """Three attempts ended by the platform's fault; the owner may try again."""
        RETIRED = "retired", _("replaced")
        """A newer version took its place, or its owner withdrew it; its matches stay."""

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="children")
    """The version that was active when this one took its place: the rating is inherited from it."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    bundle_digest = models.CharField(max_length=64)
    """SHA-256 of the checked upload (a canonical tar)."""
    bundle_bytes = models.PositiveIntegerField()
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
    worker = models.CharField(max_length=100, default="", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    activated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_unique_in_bot"),
            models.UniqueConstraint(fields=["bot"], condition=Q(state="active"), name="version_one_active_a_bot"),
            models.CheckConstraint(
                condition=~Q(state="active") | ~Q(artifact_digest=""), name="version_active_has_artifact"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["uploaded", "building", "active", "rejected", "failed", "retired"]),
                name="version_state_known",
            ),
        ]
        ordering = ["bot", "-number"]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.number}"


class WorkingLanguage(models.Model):
    """A language that this arena's workers have, as the one that started last has announced it."""

    name = models.CharField(max_length=20, unique=True)
    title = models.CharField(max_length=100)
    version = models.CharField(max_length=20)
    entries = models.JSONField()
    """Where the entry point is looked for in an archive, best first."""
    suffixes = models.JSONField()
    """Endings of its source files."""
    position = models.PositiveSmallIntegerField()
    """In the order of the announcement."""
    announced_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return f"{self.title} {self.version}"


class Rating(models.Model):
    """A cached row of the last fit (see ``ladder.rating``): the truth is the set of results."""

    version = models.OneToOneField(BotVersion, on_delete=models.CASCADE, related_name="rating")
    rating = models.FloatField()
    """Elo points."""
    standard_error = models.FloatField()
    games = models.PositiveIntegerField()
    """Rated matches of this version."""
    last_match_at = models.DateTimeField(null=True, blank=True)
    fitted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.version}: {self.rating:.0f}"


class RatingPoint(models.Model):
    """One point of a version's rating graph, written when a fit has seen new matches of it."""

    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="rating_points")
    games = models.PositiveIntegerField()
    rating = models.FloatField()
    standard_error = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "games"], name="rating_point_unique")]
        ordering = ["version", "games"]

    def __str__(self) -> str:
        return f"{self.version} after {self.games}: {self.rating:.0f}"
