"""Serializers of workers, queue, hosts, games' settings and audit log, for administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from accounts.models import AuditEntry
from api.serializers.fields import NumberField, OptionalText, RowSerializer, TextField
from common.errors import InputError
from common.times import moment_read
from contests.models import Contest
from contests.services.contests import REASON_CHARS_MAX as GAME_REASON_CHARS_MAX
from fleet.models import Host
from fleet.services.quarantine import HOURS_MAX, SINCE_SECONDS
from jobs.models import Worker
from ladder.models import BotVersion
from matches.selectors.collusion import DAYS_MAX

REASON_CHARS_MAX = 1_000


class WorkerSerializer(RowSerializer[Worker]):
    """A worker: what its heartbeats report, and what administrators have set."""

    languages = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = Worker
        fields = [
            *("id", "name", "host", "state", "reason", "version", "backend", "languages", "cores"),
            *("processes", "processes_wanted", "tables", "busy", "self_test", "canary_ms", "cpu_percent", "load"),
            *("jobs_done", "last_taken_at", "last_ended_at", "started_at", "last_seen_at"),
        ]


class QueueRowSerializer(serializers.Serializer[Any]):
    """The waiting jobs of one game and one class of the queue."""

    game = serializers.CharField()
    line = serializers.CharField(source="queue_class")
    title = serializers.CharField()
    length = serializers.IntegerField()
    oldest_seconds = serializers.FloatField()


class FleetWorkerSerializer(serializers.Serializer[Any]):
    """A worker, and how many matches a minute it plays at present."""

    worker = WorkerSerializer()
    matches_a_minute = serializers.FloatField()


class ProcessTotalsSerializer(serializers.Serializer[Any]):
    """The playing processes of all workers that take work."""

    processes = serializers.IntegerField()
    busy = serializers.IntegerField()
    cores = serializers.IntegerField()
    cores_busy = serializers.FloatField()


class FleetSerializer(serializers.Serializer[Any]):
    """All workers and the queue at one moment."""

    workers = FleetWorkerSerializer(many=True)
    queue = QueueRowSerializer(many=True)
    totals = ProcessTotalsSerializer()
    tables = serializers.IntegerField(help_text="How many tables the workers hold, at which people play against bots.")
    tables_taken = serializers.IntegerField(source="in_flight.taken", help_text="Of these, those that are open.")
    tables_waiting = serializers.IntegerField(
        source="in_flight.waiting", help_text="Exhibitions that wait for a table."
    )
    running = serializers.IntegerField(source="in_flight.running", help_text="Matches that are being played.")
    matches_a_minute = serializers.FloatField()
    wait_seconds = serializers.FloatField(allow_null=True, help_text="How long the last queued job will wait.")


class ReasonSerializer(serializers.Serializer[Any]):
    """The administrator's reason, which the audit log records."""

    reason = OptionalText(max_length=REASON_CHARS_MAX)


class ScaleSerializer(ReasonSerializer):
    """The number of processes in which a worker is to play."""

    processes = serializers.IntegerField(min_value=1, help_text="At most one per core.")


class QuarantineSerializer(serializers.Serializer[Any]):
    """Why a worker is not trusted any more, and since when its reports are not to be trusted."""

    reason = TextField(max_length=REASON_CHARS_MAX, help_text="Shown to everybody at its matches.")
    hours = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=HOURS_MAX,
        default=SINCE_SECONDS / 3_600,
        help_text="Results and builds of this many hours are discarded, and played and built again.",
    )


class QuarantinedSerializer(serializers.Serializer[Any]):
    """What a quarantine has changed."""

    withdrawn = serializers.IntegerField(
        source="handed_on", help_text="Unfinished matches and builds that go to other workers."
    )
    replaced = serializers.IntegerField(source="voided", help_text="Matches that were voided and are played again.")
    rebuilt = serializers.IntegerField(help_text="Versions it has built that are built again.")
    shut_out = serializers.BooleanField(help_text="Whether its host can no longer sign in at the broker.")


class HostSerializer(RowSerializer[Host]):
    """A machine that may play for this arena."""

    class Meta:
        model = Host
        fields = ["id", "name", "is_guest", "state", "invited_at", "expires_at", "joined_at", "revoked_at"]


class InviteSerializer(serializers.Serializer[Any]):
    """A machine to invite to play for this arena."""

    name = TextField(max_length=40, help_text="Small letters, digits and dashes.")
    is_guest = serializers.BooleanField(
        default=False, help_text="Whether it belongs to somebody else: it gets no jobs of private contests."
    )


class InvitationSerializer(serializers.Serializer[Any]):
    """The token by which a machine joins."""

    token = serializers.CharField(help_text="Shown this once, good for one use within a day.")
    command = serializers.CharField(help_text="The command to type on the machine.")


class GameStateSerializer(serializers.Serializer[Any]):
    """The state that a game or contest is to have; one to which it cannot change from its present state is refused."""

    state = serializers.ChoiceField(choices=Contest.State.choices)
    reason = OptionalText(
        max_length=GAME_REASON_CHARS_MAX, help_text="Shown to everybody at the game while it is not open."
    )


class MomentField(serializers.DateTimeField):
    """A time, read as pages and commands read it (``moment_read``): a date without a time of day is refused."""

    def to_internal_value(self, value: object) -> datetime:
        """Return the time that was sent.

        Raises:
            ValidationError: the text is no time, or a date alone.
        """
        try:
            return moment_read(str(value))
        except InputError as error:
            raise serializers.ValidationError(str(error)) from error


class GameDeadlineSerializer(serializers.Serializer[Any]):
    """Until when a game or contest takes bots."""

    until = MomentField(allow_null=True, help_text="The first moment that is too late; null: no end.")


class GameLimitsSerializer(serializers.Serializer[Any]):
    """Limits on the resources that each bot of a game or contest may use."""

    limits = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=10**9),
        help_text="By name, as the game shows them; a missing one has the installation's default.",
    )


class AuditEntrySerializer(RowSerializer[AuditEntry]):
    """One action of an administrator or organiser, or of the site itself, in the audit log."""

    class Meta:
        model = AuditEntry
        fields = ["id", "actor_name", "act", "target", "reason", "at"]


class SuspicionSerializer(serializers.Serializer[Any]):
    """Two bots whose results against each other differ improbably from what their versions' ratings predict."""

    one = serializers.IntegerField(source="one.pk", help_text="The bot that did better than expected.")
    one_name = serializers.CharField(source="one.name")
    one_owner = serializers.CharField(source="one.owner.username")
    other = serializers.IntegerField(source="other.pk")
    other_name = serializers.CharField(source="other.name")
    other_owner = serializers.CharField(source="other.owner.username")
    games = serializers.IntegerField()
    score = serializers.FloatField(help_text="Points of `one`; a draw is half a point.")
    expected = serializers.FloatField()
    p_value = serializers.FloatField()
    q_value = serializers.FloatField()


class CollusionSerializer(serializers.Serializer[Any]):
    """The pairs of bots of a game that may collude."""

    game = serializers.CharField(source="contest", help_text="Key of the contest.")
    pairs = serializers.IntegerField(help_text="How many pairs were examined.")
    suspicions = SuspicionSerializer(many=True, help_text="The most improbable first.")


class SharedVersionSerializer(RowSerializer[BotVersion]):
    """One of the versions that share a program."""

    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    is_house = serializers.BooleanField(source="bot.is_house")

    class Meta:
        model = BotVersion
        fields = ["id", "bot", "name", "owner", "is_house", "number", "created_at"]


class SharedProgramSerializer(serializers.Serializer[Any]):
    """A program that bots of several owners play with."""

    digest = serializers.CharField(help_text="SHA-256 of the upload, or of the built bot, that they share.")
    versions = SharedVersionSerializer(many=True, help_text="The oldest first.")


class CollusionQuery(serializers.Serializer[Any]):
    """How far back matches are examined."""

    days = NumberField("Missing: all time.", least=1, most=DAYS_MAX)
