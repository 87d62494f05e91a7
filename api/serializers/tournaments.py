"""Serializers of tournaments. Stages and rounds count from 1, as in urls."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from django.db import models
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import (
    ComputedNumber,
    ComputedText,
    NumberField,
    OptionalText,
    RowSerializer,
    SentenceField,
    TextField,
)
from contests.selectors.people import organises
from formats.model import DUEL, TABLE_MAX, Format, Outcome, TieBreak
from formats.stages import STAGES_MAX
from tournaments.models import SLUG_LENGTH_MAX, Entrant, Tournament
from tournaments.selectors.entrants import entrants_of
from tournaments.services.transitions import REASON_CHARS_MAX
from tournaments.validation import FIELDS

NUMBER_MAX = 1_000
ROW_MAX = 2**31 - 1


_number = partial(NumberField, most=NUMBER_MAX)


class StageSerializer(serializers.Serializer[Any]):
    """One stage of a tournament. Leave out fields whose description begins with another format than its own."""

    format = serializers.ChoiceField(choices=[(str(each), str(each)) for each in Format])
    rounds = _number("Swiss: how many rounds.")
    groups = _number("Round robin: how many groups.", least=1)
    cycles = _number("Round robin: how often each two meet.", least=1)
    table_size = NumberField("How many bots play at a table.", least=DUEL, most=TABLE_MAX)
    best_of = _number("How many seeds are played at a table.", least=1)
    extra_max = _number("Knockouts: most further seeds after a tie.")
    third_place = serializers.BooleanField(
        required=False, help_text="Single elimination: whether the third place is played for."
    )
    goes_on = _number("How many play the next stage; 0 for the last.")
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[(str(each), str(each)) for each in TieBreak]),
        required=False,
        max_length=len(TieBreak),
        help_text="What decides between equal points, in this order; empty: the usual ones of the format.",
    )


class StageShownSerializer(StageSerializer):
    """One stage of a tournament, with all its fields."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; none is left out in an answer."""
        fields = super().get_fields()
        for field in fields.values():
            field.required = True
        return fields


class EntrantSerializer(RowSerializer[Entrant]):
    """A bot in a tournament."""

    number = serializers.IntegerField(allow_null=True, help_text="Its seed number; null before the draw.")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    version = serializers.IntegerField(source="version.number", help_text="The number after the v.")
    rating = serializers.FloatField(allow_null=True, help_text="Its Elo at the draw.")
    left = serializers.ChoiceField(
        choices=Entrant.Left.choices, allow_blank=True, help_text="Why it plays no more; empty while it plays."
    )
    place = serializers.SerializerMethodField(help_text="Null until the tournament is over, or its results are hidden.")

    class Meta:
        model = Entrant
        fields = ["id", "number", "bot", "name", "owner", "version", "rating", "left", "left_reason", "place"]
        extra_kwargs = {"bot": {"help_text": "Id of the bot."}}

    def get_place(self, entrant: Entrant) -> int | None:
        """Return the entrant's place; None if there is none yet, or the reader may not know it."""
        return entrant.place if self.context.get("knows_all") else None


class TournamentSerializer(RowSerializer[Tournament]):
    """A tournament, as lists show it."""

    contest = serializers.CharField(source="contest_id", help_text="Key of its contest.")
    path = ComputedText(lambda row: f"/{row.contest.place}/tournaments/{row.slug}/", help_text="Of its page.")
    reason = SentenceField(help_text="Why it is paused.")

    class Meta:
        model = Tournament
        fields = [
            *("slug", "title", "path", "contest", "state", "reason", "prizes", "entry", "entrants_max"),
            *("entries_until", "starts_at", "results", "drawn_at", "started_at", "finished_at", "released_at"),
        ]
        extra_kwargs = {
            "slug": {"help_text": "Its key, as in URLs."},
            "entry": {"help_text": "How bots get in: owners enter them, the best of the board, or a list."},
            "entrants_max": {"help_text": "Most entrants; null: no limit of its own."},
            "entries_until": {"help_text": "Null: until the draw."},
            "starts_at": {"help_text": "When it starts by itself; null: an organiser starts it."},
            "results": {"help_text": "When results are told to others than organisers."},
        }


class WholeTournamentSerializer(TournamentSerializer):
    """A tournament with its stages and entrants."""

    stages = StageShownSerializer(source="stages_read", many=True)
    entrants = serializers.SerializerMethodField(help_text="By seed number; before the draw in the order of entry.")

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "description", "stages", "entrants"]
        extra_kwargs = {**TournamentSerializer.Meta.extra_kwargs, "description": {"help_text": "In Markdown."}}

    @extend_schema_field(EntrantSerializer(many=True))
    def get_entrants(self, tournament: Tournament) -> Any:
        """Return its entrants."""
        reader = self.context["reader"]
        knows_all = not tournament.is_hidden or organises(reader=reader, contest=tournament.contest)
        entrants = entrants_of(tournament=tournament)
        return EntrantSerializer(entrants, many=True, context={"knows_all": knows_all}).data


class TournamentFieldsSerializer(serializers.ModelSerializer[Tournament]):
    """The fields of a tournament that organisers set. Fields that are left out stay as they are."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: TextField,
        models.TextField: TextField,
    }
    stages = serializers.ListField(required=False, child=StageSerializer(), max_length=STAGES_MAX)

    class Meta:
        model = Tournament
        fields = FIELDS
        extra_kwargs: ClassVar[dict[str, dict[str, Any]]] = {
            "title": {"required": False},
            "description": {"help_text": "In Markdown."},
            "entrants_max": {"min_value": DUEL, "max_value": NUMBER_MAX},
        }


class TournamentStartSerializer(TournamentFieldsSerializer):
    """A new tournament."""

    slug = TextField(max_length=SLUG_LENGTH_MAX, help_text="Its key in URLs. It never changes.")

    class Meta(TournamentFieldsSerializer.Meta):
        fields = ("slug", *FIELDS)
        extra_kwargs = {**TournamentFieldsSerializer.Meta.extra_kwargs, "title": {"required": True}}


class ActSerializer(serializers.Serializer[Any]):
    """What an organiser does with a tournament, such as to draw or to start it."""

    act = serializers.ChoiceField(
        choices=["open", "draw", "take_back", "start", "pause", "resume", "release_round", "release"],
        help_text="`take_back`: take the draw back. `release_round`: tell the results of `round`.",
    )
    reason = OptionalText(max_length=REASON_CHARS_MAX, help_text="`pause` needs one.")
    stage = serializers.IntegerField(required=False, min_value=1, max_value=STAGES_MAX, default=1)
    round = _number(
        "`release_round` needs it, with its stage: sent again, it releases no other round.", least=1, default=None
    )


class TournamentEnterSerializer(serializers.Serializer[Any]):
    """A bot to enter."""

    bot = serializers.IntegerField(min_value=1, max_value=ROW_MAX, help_text="Id of the bot.")


class LeaveSerializer(serializers.Serializer[Any]):
    """Why an entrant plays no more."""

    left = serializers.ChoiceField(choices=Entrant.Left.choices, help_text="Owners can but withdraw.")
    reason = OptionalText(max_length=REASON_CHARS_MAX)


class DecideSerializer(serializers.Serializer[Any]):
    """How an organiser decides a table."""

    points = serializers.ListField(
        child=serializers.FloatField(min_value=0, max_value=1),
        max_length=TABLE_MAX,
        help_text="Of each entrant, in the order of the table's seats.",
    )
    reason = TextField(max_length=REASON_CHARS_MAX, help_text="For everybody to read.")


class TableSeatSerializer(serializers.Serializer[Any]):
    """An entrant at a table."""

    number = serializers.IntegerField(source="entrant.number", help_text="Its seed number.")
    points = serializers.FloatField(allow_null=True, help_text="Null while the table is open or hidden.")
    games = serializers.FloatField(allow_null=True, help_text="Points of its matches at this table.")


class TableSerializer(serializers.Serializer[Any]):
    """A table of a round: entrants that meet there, and how it was decided."""

    id = serializers.IntegerField(source="row.pk")
    number = serializers.IntegerField(source="row.number")
    group = serializers.CharField(source="row.group")
    why = SentenceField(help_text="Why these meet.")
    seats = TableSeatSerializer(source="row.seats.all", many=True)
    matches = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of its matches; empty while they are hidden."
    )
    outcome = serializers.ChoiceField(
        source="row.outcome",
        choices=[(str(each), str(each)) for each in Outcome],
        allow_blank=True,
        help_text="How it was decided; empty while it is open or hidden.",
    )
    winner = serializers.IntegerField(source="row.winner", help_text="Knockouts: seed number of who goes on; else 0.")
    reason = serializers.CharField(source="row.reason", help_text="Why it was decided by hand.")
    decided_at = serializers.DateTimeField(source="row.decided_at", allow_null=True)


class RoundSerializer(serializers.Serializer[Any]):
    """A round with its tables."""

    stage = ComputedNumber(lambda shown: shown.row.stage + 1, help_text="From 1.")
    number = serializers.IntegerField(source="row.number", help_text="From 1 within the stage.")
    is_told = serializers.BooleanField(help_text="Whether the caller may know its results.")
    drawn_at = serializers.DateTimeField(source="row.drawn_at")
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)
    tables = TableSerializer(many=True)


class StageQuery(serializers.Serializer[Any]):
    """The stage of a tournament that is asked for."""

    stage = NumberField("From 1; left out: the newest.", least=1, most=STAGES_MAX, default=None)


class TrfQuery(StageQuery):
    """The stage of a tournament that is asked for, and one of its groups."""

    group = OptionalText(max_length=10, help_text="Of a round robin in groups: `A`, `B` ..")


class StandingSerializer(serializers.Serializer[Any]):
    """An entrant's row in the standings of a stage."""

    group = serializers.CharField()
    place = serializers.IntegerField(help_text="From 1 within the group.")
    number = serializers.IntegerField(source="entrant", help_text="Its seed number.")
    points = serializers.FloatField()
    tie_breaks = serializers.ListField(child=serializers.FloatField(), help_text="In the order of the stage's.")
    played = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    games = serializers.FloatField(help_text="Points of its matches.")
    games_played = serializers.IntegerField()
    has_left = serializers.BooleanField()


class StandingsSerializer(serializers.Serializer[Any]):
    """The standings of a stage, by all results that the caller may know."""

    stage = serializers.IntegerField(help_text="From 1.")
    tie_breaks = serializers.ListField(child=serializers.CharField(), help_text="Names of the tie-breaks in use.")
    rows = StandingSerializer(many=True)


class PlaceSerializer(serializers.Serializer[Any]):
    """Where an entrant has come so far."""

    place = serializers.IntegerField(help_text="From 1; equal ones share the better place.")
    number = serializers.IntegerField(source="entrant", help_text="Its seed number.")
    stage = ComputedNumber(lambda place: place.stage + 1, help_text="The last stage that it played, from 1.")
