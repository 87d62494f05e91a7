"""Serializers of contests."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import ComputedDict, ComputedRows, ComputedText, LimitsField, RowSerializer, TextField
from contests.models import Contest
from contests.selectors.contests import tables_of
from contests.selectors.people import member_of
from ladder.selectors.honours import contest_podium
from matches.selectors.finals import final_progress


class ContestSerializer(RowSerializer[Contest]):
    """A contest, as lists show it."""

    title = serializers.CharField(
        source="__str__", help_text="In the caller's language, for the open contest of a game."
    )
    path = ComputedText(lambda contest: f"/{contest.place}/", help_text="Of its page; files of it are below.")
    is_open_contest = serializers.BooleanField(help_text="Whether it is the open contest of its game.")

    class Meta:
        model = Contest
        fields = [
            *("slug", "title", "path", "game", "is_open_contest", "visibility", "state", "reason", "prizes"),
            *("opens_at", "entries_until", "frozen_at"),
        ]
        extra_kwargs = {
            "slug": {"help_text": "Its key, as in URLs."},
            "reason": {"help_text": "Why it is paused or frozen."},
            "entries_until": {"help_text": "When it stops taking bots; matches go on after that. Null: never."},
            "frozen_at": {"help_text": "When it ends or ended; null: when an organiser ends it."},
        }


class FinalsSerializer(serializers.Serializer[Any]):
    """How far the finals of a frozen contest are, until its board is signed."""

    stage = serializers.ChoiceField(
        choices=[Contest.FinalStage.BUILDING, Contest.FinalStage.PLAYING, Contest.FinalStage.FITTING]
    )
    builds = serializers.IntegerField(help_text="Versions that came in time and are not built yet.")
    games = serializers.IntegerField(help_text="Games that bots have played of those wanted; a match counts for each.")
    games_wanted = serializers.IntegerField(help_text="`final_games` of each bot.")
    seconds = serializers.FloatField(
        allow_null=True, help_text="Until it can be signed, by measured speed; null while no worker takes work."
    )
    sentence = serializers.CharField(help_text="As its page says it, in the caller's language.")


class WinnerSerializer(serializers.Serializer[Any]):
    """One of the first places of a contest that is over; house bots take none."""

    place = serializers.IntegerField()
    bot = serializers.IntegerField(source="bot.pk", help_text="Its key.")
    name = serializers.CharField(source="bot.name")
    by = serializers.CharField(source="bot.participant", help_text="Its team or owner.")


class WholeContestSerializer(ContestSerializer):
    """A contest with all fields that its page shows."""

    options = serializers.DictField(help_text="Of the game, where they differ from its ruleset.")
    tables = ComputedDict(
        lambda contest: {str(size): share for size, share in tables_of(contest=contest).items()},
        child=serializers.FloatField(),
        help_text="Shares of its matches by number of bots; together 1.",
    )
    limits = LimitsField()
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="That its bots may be written in; empty: all of the arena."
    )
    finals = serializers.SerializerMethodField(help_text="Null unless it is frozen and its board is not signed yet.")
    winners = ComputedRows(
        lambda contest: contest_podium(contest=contest),
        child=WinnerSerializer(),
        help_text="Its first places; empty until its board is signed.",
    )
    role = serializers.SerializerMethodField(help_text="Of the caller: `organiser`, `participant`, or empty.")

    class Meta(ContestSerializer.Meta):
        fields = [
            *(*ContestSerializer.Meta.fields, "description", "ruleset", "options", "tables", "limits", "languages"),
            *("bots_max", "tables_each", "final_games", "final_by", "finals", "winners"),
            *("board_digest", "board_signature", "board_signed_at", "role"),
        ]
        extra_kwargs = {
            **ContestSerializer.Meta.extra_kwargs,
            "description": {"help_text": "In Markdown."},
            "ruleset": {"help_text": "Of the game; empty: its first."},
            "bots_max": {"help_text": "How many bots a participant may have; null: the arena's quota."},
            "tables_each": {"help_text": "How many open tables a participant may have; null: the arena's limit."},
            "final_games": {"help_text": "How many games each bot has before the board is signed."},
            "final_by": {"help_text": "When the board is signed at the latest; null: after the final matches."},
            "board_digest": {"help_text": "SHA-256 of the file of its final board; empty until it is signed."},
        }

    @extend_schema_field(FinalsSerializer(allow_null=True))
    def get_finals(self, contest: Contest) -> dict[str, Any] | None:
        """Return how far the finals of a contest are; None while it is in no finals."""
        progress = final_progress(contest=contest)
        return FinalsSerializer(progress).data if progress else None

    def get_role(self, contest: Contest) -> str:
        """Return the caller's role in the contest; empty without one."""
        member = member_of(contest=contest.slug, reader=self.context["reader"])
        return member.role if member else ""


class GuideSerializer(serializers.Serializer[Any]):
    """The guide to a contest."""

    contest = serializers.CharField(help_text="Its key.")
    game = serializers.CharField()
    text = serializers.CharField(help_text="In Markdown, in the caller's language.")


class ContestQuery(serializers.Serializer[Any]):
    """Filters of the list of contests."""

    game = TextField(required=False, max_length=40, help_text="Only contests of this game.")
    state = serializers.ChoiceField(required=False, choices=Contest.State.choices)
