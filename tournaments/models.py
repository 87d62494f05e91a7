"""Tournaments, their entrants, rounds and tables."""

from __future__ import annotations

import secrets

import msgspec
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from contests.models import Contest, validate_slug
from formats import model
from ladder.models import BotVersion
from matches.models import Match

SLUG_LENGTH_MAX = 40


def lots_new() -> int:
    """Return a secret random number, 0 <= number < 2**63, for the lots and seeds of a tournament.

    The attack: somebody tries all numbers until one gives the seed that a replay of the first round shows, and then
    knows the seeds of all later rounds. So the number uses all bits of its database column.
    """
    return secrets.randbelow(2**63)


class Tournament(models.Model):
    """A list of stages that bots of a contest play, from a draw to a winner."""

    class State(models.TextChoices):
        """The states of a tournament. Only ``tournaments.services.transitions.tournament_transition`` changes it."""

        DRAFT = "draft", _("in preparation")
        """Its organisers set it up; only they and administrators see it."""
        OPEN = "open", _("open for entries")
        """It is announced. Bots are entered, or the tournament waits for the draw, which reads the board."""
        DRAWN = "drawn", _("drawn")
        """Its entrants and their versions are fixed, and its first round is paired; nothing is played yet."""
        RUNNING = "running", _("being played")
        """Matches are played; when all tables of a round are decided, the next round is drawn."""
        PAUSED = "paused", _("paused")
        """Matches under way end, but nothing new is made."""
        FINISHED = "finished", _("finished")
        """The last round has been played. Results may be hidden still."""
        RELEASED = "released", _("over")
        """Everything about it is public. It never changes again."""

    class Entry(models.TextChoices):
        """How the entrants of a tournament are found."""

        SIGN_UP = "sign_up", _("owners enter their bots")
        """Owners enter their bots until ``entries_until`` or the draw, whichever comes first."""
        BOARD = "board", _("the best of the board")
        """The draw takes the first ``entrants_max`` active bots of the contest's board."""
        LIST = "list", _("the organisers choose them")
        """Organisers enter bots until the draw."""

    class Results(models.TextChoices):
        """When results are told to others than the organisers."""

        AT_ONCE = "at_once", _("at once")
        """Everybody sees results as they come, and can watch the matches live."""
        BY_ROUND = "by_round", _("when a round is released")
        """An organiser makes the results of one round after another public."""
        AT_END = "at_end", _("when the tournament is released")
        """An organiser makes all results public at once, after the last round."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="tournaments")
    slug = models.CharField(max_length=SLUG_LENGTH_MAX, validators=[validate_slug])
    """Its key in the contest's urls."""
    title = models.CharField(max_length=100)
    description = models.TextField(max_length=20_000, default="", blank=True)
    """What it is about, in Markdown."""
    prizes = models.CharField(max_length=500, default="", blank=True)
    """What can be won; empty: nothing."""
    stages = models.JSONField(default=list)
    """Its stages: a list of ``formats.model.Stage`` as JSON objects; read them with ``stages_read``."""
    entry = models.CharField(max_length=10, choices=Entry.choices, default=Entry.SIGN_UP)
    entrants_max = models.PositiveSmallIntegerField(null=True, blank=True)
    """Most entrants; null: ``formats.stages.ENTRANTS_MAX``. If more bots are entered, the best rated of them play."""
    entries_until = models.DateTimeField(null=True, blank=True)
    """Until when owners can enter bots; null: until the draw."""
    starts_at = models.DateTimeField(null=True, blank=True)
    """When the tournament starts by itself, after a draw if there was none; null: an organiser draws and starts it."""
    results = models.CharField(max_length=10, choices=Results.choices, default=Results.AT_ONCE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    reason = models.JSONField(default=dict, blank=True)
    """Why it is paused, or could not start at its time: a message (``core.message``), shown to everybody who sees it;
    else empty."""
    lots = models.BigIntegerField(default=lots_new, editable=False)
    """The secret number from which lots and the seeds of its matches are made."""
    created_at = models.DateTimeField(auto_now_add=True)
    drawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    released_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "slug"], name="tournament_slug_unique_in_contest"),
            one_of(
                "tournament_state_known",
                state=["draft", "open", "drawn", "running", "paused", "finished", "released"],
            ),
            one_of("tournament_entry_known", entry=["sign_up", "board", "list"]),
            one_of("tournament_results_known", results=["at_once", "by_round", "at_end"]),
            models.CheckConstraint(
                condition=~Q(entry="board") | Q(entrants_max__isnull=False), name="tournament_board_has_number"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def key(self) -> str:
        """The name of this tournament in the audit log: ``CONTEST/SLUG``."""
        return f"{self.contest_id}/{self.slug}"

    def stages_read(self) -> tuple[model.Stage, ...]:
        """Return the stages (no query)."""
        return msgspec.convert(self.stages, tuple[model.Stage, ...])

    @property
    def is_hidden(self) -> bool:
        """Whether some of its results may be hidden now."""
        return self.results != self.Results.AT_ONCE and self.state != self.State.RELEASED

    @property
    def is_drawn(self) -> bool:
        """Whether its entrants are fixed and it has a round."""
        return self.state not in (self.State.DRAFT, self.State.OPEN)


class Entrant(models.Model):
    """A bot in a tournament, with the version that plays for it."""

    class Left(models.TextChoices):
        """Why an entrant plays no more; the column is empty while it plays."""

        WITHDRAWN = "withdrawn", _("withdrawn")
        """An owner of the bot or an organiser withdrew it."""
        DISQUALIFIED = "disqualified", _("disqualified")
        """An organiser disqualified it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="entrants")
    """Until the draw the version is replaced by the bot's newest active one; from then on it stays."""
    bot = models.ForeignKey("ladder.Bot", on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    """Its seed number, from 1; null before the draw."""
    rating = models.FloatField(null=True, blank=True)
    """The rating of the version at the draw, in Elo points; null before the draw, or if it had none."""
    left = models.CharField(max_length=12, choices=Left.choices, default="", blank=True)
    left_stage = models.PositiveSmallIntegerField(null=True, blank=True)
    left_round = models.PositiveSmallIntegerField(null=True, blank=True)
    """The first round (from 1) of ``left_stage`` (from 0) in which it plays no more; null while it plays."""
    left_reason = models.CharField(max_length=500, default="", blank=True)
    """Why it was withdrawn or disqualified, for everybody to read; may be empty."""
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    """Its place in the end, from 1; null until the tournament is finished. Pages hide it as long as the results."""
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tournament", "number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="entrant_once_in_tournament"),
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number_unique"),
            one_of("entrant_left_known", left=["", "withdrawn", "disqualified"]),
            models.CheckConstraint(
                condition=Q(left="", left_stage=None, left_round=None)
                | (~Q(left="") & Q(left_stage__isnull=False, left_round__isnull=False)),
                name="entrant_left_has_round",
            ),
        ]

    def __str__(self) -> str:
        return f"entrant {self.number} of {self.tournament_id}"


class Round(models.Model):
    """A drawn round. The database refuses a second one with the same tournament, stage and number."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    stage = models.PositiveSmallIntegerField()
    """Number of its stage, from 0."""
    number = models.PositiveSmallIntegerField()
    """Its number within the stage, from 1."""
    drawn_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    """When its last table was decided; null: it is being played."""
    released_at = models.DateTimeField(null=True, blank=True)
    """When its results became public; null: they are hidden. In tournaments that tell results at once, set when it is
    drawn."""

    class Meta:
        ordering = ["tournament", "stage", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "stage", "number"], name="round_unique")]

    def __str__(self) -> str:
        return f"round {self.stage}.{self.number} of {self.tournament_id}"


class Table(models.Model):
    """Entrants that meet in a round in one or more matches, and how that ended; one entrant alone has a bye."""

    class Outcome(models.TextChoices):
        """How a table was decided (``formats.model.Outcome``); the column is empty while the table is open."""

        PLAYED = "played", _("played")
        """The results of its matches decided it."""
        BYE = "bye", _("bye")
        """It had one entrant only, who got the points of a win."""
        FORFEIT = "forfeit", _("forfeit")
        """Entrants had left the tournament, so it was decided for the others."""
        BY_HAND = "by_hand", _("decided by the organisers")
        """An organiser decided it, and gave a reason."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    """Its number within the round, from 1."""
    group = models.CharField(max_length=10, default="", blank=True)
    sources = models.JSONField(default=list, blank=True)
    why = models.JSONField(default=dict, blank=True)
    """``group``, ``sources`` and ``why`` are those of ``formats.model.Pairing``; ``why`` is a stored message."""
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default="", blank=True)
    winner = models.PositiveSmallIntegerField(default=0)
    """In a knockout, the seed number of the entrant that goes on; 0 while the table is open, and in other formats."""
    matches_counted = models.PositiveSmallIntegerField(default=0)
    """How many matches decided it."""
    reason = models.CharField(max_length=500, default="", blank=True)
    """Why it was decided by hand."""
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_unique_in_round"),
            one_of("table_outcome_known", outcome=["", "played", "bye", "forfeit", "by_hand"]),
            models.CheckConstraint(
                condition=Q(outcome="", decided_at=None) | (~Q(outcome="") & Q(decided_at__isnull=False)),
                name="table_decided_has_time",
            ),
        ]
        indexes = [models.Index(fields=["round"], condition=Q(outcome=""), name="table_open")]

    def __str__(self) -> str:
        return f"table {self.number} of {self.round_id}"


class TableSeat(models.Model):
    """An entrant's place at a table, and what it won there."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    """The entrant's seat, from 0, in the first match of each encounter; in its further matches the seats rotate."""
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="seats")
    points = models.FloatField(null=True, blank=True)
    """What the entrant got for the table, from 0 to 1 (``formats.model.Decided.points``); null while it is open."""
    games = models.FloatField(null=True, blank=True)
    """The sum of the entrant's points of the table's matches; null while the table is open."""

    class Meta:
        ordering = ["table", "index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="table_seat_unique"),
            models.UniqueConstraint(fields=["table", "entrant"], name="entrant_once_at_table"),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of {self.table_id}"


class TableMatch(models.Model):
    """A match of a table. A match that becomes void decides nothing, and another one is played instead."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="matches")
    encounter = models.PositiveSmallIntegerField()
    """The number of its encounter at the table, from 0: all matches of an encounter have one seed."""
    rotation = models.PositiveSmallIntegerField()
    """By how many seats the entrants have moved on since the first match of the encounter, which has 0."""
    attempt = models.PositiveSmallIntegerField(default=0)
    """0 for the first match; the match that is played instead of a void one has the next number."""
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="table_match")

    class Meta:
        ordering = ["table", "encounter", "rotation", "attempt"]
        constraints = [
            models.UniqueConstraint(fields=["table", "encounter", "rotation", "attempt"], name="table_match_unique"),
        ]

    def __str__(self) -> str:
        return f"match {self.encounter}.{self.rotation} of {self.table_id}"
