"""Contests, their members, teams and invitations."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from common.names import NameKeyField, NameLookField
from common.validators import validate_bot_name
from common.words.messages import game_title

SLUG_LENGTH_MAX = 40
FINAL_GAMES = 20
"""How many games each bot has on a final board unless a contest says otherwise: as many as make a rating certain."""
validate_slug = RegexValidator(
    r"^[a-z0-9]+(?:[-_][a-z0-9]+)*\Z",
    _("Please use only small letters a-z and digits, with single hyphens or underscores between them."),
)


def contest_place(slug: str, game: str) -> str:
    """Return the part of urls that names a contest, such as ``games/GAME`` or ``contests/spring``."""
    return f"{'games' if slug == game else 'contests'}/{slug}"


class Contest(models.Model):
    """A board with its own people, dates and rules, on which bots of one game meet.

    Each installed game has an open contest, whose key is the name of the game. It is public and has no deadline unless
    administrators set one.
    """

    class State(models.TextChoices):
        """The states of a contest. Only ``contests.services.contests.contest_transition`` changes it."""

        DRAFT = "draft", _("draft")
        """It is being prepared: only its organisers and administrators see it, and it takes no bots."""
        OPEN = "open", _("open")
        """Uploads are taken until the deadline, and matches are paired."""
        PAUSED = "paused", _("paused")
        """No new matches are paired. Uploads are taken until the deadline and built, and play when it is open again."""
        FROZEN = "frozen", _("frozen")
        """It is over: no uploads. ``FinalStage`` says how far its final matches and its final board are."""
        ARCHIVED = "archived", _("archived")
        """It is frozen for ever, and replays that ``replays_kept`` does not keep may be deleted."""

    class FinalStage(models.TextChoices):
        """How far a frozen contest is. Only ``contests.services.finals.final_transition`` changes it."""

        BUILDING = "building", _("the last uploads are being built")
        """Versions that came in time are being built, or play their check matches."""
        PLAYING = "playing", _("final matches are being played")
        """Each version gets the games that it lacks; matches that were in flight end."""
        FITTING = "fitting", _("the final board is being signed")
        """Nothing is paired any more: the last matches end, the ratings are fitted once more, the board is signed. A
        version that is built now plays no more."""
        SIGNED = "signed", _("the final board is signed")
        """The contest has its final board, winners and honours."""

    class Visibility(models.TextChoices):
        """Who may see a contest and everything in it, besides its organisers and the administrators."""

        PUBLIC = "public", _("public")
        """Everybody sees it, and it is listed."""
        UNLISTED = "unlisted", _("unlisted")
        """Everybody who has its url sees it; no list, front page, feed or profile names it."""
        PRIVATE = "private", _("private")
        """Its members alone see it; for everybody else it does not exist."""

    slug = models.CharField(max_length=SLUG_LENGTH_MAX, primary_key=True, validators=[validate_slug])
    """Its key in urls; the open contest of a game has the name of the game. It never changes."""
    title = models.CharField(max_length=100, default="", blank=True)
    """Its name as people read it; empty for an open contest, which is called as its game."""
    description = models.TextField(max_length=20_000, default="", blank=True)
    """What it is about, in Markdown."""
    prizes = models.CharField(max_length=500, default="", blank=True)
    """What can be won; empty: nothing."""
    game = models.CharField(max_length=40)
    """Name of the game in ``games.registry``; it never changes."""
    ruleset = models.CharField(max_length=40, default="", blank=True)
    """Name of a ruleset of the game; empty: the first."""
    options = models.JSONField(default=dict, blank=True)
    """Options of the game that differ from those of its ruleset."""
    tables = models.JSONField(default=dict, blank=True)
    """Shares of its matches by number of bots at a table, such as ``{"2": 1, "4": 3}``; empty: the game's first."""
    limits = models.JSONField(default=dict, blank=True)
    """Limits of its bots, by the field names of ``wire.jobs.BotLimits``, that differ from the installation's."""
    languages = models.JSONField(default=list, blank=True)
    """Names of the languages that its bots may be written in; empty: all that the arena has."""
    bots_max = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many bots a participant, a team or a person without one, may have in it; null: the arena's quota."""
    tables_each = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many open tables a member may have, wherever they are, to open one in this contest; null: the arena's limit.

    A table is a match of people, or of programs elsewhere, against bots.
    """
    has_house_bots = models.BooleanField(default=False)
    """Whether the house bots that can play its rules take part; they anchor its ratings."""
    has_leagues = models.BooleanField(default=False)
    """Whether its bots are placed in leagues, which house bots divide."""
    has_matches = models.BooleanField(default=False, editable=False)
    """Whether a match was ever made in it: then its rules change no more, and it cannot be deleted."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    reason = models.CharField(max_length=500, default="", blank=True)
    """Why it is paused or frozen; shown to everybody who sees it."""
    opens_at = models.DateTimeField(null=True, blank=True)
    """When a draft opens by itself; null: an organiser opens it."""
    entries_until = models.DateTimeField(null=True, blank=True)
    """The deadline for uploads; matches go on after it until the contest is frozen. Null: no deadline."""
    frozen_at = models.DateTimeField(null=True, blank=True)
    """When it freezes by itself, or when it was frozen; null: when an organiser freezes it."""
    final_games = models.PositiveSmallIntegerField(default=FINAL_GAMES, db_default=FINAL_GAMES)
    """How many rated matches each bot of a person has at least when the final board is signed; 0: as many as it has."""
    final_by = models.DateTimeField(null=True, blank=True)
    """When the board is signed at the latest, without final matches that wait still; null: when all are played."""
    final_stage = models.CharField(
        max_length=8, choices=FinalStage.choices, default="", db_default="", blank=True, editable=False
    )
    """How far its final matches and its final board are; empty before the freeze."""
    final_since = models.DateTimeField(null=True, blank=True, editable=False)
    """When ``final_stage`` got its present value; null before the freeze."""
    honours_house_bots = models.BooleanField(null=True, blank=True)
    """Whether the page of its winners says, apart from them, where house bots would have come; null: yes, except in a
    private contest."""
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC)
    mail_domain = models.CharField(max_length=100, default="", blank=True)
    """Who has a verified address in this domain may join it without an invitation; empty: nobody."""
    other_hosts = models.BooleanField(default=False, db_default=False)
    """Whether hosts that are not the site's may build and play its programs although it is private."""
    replays_kept = models.PositiveIntegerField(null=True, blank=True)
    """How many of the newest replays of each pair of bots stay once it is archived; null: all."""
    board_digest = models.CharField(max_length=64, default="", blank=True, editable=False)
    """SHA-256 of the signed file of its final board; empty until it is signed."""
    board_signature = models.CharField(max_length=200, default="", blank=True, editable=False)
    """The arena's signature, which stands in that file, too."""
    board_signed_at = models.DateTimeField(null=True, blank=True, editable=False)
    replays_thinning = models.JSONField(default=dict, blank=True, editable=False)
    """How many replays ``replays_kept`` will delete, and how much disk space they take; empty until that is counted."""
    replays_thinned_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When the last replay that ``replays_kept`` does not keep was deleted; null: not all of them are deleted yet."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            one_of("contest_state_known", state=["draft", "open", "paused", "frozen", "archived"]),
            one_of("contest_final_stage_known", final_stage=["", "building", "playing", "fitting", "signed"]),
            one_of("contest_visibility_known", visibility=["public", "unlisted", "private"]),
            models.CheckConstraint(
                condition=~Q(slug=models.F("game")) | Q(visibility="public"), name="contest_open_is_public"
            ),
        ]
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title or game_title(self.game)

    @property
    def is_open_contest(self) -> bool:
        """Whether it is the open contest of its game, under ``/games/``."""
        return self.slug == self.game

    @property
    def place(self) -> str:
        """The part of its urls that names it (``contest_place``)."""
        return contest_place(self.slug, self.game)

    @property
    def game_place(self) -> str:
        """The part of urls that names the open contest of its game."""
        return contest_place(self.game, self.game)

    @property
    def is_over(self) -> bool:
        """Whether it is frozen or archived."""
        return self.state in (self.State.FROZEN, self.State.ARCHIVED)

    @property
    def is_in_finals(self) -> bool:
        """Whether it is frozen, and its final board is not signed yet."""
        return self.state == self.State.FROZEN and self.final_stage != self.FinalStage.SIGNED

    @property
    def is_paired(self) -> bool:
        """Whether matches are made in it: it is open, or its final matches are being played."""
        return self.state == self.State.OPEN or (self.is_in_finals and self.final_stage == self.FinalStage.PLAYING)

    @property
    def names_house_bots(self) -> bool:
        """Whether the page of its winners names house bots, too, apart from them."""
        return not self.is_private if self.honours_house_bots is None else self.honours_house_bots

    @property
    def keeps_to_own_hosts(self) -> bool:
        """Whether its matches and builds are kept from hosts of others, whose operators would see its programs."""
        return self.is_private and not self.other_hosts

    @property
    def is_private(self) -> bool:
        """Whether its members alone may see it."""
        return self.visibility == self.Visibility.PRIVATE

    @property
    def is_for_everybody(self) -> bool:
        """Whether guests may see it: it is not private, and no draft."""
        return not self.is_private and self.state != self.State.DRAFT

    @property
    def deadline(self) -> datetime | None:
        """The deadline for uploads, past ones too; None if there is none or the contest is over."""
        return None if self.is_over else self.entries_until

    def plays_if_received(self, at: datetime) -> bool:
        """Return whether its freeze lets a version play whose upload reached the site at ``at``.

        What came before the freeze is taken and built, and plays until the final board is being signed. The deadline is
        not looked at.
        """
        if not self.is_over:
            return True
        is_open = self.is_in_finals and self.final_stage != self.FinalStage.FITTING
        return is_open and (self.frozen_at is None or at <= self.frozen_at)

    def stores_until(self) -> datetime:
        """Return until when uploads may still be stored whose requests reached the site before the last moment.

        That is the freeze (without one, now) or an earlier deadline; ``settings.UPLOAD_STORED_SECONDS`` come after it.
        """
        last = self.frozen_at or timezone.now()
        return min(last, self.entries_until or last) + timedelta(seconds=settings.UPLOAD_STORED_SECONDS)

    def is_past_deadline(self, at: datetime | None = None) -> bool:
        """Return whether the deadline for uploads has passed at ``at`` (None: now); False if there is none."""
        return self.entries_until is not None and self.entries_until <= (at or timezone.now())


class FinalBoard(models.Model):
    """A final board that was signed. The database refuses a second one with the same freeze and predecessor.

    So two processes that sign at the same time cannot both succeed.
    """

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="final_boards")
    frozen_at = models.DateTimeField()
    """When the contest was frozen for this board; a contest that is opened again may be frozen once more."""
    replaces = models.CharField(max_length=64, default="", blank=True)
    """The digest of the board before it; empty for the first."""
    digest = models.CharField(max_length=64)
    """SHA-256 of its file."""
    signed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "frozen_at", "replaces"], name="final_board_signed_once")
        ]
        ordering = ["contest", "pk"]

    def __str__(self) -> str:
        return f"final board {self.digest[:8]} of {self.contest_id}"


class Member(models.Model):
    """A user's part in a contest."""

    class Role(models.TextChoices):
        """What a member may do in the contest."""

        ORGANISER = "organiser", _("organiser")
        """Changes the contest's settings, sees its queue and faults, makes announcements, and disqualifies bots."""
        PARTICIPANT = "participant", _("participant")
        """Sees the contest and uploads bots."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=11, choices=Role.choices, default=Role.PARTICIPANT)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "user"], name="member_once_in_contest"),
            one_of("member_role_known", role=["organiser", "participant"]),
        ]
        ordering = ["contest", "pk"]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.contest_id}"


class Team(models.Model):
    """Some participants of a contest who own bots together. A person without a team is a participant alone."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=40, validators=[validate_bot_name])
    name_key = NameKeyField()
    name_look = NameLookField()
    captain = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    """The member who may rename the team and remove others, and who gets the bots of members that leave."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "name_key"], name="team_name_unique_in_contest"),
            models.UniqueConstraint(fields=["contest", "name_look"], name="team_name_looks_unique"),
        ]
        ordering = ["contest", "name_key"]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """A user's membership of a team."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="+")
    """The contest of the team, copied here so that the database refuses a second team of a user in it."""
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="team_members")
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["contest", "user"], name="team_one_a_user_and_contest")]
        ordering = ["team", "pk"]

    def __str__(self) -> str:
        return f"{self.user} of {self.team}"


def invitation_token() -> str:
    """Return a new secret for the url of an invitation."""
    return secrets.token_urlsafe(24)


class Invitation(models.Model):
    """A link by which people join a contest or a team of it, until it expires or is used up."""

    token = models.CharField(max_length=40, unique=True, default=invitation_token, editable=False)
    """The secret in the url of the invitation, by which people join."""
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="invitations")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    """The team that it leads into; null: it leads into the contest alone."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    uses_max = models.PositiveIntegerField()
    uses = models.PositiveIntegerField(default=0)
    """How many people have joined by it."""

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(uses__lte=models.F("uses_max")), name="invitation_not_overused")
        ]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.team or self.contest_id}"
