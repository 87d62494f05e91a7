"""Serializers of matches, their seats and turns, of challenges and private tests."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import (
    TEAM_HELP,
    ComputedFlag,
    ComputedRows,
    ComputedText,
    KeyField,
    OfContestSerializer,
    RowSerializer,
    SentenceField,
    TextField,
)
from contests.models import SLUG_LENGTH_MAX
from matches.encounters import SEEDS
from matches.models import Match, RemoteSeat, Seat, Trial
from matches.selectors import matches as selectors
from matches.selectors.changes import match_changes
from matches.selectors.filters import ANY_FAULT, KINDS_LISTED
from matches.selectors.trials import FAULTS_SHOWN, trial_faults
from matches.services.reruns import rerun_problem
from matches.verdicts import VERDICTS
from rating.paired import State


class SeatSerializer(RowSerializer[Seat]):
    """A version's place in a match, and how it ended there."""

    bot = serializers.IntegerField(source="version.bot_id")
    name = serializers.CharField(source="version.bot.name")
    version = serializers.IntegerField(source="version_id")
    number = serializers.IntegerField(source="version.number", help_text="Of the version: 7 for v7.")

    class Meta:
        model = Seat
        fields = ["index", "bot", "name", "version", "number", "rank", "score", "verdict"]


class WholeSeatSerializer(SeatSerializer):
    """A seat with all fields that a match's page shows."""

    owner = serializers.CharField(source="version.bot.owner.username")
    team = serializers.CharField(source="version.bot.team.name", allow_null=True, help_text=TEAM_HELP)

    class Meta(SeatSerializer.Meta):
        fields = [*SeatSerializer.Meta.fields, "owner", "team", "cpu_ms_total", "cpu_ms_worst"]
        extra_kwargs = {"cpu_ms_worst": {"help_text": "CPU time of the turn that came nearest to its limit."}}


class RemoteSeatSerializer(RowSerializer[RemoteSeat]):
    """A seat of a match that a person or a program elsewhere plays, no bot of this arena, and how it ended there."""

    class Meta:
        model = RemoteSeat
        fields = ["index", "name", "rank", "score", "verdict"]


class MatchSerializer(RowSerializer[Match]):
    """A match with the fields that lists show."""

    contest = serializers.CharField(source="contest_id")
    seats = SeatSerializer(many=True)
    seed = serializers.IntegerField(
        source="seed_told",
        allow_null=True,
        min_value=0,
        max_value=SEEDS - 1,
        help_text="Below 2**53, so that JavaScript represents it exactly. Null: a table that is still played.",
    )

    class Meta:
        model = Match
        fields = [
            *("id", "kind", "contest", "game", "rules_version", "seed", "encounter", "state"),
            *("created_at", "started_at", "finished_at", "seats"),
        ]


class EvidenceSerializer(serializers.Serializer[Any]):
    """What is known about a fault; empty unless the caller owns the bot."""

    verdict = serializers.CharField(required=False)
    sentence = serializers.CharField(required=False)
    turn = serializers.IntegerField(required=False)
    exit_code = serializers.IntegerField(required=False, allow_null=True)
    signal = serializers.IntegerField(required=False, allow_null=True)
    last_input = serializers.CharField(required=False, help_text="The last input that the bot got.")
    last_output = serializers.CharField(required=False, help_text="The bot's answer to it.")
    stderr = serializers.CharField(required=False, help_text="The end of the bot's standard error.")
    cpu_ms = serializers.FloatField(required=False, help_text="Since the last input.")
    wall_ms = serializers.FloatField(required=False, help_text="Since the last input.")
    memory_peak_mib = serializers.FloatField(required=False, help_text="Since the bot's start.")


@extend_schema_field(EvidenceSerializer)
class EvidenceField(serializers.DictField):
    """Evidence as the database stores it, with the schema of ``EvidenceSerializer``."""


class OwnSeatSerializer(serializers.Serializer[Any]):
    """What only the owner of a bot may read about its fault."""

    index = serializers.IntegerField(source="seat.index")
    evidence = EvidenceField(help_text="Of the seat's fault; empty unless the caller owns the bot.")
    advice = serializers.CharField(help_text="What the owner may do about the fault.")


class ChangeSerializer(serializers.Serializer[Any]):
    """How a match changed the rating of a seat's bot."""

    index = serializers.IntegerField()
    rating = serializers.FloatField(help_text="Before the match, Elo points.")
    change = serializers.FloatField(allow_null=True, help_text="Estimated change by the match; null: not known yet.")


class AttemptSerializer(serializers.Serializer[Any]):
    """One time that a match was handed to a worker."""

    number = serializers.IntegerField()
    worker = serializers.CharField()
    queued_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = serializers.CharField(help_text="Empty while it runs.")
    reason = SentenceField(help_text="Why it ended so; empty where `ending` says enough.")


class WholeMatchSerializer(MatchSerializer):
    """A match with all fields that its page shows."""

    seats = WholeSeatSerializer(many=True)
    players = ComputedRows(
        lambda match: match.remote_seats.all() if match.kind == Match.Kind.EXHIBITION else (),
        child=RemoteSeatSerializer(),
        help_text="At the other seats of a table; else empty.",
    )
    void_reason = SentenceField(help_text="Why it does not count.")
    turns = serializers.IntegerField(source="result.turns", allow_null=True, help_text="Null: it has no result.")
    replay_digest = serializers.CharField(
        source="result.replay_digest", allow_null=True, help_text="SHA-256; empty: not kept."
    )
    original = serializers.IntegerField(source="original_id", allow_null=True)
    reruns: serializers.PrimaryKeyRelatedField[Match] = serializers.PrimaryKeyRelatedField(many=True, read_only=True)
    replaces = serializers.IntegerField(source="replaces_id", allow_null=True, help_text="Void match it replaces.")
    replaced_by = serializers.IntegerField(source="replaced_by.pk", allow_null=True, help_text="Match played instead.")
    attempts = AttemptSerializer(many=True)
    faults = serializers.SerializerMethodField()
    changes = ComputedRows(
        lambda match: [{"index": index, **asdict(change)} for index, change in match_changes(match=match).items()],
        child=ChangeSerializer(),
        help_text="Of seats that were rated before, if the match counts.",
    )
    has_log = serializers.SerializerMethodField(help_text="Whether there is a log of turns of your own bots.")
    rerun_same = ComputedFlag(
        lambda match: selectors.rerun_is_same(match=match),
        allow_null=True,
        help_text="Of a re-run: did it come out the same?",
    )
    rerun_problem = ComputedText(
        lambda match: rerun_problem(match=match), help_text="Why it cannot be re-run; empty: it can."
    )

    class Meta(MatchSerializer.Meta):
        fields = [
            *(*MatchSerializer.Meta.fields, "players", "options", "void_reason", "turns", "replay_digest"),
            *("original", "reruns", "replaces", "replaced_by", "attempts"),
            *("faults", "changes", "has_log", "rerun_same", "rerun_problem"),
        ]

    @extend_schema_field(OwnSeatSerializer(many=True))
    def get_faults(self, match: Match) -> Any:
        """Return evidence and advice for each seat with a fault, as far as the reader may see them."""
        seats = selectors.seats_for_reader(match=match, reader=self.context["reader"])
        return OwnSeatSerializer(seats, many=True).data

    def get_has_log(self, match: Match) -> bool:
        """Return True when there is a turn log of the reader's own bots."""
        return selectors.has_log(match=match, reader=self.context["reader"])


class MatchQuery(OfContestSerializer):
    """Filters of a list of matches."""

    contest_required = False
    contest = TextField(required=False, max_length=SLUG_LENGTH_MAX, help_text="Key of a contest.")
    bot = TextField(required=False, max_length=40, help_text="Part of a bot's name.")
    bot_id = KeyField(help_text="Id of a bot.")
    version = KeyField(help_text="Id of a version, the field `version` of a seat.")
    against = KeyField(help_text="Id of a bot that played against the one chosen by the other filters.")
    trial = KeyField(help_text="Id of a private test of yours; send `kind=trial`, too.")
    owner = TextField(required=False, max_length=150, help_text="Name of the bot's owner.")
    language = TextField(required=False, max_length=20, help_text="The bot's language.")
    fault = serializers.ChoiceField(
        required=False, choices=[ANY_FAULT, *VERDICTS], help_text="The fault for which the bot was put last."
    )
    kind = serializers.ChoiceField(
        required=False,
        choices=KINDS_LISTED,
        help_text="Missing: rated ones. Of private tests, only your own; of tournaments, only those that are released.",
    )
    state = serializers.ChoiceField(required=False, choices=Match.State.choices)
    since = serializers.DateTimeField(required=False, help_text="Paired at this time or later.")
    until = serializers.DateTimeField(required=False, help_text="Paired before this time.")


class TurnSerializer(serializers.Serializer[Any]):
    """Input, answer and standard error of the caller's own bot in one turn."""

    seat = serializers.IntegerField()
    turn = serializers.IntegerField()
    asked = serializers.CharField()
    answered = serializers.CharField()
    stderr = serializers.CharField()
    cpu_ms = serializers.FloatField()
    wall_ms = serializers.FloatField()
    waited_ms = serializers.FloatField(
        help_text="The part of the wall time in which it was ready to run, but other programs used the cores."
    )
    fault = serializers.CharField(help_text="The verdict, in its last turn.")


class TrialResultSerializer(serializers.Serializer[Any]):
    """Result of a private test so far; empty before its first pair. A pair is one seed played from both seats."""

    state = serializers.ChoiceField(choices=[state.value for state in State], required=False)
    pairs = serializers.IntegerField(required=False)
    counts = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="How many pairs gave the candidate 0, 0.25, 0.5, 0.75 and all of the points.",
    )
    elo = serializers.FloatField(required=False, help_text="The candidate's rating minus the reference's.")
    elo_low = serializers.FloatField(required=False, help_text="Lower end of the interval.")
    elo_high = serializers.FloatField(required=False, help_text="Upper end of the interval.")
    llr_better = serializers.FloatField(required=False, help_text="Evidence for “better”, decided at `bound`.")
    llr_worse = serializers.FloatField(required=False, help_text="Evidence for “worse”, decided at `bound`.")
    bound = serializers.FloatField(required=False)


@extend_schema_field(TrialResultSerializer)
class TrialResultField(serializers.DictField):
    """A test's result as the database stores it, with the schema of ``TrialResultSerializer``."""


class TrialSerializer(RowSerializer[Trial]):
    """A private test: is the candidate better than the reference?"""

    contest = serializers.CharField(source="candidate.bot.contest_id")
    candidate = serializers.IntegerField(source="candidate_id")
    reference = serializers.IntegerField(source="reference_id")
    result = TrialResultField(help_text="The result so far; empty before the first pair.")
    reason = SentenceField(help_text="Why it was stopped, in a sentence.")

    class Meta:
        model = Trial
        fields = [
            *("id", "contest", "game", "candidate", "reference", "games_max", "state", "result", "reason"),
            *("created_at", "ended_at"),
        ]


class TrialFaultSerializer(serializers.Serializer[Any]):
    """A match of a private test in which a version was put last for a fault."""

    match = serializers.IntegerField(source="match_id")
    version = serializers.IntegerField(source="version_id")
    verdict = serializers.CharField()


class TrialFaultsSerializer(serializers.Serializer[Any]):
    """The faults of both versions of a private test."""

    candidate = serializers.IntegerField(help_text="How many.")
    reference = serializers.IntegerField(help_text="How many.")
    newest = TrialFaultSerializer(many=True, help_text=f"The {FAULTS_SHOWN} newest. All: matches by `trial`, `fault`.")


class WholeTrialSerializer(TrialSerializer):
    """A private test with the faults of its bots as well, as its page shows them."""

    faults = serializers.SerializerMethodField()

    class Meta(TrialSerializer.Meta):
        fields = [*TrialSerializer.Meta.fields, "faults"]

    @extend_schema_field(TrialFaultsSerializer)
    def get_faults(self, trial: Trial) -> Any:
        """Return the numbers of faults of both versions, and the newest faults."""
        return TrialFaultsSerializer(trial_faults(trial=trial)).data


class ChallengeSerializer(serializers.Serializer[Any]):
    """Which bot of the caller plays the challenge."""

    bot = serializers.IntegerField(min_value=1, help_text="Id of the bot of yours that plays.")


class TrialStartSerializer(serializers.Serializer[Any]):
    """The two versions of a new private test."""

    candidate = serializers.IntegerField(min_value=1, help_text="Id of the version that may be better.")
    reference = serializers.IntegerField(min_value=1, help_text="Id of the version that it is compared with.")
