"""Accounts, bots, their versions and ratings; workers; what administrators did."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ladder.accounts import Account
from ladder.constraints import known
from ladder.leases import Leased
from ladder.names import NameKeyField
from ladder.validators import validate_bot_name

_ON_BOARD = Q(state__in=["active", "probation"])


class User(Account):
    """Somebody with an account. Our own class from the first migration on, because Django cannot change it later."""

    uploads_stopped = models.CharField(max_length=500, default="", blank=True)
    """Why this account may upload nothing, for its owner to read (``ladder.services.accounts``); empty: it may."""
    mail_language = models.CharField(max_length=10, default="", db_default="", blank=True, editable=False)
    """In which language notifications go out by mail, too; empty: they do not."""


class Bot(models.Model):
    """A player of one game, kept over all its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    game = models.CharField(max_length=40)
    """Name of the game in the core's registry."""
    name = models.CharField(max_length=40, validators=[validate_bot_name])
    name_key = NameKeyField()
    is_house = models.BooleanField(default=False)
    """One of ours: frozen, and an anchor of the rating scale."""
    declared_rating = models.FloatField(null=True, blank=True)
    """For house bots: the rating that anchors the scale, in Elo points."""
    league = models.PositiveSmallIntegerField(default=0)
    """0 is the lowest (``ladder.leagues``); kept over all versions, moved by ``ladder.services.standings``."""
    league_since = models.DateTimeField(null=True, blank=True)
    """When it was last promoted or demoted; null: never."""
    boss_of = models.PositiveSmallIntegerField(null=True, blank=True)
    """The league whose door this house bot keeps; null: none."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "name_key"], name="bot_name_unique_in_game"),
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
    looked_at = models.DateTimeField(null=True, blank=True)
    """When somebody last ended its probation: faults before that are forgiven. Null: never."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_unique_in_bot"),
            models.UniqueConstraint(fields=["bot"], condition=_ON_BOARD, name="version_one_active_a_bot"),
            models.CheckConstraint(condition=~_ON_BOARD | ~Q(artifact_digest=""), name="version_active_has_artifact"),
            known(
                "version_state_known",
                state=["uploaded", "building", "active", "probation", "rejected", "failed", "retired"],
            ),
        ]
        indexes = [models.Index(fields=["state"], name="version_by_state")]
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
    announced_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return f"{self.title} {self.version}"


class Worker(models.Model):
    """A playing worker, as its own beats describe it and as administrators want it (``ladder.services.workers``)."""

    class State(models.TextChoices):
        """What is wanted of a worker. Transitions: ``ladder.services.workers.worker_transition``."""

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


class GameSetting(models.Model):
    """How a game is run here. A game without a row is open, with the limits that it declares."""

    class State(models.TextChoices):
        """What is done for a game. Transitions: ``ladder.services.games.game_transition``; any to any other."""

        OPEN = "open", _("open")
        """Bots are taken, matches are paired."""
        PAUSED = "paused", _("paused")
        """No new matches are made. Bots are taken and built; they play once it is open again."""
        FROZEN = "frozen", _("frozen")
        """The contest is over: no bots, no new matches. The board and all replays stay."""

    game = models.CharField(max_length=40, unique=True)
    """Name of the game in the core's registry."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    reason = models.CharField(max_length=500, default="", blank=True)
    """Why it is paused or frozen, for everybody to read."""
    limits = models.JSONField(default=dict, blank=True)
    """Limits of its bots by name (``workers.jobs.BotLimits``) that are not what the installation has set."""
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [known("game_state_known", state=["open", "paused", "frozen"])]
        ordering = ["game"]

    def __str__(self) -> str:
        return self.game


class Announcement(models.Model):
    """What administrators tell everybody, on top of every page for a while."""

    class Level(models.TextChoices):
        """How much it matters; shown by a word, too."""

        NEWS = "news", _("News")
        """Good to know."""
        WARNING = "warning", _("Please note")
        """Something will not go as usual."""
        URGENT = "urgent", _("Important")
        """Whoever does not act on it may lose something."""

    text = models.TextField(max_length=1_000)
    """As readers see it; addresses in it become links."""
    level = models.CharField(max_length=10, choices=Level.choices, default=Level.NEWS)
    shown_from = models.DateTimeField(default=timezone.now)
    shown_until = models.DateTimeField(null=True, blank=True)
    """Null: until somebody takes it down."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(shown_until__isnull=True) | Q(shown_until__gt=models.F("shown_from")),
                name="announcement_ends_after_its_begin",
                violation_error_message=_("The end must be later than the beginning."),
            ),
            known("announcement_level_known", level=["news", "warning", "urgent"]),
        ]
        ordering = ["-shown_from", "-pk"]

    def __str__(self) -> str:
        return self.text[:60]


class AuditEntry(models.Model):
    """One act of an administrator, or the end of a probation: who did what to what, when and why. Never changed."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    """Null: the command line."""
    actor_name = models.CharField(max_length=150)
    """As it was then."""
    act = models.CharField(max_length=40)
    """Name of the service, such as ``worker_drain``."""
    target = models.CharField(max_length=200)
    reason = models.CharField(max_length=1_000, default="", blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.act} {self.target}"


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
    game = models.CharField(max_length=40, default="", editable=False)
    """The bot's, so that one index finds a page of a board."""
    listed = models.BooleanField(default=False)
    """Whether its version played at the time of the fit."""
    rank = models.PositiveIntegerField(null=True, blank=True)
    """From 1 among the listed of its game; null while it is provisional or not listed."""
    rank_best = models.PositiveIntegerField(null=True, blank=True)
    """One more than those whose interval lies wholly above its own; null without a rank."""
    rank_worst = models.PositiveIntegerField(null=True, blank=True)
    """The last rank but those whose interval lies wholly below its own; null without a rank."""

    class Meta:
        indexes = [
            models.Index(fields=["game", "-rating", "version"], condition=Q(rank__isnull=False), name="rating_ranked"),
            models.Index(
                fields=["game", "-rating", "version"],
                condition=Q(rank__isnull=True, listed=True),
                name="rating_provisional",
            ),
        ]

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


class Notification(models.Model):
    """Something that a user should know. Not its text but the values in it: it is told in the reader's language."""

    class Kind(models.TextChoices):
        """What has happened. Sentences and addresses: ``ladder.words.notifications``."""

        BUILT = "built", _("built")
        """A version has been built and plays."""
        REJECTED = "rejected", _("rejected")
        """A version was rejected by its own fault."""
        NOT_BUILT = "not_built", _("not built")
        """A version could not be built by our fault."""
        PROBATION = "probation", _("on probation")
        """A version failed again and again, and is not paired any more."""
        WITHDRAWN = "withdrawn", _("withdrawn")
        """An administrator has withdrawn a version."""
        PROMOTED = "promoted", _("promoted")
        """A bot has risen to a higher league."""
        TRIAL_ENDED = "trial_ended", _("test ended")
        """A private test has come to its end by itself."""

    reader = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notifications", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    occasion = models.CharField(max_length=100)
    """Names the one happening, so that whoever reports it twice notifies once."""
    values = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_due = models.BooleanField(default=False, db_default=False)
    """It is still to go out by mail (``ladder.services.notices``)."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reader", "kind", "occasion"], name="notification_once"),
            known(
                "notification_kind_known",
                kind=["built", "rejected", "not_built", "probation", "withdrawn", "promoted", "trial_ended"],
            ),
        ]
        indexes = [
            models.Index(fields=["reader", "-id"], name="notification_newest"),
            models.Index(fields=["reader"], condition=Q(read_at=None), name="notification_unread"),
            models.Index(fields=["id"], condition=Q(mail_due=True), name="notification_mail_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.occasion}"
