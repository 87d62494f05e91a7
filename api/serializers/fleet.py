"""Workers, the queue, hosts, the audit log: for administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from accounts.models import AuditEntry
from api.serializers.rows import RowSerializer
from common.errors import InputError
from common.times import moment_read
from fleet.models import Host
from fleet.services.quarantine import HOURS_MAX, SINCE_SECONDS
from jobs.models import Worker
from ladder.models import BotVersion, GameSetting
from ladder.selectors.games import LIMIT_DIGITS_MAX
from ladder.services.games import REASON_CHARS_MAX as GAME_REASON_CHARS_MAX
from matches.selectors.collusion import DAYS_MAX

REASON_CHARS_MAX = 1_000


class WorkerSerializer(RowSerializer[Worker]):
    """A worker, as its own beats describe it and as administrators want it."""

    languages = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = Worker
        fields = [
            *("id", "name", "host", "state", "reason", "version", "backend", "languages", "cores"),
            *("processes", "processes_wanted", "busy", "self_test", "canary_ms", "cpu_percent", "load"),
            *("jobs_done", "last_taken_at", "last_ended_at", "started_at", "last_seen_at"),
        ]


class QueueRowSerializer(serializers.Serializer[Any]):
    """What waits of one game and line."""

    game = serializers.CharField()
    line = serializers.CharField()
    title = serializers.CharField()
    length = serializers.IntegerField()
    oldest_seconds = serializers.FloatField()


class FleetWorkerSerializer(serializers.Serializer[Any]):
    """A worker and what it does now."""

    worker = WorkerSerializer()
    matches_a_minute = serializers.FloatField()


class ProcessTotalsSerializer(serializers.Serializer[Any]):
    """The playing processes of all workers that take work."""

    processes = serializers.IntegerField()
    busy = serializers.IntegerField()
    cores = serializers.IntegerField()
    cores_busy = serializers.FloatField()


class FleetSerializer(serializers.Serializer[Any]):
    """The whole fleet at one moment."""

    workers = FleetWorkerSerializer(many=True)
    queue = QueueRowSerializer(many=True)
    totals = ProcessTotalsSerializer()
    running = serializers.IntegerField(help_text="Matches that are being played.")
    matches_a_minute = serializers.FloatField()
    wait_seconds = serializers.FloatField(allow_null=True, help_text="What is queued now waits so long.")


class ReasonSerializer(serializers.Serializer[Any]):
    """Why an administrator does something; it stands in the audit log."""

    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=REASON_CHARS_MAX)


class ScaleSerializer(ReasonSerializer):
    """How many processes are wanted."""

    processes = serializers.IntegerField(min_value=1, help_text="At most one a core.")


class QuarantineSerializer(serializers.Serializer[Any]):
    """Why a worker is not trusted any more, and since when."""

    reason = serializers.CharField(max_length=REASON_CHARS_MAX, help_text="Everybody reads it at its matches.")
    hours = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=HOURS_MAX,
        default=SINCE_SECONDS / 3_600,
        help_text="So far back its results are taken out and played again, and its builds made again.",
    )


class QuarantinedSerializer(serializers.Serializer[Any]):
    """What a quarantine has done."""

    withdrawn = serializers.IntegerField(help_text="Matches and builds that were given to others.")
    replaced = serializers.IntegerField(help_text="Results that were taken out and are played again.")
    rebuilt = serializers.IntegerField(help_text="Versions it has built that are built again.")
    shut_out = serializers.BooleanField(help_text="Whether its host lost the broker.")


class HostSerializer(RowSerializer[Host]):
    """A machine that may play for this arena."""

    class Meta:
        model = Host
        fields = ["id", "name", "state", "invited_at", "expires_at", "joined_at", "revoked_at"]


class InviteSerializer(serializers.Serializer[Any]):
    """A machine to be invited."""

    name = serializers.CharField(max_length=40, help_text="Small letters, digits and dashes.")


class InvitationSerializer(serializers.Serializer[Any]):
    """An invitation."""

    token = serializers.CharField(help_text="Shown this once, good for one use within a day.")
    command = serializers.CharField(help_text="What is to be typed on the machine.")


class GameStateSerializer(serializers.Serializer[Any]):
    """How a game is to be run."""

    state = serializers.ChoiceField(choices=GameSetting.State.choices)
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=GAME_REASON_CHARS_MAX,
        help_text="Everybody reads it at the game while it is not open.",
    )


class MomentField(serializers.DateTimeField):
    """A time as pages and commands read it, too: a day alone is refused, and not taken for its first moment."""

    def to_internal_value(self, value: object) -> datetime:
        """Read what was sent."""
        try:
            return moment_read(str(value))
        except InputError as error:
            raise serializers.ValidationError(str(error)) from error


class GameDeadlineSerializer(serializers.Serializer[Any]):
    """Until when a game takes bots."""

    until = MomentField(allow_null=True, help_text="The first moment that is too late; null: for ever.")


class GameLimitsSerializer(serializers.Serializer[Any]):
    """Limits of a game's bots."""

    limits = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=10**LIMIT_DIGITS_MAX),
        help_text="By name, as the game shows them; what is left out is as the installation has it.",
    )


class AuditEntrySerializer(RowSerializer[AuditEntry]):
    """One act of an administrator."""

    class Meta:
        model = AuditEntry
        fields = ["id", "actor_name", "act", "target", "reason", "at"]


class SuspicionSerializer(serializers.Serializer[Any]):
    """Two bots whose results differ improbably from the ratings of the versions that played."""

    one = serializers.IntegerField(source="one.pk", help_text="The bot that did better than expected.")
    one_name = serializers.CharField(source="one.name")
    one_owner = serializers.CharField(source="one.owner.username")
    other = serializers.IntegerField(source="other.pk")
    other_name = serializers.CharField(source="other.name")
    other_owner = serializers.CharField(source="other.owner.username")
    games = serializers.IntegerField()
    score = serializers.FloatField(help_text="Of `one`; a draw is half.")
    expected = serializers.FloatField()
    p_value = serializers.FloatField()
    q_value = serializers.FloatField()


class CollusionSerializer(serializers.Serializer[Any]):
    """What is improbable in a game."""

    game = serializers.CharField()
    pairs = serializers.IntegerField(help_text="How many were looked at.")
    suspicions = SuspicionSerializer(many=True, help_text="The most improbable first.")


class SharedVersionSerializer(RowSerializer[BotVersion]):
    """A version of a program that several owners have."""

    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    is_house = serializers.BooleanField(source="bot.is_house")

    class Meta:
        model = BotVersion
        fields = ["id", "bot", "name", "owner", "is_house", "number", "created_at"]


class SharedProgramSerializer(serializers.Serializer[Any]):
    """A program that bots of several owners play with."""

    digest = serializers.CharField(help_text="Of the upload, or of what was built of it: what they have in common.")
    versions = SharedVersionSerializer(many=True, help_text="The oldest first.")


class CollusionQuery(serializers.Serializer[Any]):
    """How far back."""

    days = serializers.IntegerField(required=False, min_value=1, max_value=DAYS_MAX, help_text="Missing: all time.")
