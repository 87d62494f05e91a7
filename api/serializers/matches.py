"""Matches, their seats and turns; challenges and private tests."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.ladder import Told
from api.serializers.rows import RowSerializer
from common.text import ROW_NUMBER_MAX
from ladder.selectors.games import games_all
from matches.encounters import SEEDS
from matches.models import Match, Seat, Trial
from matches.selectors import matches as selectors
from matches.selectors.changes import match_changes
from matches.selectors.filters import ANY_FAULT
from matches.selectors.trials import FAULTS_SHOWN, trial_faults
from matches.services.reruns import rerun_problem
from matches.verdicts import VERDICTS
from rating.paired import State


class SeatSerializer(RowSerializer[Seat]):
    """A version's place in a match, and how it ended there."""

    bot = serializers.IntegerField(source="version.bot_id")
    name = serializers.CharField(source="version.bot.name")
    version = serializers.IntegerField(source="version_id")
    number = serializers.IntegerField(source="version.number", help_text="Of the version among those of its bot.")

    class Meta:
        model = Seat
        fields = ["index", "bot", "name", "version", "number", "rank", "score", "verdict"]


class WholeSeatSerializer(SeatSerializer):
    """A seat with all that a match's page shows of it."""

    owner = serializers.CharField(source="version.bot.owner.username")

    class Meta(SeatSerializer.Meta):
        fields = [*SeatSerializer.Meta.fields, "owner", "cpu_ms_total", "cpu_ms_worst"]
        extra_kwargs = {"cpu_ms_worst": {"help_text": "Of the turn that came nearest to its limit."}}


class MatchSerializer(RowSerializer[Match]):
    """A match as lists show it."""

    seats = SeatSerializer(many=True)
    seed = serializers.IntegerField(
        min_value=0, max_value=SEEDS - 1, help_text="Below 2**53: a number of every language, JavaScript's too."
    )

    class Meta:
        model = Match
        fields = [
            *("id", "kind", "game", "rules_version", "seed", "encounter", "state"),
            *("created_at", "started_at", "finished_at", "seats"),
        ]


class EvidenceSerializer(serializers.Serializer[Any]):
    """What is known of a fault; without fields for others than the bot's owner."""

    verdict = serializers.CharField(required=False)
    sentence = serializers.CharField(required=False)
    turn = serializers.IntegerField(required=False)
    exit_code = serializers.IntegerField(required=False, allow_null=True)
    signal = serializers.IntegerField(required=False, allow_null=True)
    last_input = serializers.CharField(required=False, help_text="What it was asked last.")
    last_output = serializers.CharField(required=False, help_text="What it answered to that.")
    stderr = serializers.CharField(required=False, help_text="Its end.")
    cpu_ms = serializers.FloatField(required=False, help_text="Since the question.")
    wall_ms = serializers.FloatField(required=False, help_text="Since the question.")
    memory_peak_mib = serializers.FloatField(required=False, help_text="Since its start.")


@extend_schema_field(EvidenceSerializer)
class EvidenceField(serializers.DictField):
    """Evidence as it is stored, described."""


class OwnSeatSerializer(serializers.Serializer[Any]):
    """What the owner of a faulty bot alone may know."""

    index = serializers.IntegerField(source="seat.index")
    evidence = EvidenceField(help_text="Of the seat's fault; empty for others than the bot's owner.")
    advice = serializers.CharField(help_text="What the owner may do about the fault.")


class ChangeSerializer(serializers.Serializer[Any]):
    """What a match has done to the rating of a seat's bot."""

    index = serializers.IntegerField()
    rating = serializers.FloatField(help_text="Before the match, Elo points.")
    change = serializers.FloatField(allow_null=True, help_text="By the match, about; null: it is not known yet.")


class AttemptSerializer(serializers.Serializer[Any]):
    """One time that a match was handed to a worker."""

    number = serializers.IntegerField()
    worker = serializers.CharField()
    queued_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = serializers.CharField(help_text="Empty while it runs.")
    reason = Told(help_text="Why it ended so, where that has to be said.")


class WholeMatchSerializer(MatchSerializer):
    """A match with all that its page shows."""

    seats = WholeSeatSerializer(many=True)
    void_reason = Told(help_text="Why it does not count.")
    turns = serializers.IntegerField(source="result.turns", allow_null=True, help_text="Null: it has no result.")
    replay_digest = serializers.CharField(source="result.replay_digest", allow_null=True, help_text="SHA-256.")
    original = serializers.IntegerField(source="original_id", allow_null=True)
    reruns: serializers.PrimaryKeyRelatedField[Match] = serializers.PrimaryKeyRelatedField(many=True, read_only=True)
    replaces = serializers.IntegerField(source="replaces_id", allow_null=True, help_text="It was taken out for this.")
    replaced_by = serializers.IntegerField(source="replaced_by.pk", allow_null=True, help_text="Played instead of it.")
    attempts = AttemptSerializer(many=True)
    faults = serializers.SerializerMethodField()
    changes = serializers.SerializerMethodField(help_text="Of seats that were rated before, if the match counts.")
    has_log = serializers.SerializerMethodField(help_text="Whether there is a log of turns of your own bots.")
    rerun_same = serializers.SerializerMethodField(help_text="Of a re-run: did it come out the same?")
    rerun_problem = serializers.SerializerMethodField(help_text="Why it cannot be re-run; empty: it can.")

    class Meta(MatchSerializer.Meta):
        fields = [
            *(*MatchSerializer.Meta.fields, "options", "void_reason", "turns", "replay_digest"),
            *("original", "reruns", "replaces", "replaced_by", "attempts"),
            *("faults", "changes", "has_log", "rerun_same", "rerun_problem"),
        ]

    @extend_schema_field(OwnSeatSerializer(many=True))
    def get_faults(self, match: Match) -> Any:
        """Return of each seat what its owner alone may know."""
        seats = selectors.seats_for_reader(match=match, reader=self.context["reader"])
        return OwnSeatSerializer(seats, many=True).data

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, match: Match) -> Any:
        """Return of each seat that was rated what the match has changed."""
        rows = [{"index": index, **asdict(change)} for index, change in match_changes(match=match).items()]
        return ChangeSerializer(rows, many=True).data

    def get_has_log(self, match: Match) -> bool:
        """Say whether there is a log of turns of the reader's own bots."""
        return selectors.has_log(match=match, reader=self.context["reader"])

    def get_rerun_same(self, match: Match) -> bool | None:
        """Say whether a re-run came out as its original."""
        return selectors.rerun_is_same(match=match)

    def get_rerun_problem(self, match: Match) -> str:
        """Say why it cannot be re-run."""
        return rerun_problem(match=match)


def _key(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(required=False, min_value=1, max_value=ROW_NUMBER_MAX, help_text=help_text)


class MatchQuery(serializers.Serializer[Any]):
    """Which matches."""

    game = serializers.ChoiceField(required=False, choices=[])
    bot = serializers.CharField(required=False, max_length=40, help_text="Part of a bot's name.")
    bot_id = _key("Of a bot, whole and alone.")
    version = _key("Of a version, as `version` of a seat tells it.")
    against = _key("Of a bot that it met.")
    trial = _key("Of a private test of yours; with the kind `trial`.")
    owner = serializers.CharField(required=False, max_length=150, help_text="Of such a bot, by name.")
    language = serializers.CharField(required=False, max_length=20, help_text="Of such a bot.")
    fault = serializers.ChoiceField(
        required=False, choices=[ANY_FAULT, *VERDICTS], help_text="What such a bot was put last for."
    )
    kind = serializers.ChoiceField(
        required=False, choices=Match.Kind.choices, help_text="Rated ones, if left out. Of private tests your own."
    )
    state = serializers.ChoiceField(required=False, choices=Match.State.choices)
    since = serializers.DateTimeField(required=False, help_text="Paired then or later.")
    until = serializers.DateTimeField(required=False, help_text="Paired before that.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, with the games of this arena."""
        fields = super().get_fields()
        fields["game"] = serializers.ChoiceField(required=False, choices=[card.name for card in games_all()])
        return fields


class TurnSerializer(serializers.Serializer[Any]):
    """What one's own bot was asked, answered and wrote in a turn."""

    seat = serializers.IntegerField()
    turn = serializers.IntegerField()
    asked = serializers.CharField()
    answered = serializers.CharField()
    stderr = serializers.CharField()
    cpu_ms = serializers.FloatField()
    wall_ms = serializers.FloatField()
    waited_ms = serializers.FloatField(
        help_text="Of the wall time, how long it was ready to run and other programs of the machine had the cores."
    )
    fault = serializers.CharField(help_text="The verdict, in its last turn.")


class TrialResultSerializer(serializers.Serializer[Any]):
    """What the pairs of a test say; without fields before the first. A pair is one seed played from both seats."""

    state = serializers.ChoiceField(choices=[state.value for state in State], required=False)
    pairs = serializers.IntegerField(required=False)
    counts = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="Of pairs in which the candidate has made 0, 0.25, 0.5, 0.75 and all of the points.",
    )
    elo = serializers.FloatField(required=False, help_text="The candidate's rating less the reference's.")
    elo_low = serializers.FloatField(required=False, help_text="The interval's lower end.")
    elo_high = serializers.FloatField(required=False, help_text="The interval's upper end.")
    llr_better = serializers.FloatField(required=False, help_text="Evidence for “better”, decided at `bound`.")
    llr_worse = serializers.FloatField(required=False, help_text="Evidence for “worse”, decided at `bound`.")
    bound = serializers.FloatField(required=False)


@extend_schema_field(TrialResultSerializer)
class TrialResultField(serializers.DictField):
    """A result as it is stored, described."""


class TrialSerializer(RowSerializer[Trial]):
    """A private test: is the candidate better than the reference?"""

    candidate = serializers.IntegerField(source="candidate_id")
    reference = serializers.IntegerField(source="reference_id")
    result = TrialResultField(help_text="What the pairs said last; empty before the first.")
    reason = Told(help_text="Why it was stopped, in a sentence.")

    class Meta:
        model = Trial
        fields = [
            *("id", "game", "candidate", "reference", "games_max", "state", "result", "reason"),
            *("created_at", "ended_at"),
        ]


class TrialFaultSerializer(serializers.Serializer[Any]):
    """A match of a test in which a version was put last for a fault."""

    match = serializers.IntegerField(source="match_id")
    version = serializers.IntegerField(source="version_id")
    verdict = serializers.CharField()


class TrialFaultsSerializer(serializers.Serializer[Any]):
    """The faults of both versions of a test."""

    candidate = serializers.IntegerField(help_text="How many.")
    reference = serializers.IntegerField(help_text="How many.")
    newest = TrialFaultSerializer(many=True, help_text=f"The {FAULTS_SHOWN} newest. All: matches by `trial`, `fault`.")


class WholeTrialSerializer(TrialSerializer):
    """A private test with all that its page shows."""

    faults = serializers.SerializerMethodField()

    class Meta(TrialSerializer.Meta):
        fields = [*TrialSerializer.Meta.fields, "faults"]

    @extend_schema_field(TrialFaultsSerializer)
    def get_faults(self, trial: Trial) -> Any:
        """Return the faults of both versions."""
        return TrialFaultsSerializer(trial_faults(trial=trial)).data


class ChallengeSerializer(serializers.Serializer[Any]):
    """A bot to be challenged."""

    bot = serializers.IntegerField(min_value=1, help_text="Yours that plays against it.")


class TrialStartSerializer(serializers.Serializer[Any]):
    """A private test to be begun."""

    candidate = serializers.IntegerField(min_value=1, help_text="Is this version of yours")
    reference = serializers.IntegerField(min_value=1, help_text="better than this one?")
