"""Serializers of results between bots: tables of opponents, comparisons."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import RowSerializer
from matches.models import HeadToHead
from matches.selectors.opponents import SORTS, Common, Side

PAGES_MAX = 10_000


class HeadToHeadSerializer(RowSerializer[HeadToHead]):
    """The results of a bot against one opponent, over all their rated matches."""

    opponent = serializers.IntegerField(source="opponent_id")
    name = serializers.CharField(source="opponent.name", help_text="Of the opponent.")
    opponent_rating = serializers.FloatField(allow_null=True, help_text="Of the opponent's version that plays.")
    score = serializers.FloatField(help_text="A draw is half a point.")
    expected = serializers.FloatField(allow_null=True, help_text="The score that today's ratings would give.")
    difference = serializers.FloatField(allow_null=True, help_text="Score minus expected score.")

    class Meta:
        model = HeadToHead
        fields = [
            *("opponent", "name", "opponent_rating", "games", "wins", "draws", "losses"),
            *("score", "expected", "difference"),
        ]


class OpponentsSerializer(serializers.Serializer[Any]):
    """A page of a bot's opponents."""

    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    rows = HeadToHeadSerializer(many=True)


class OpponentsQuery(serializers.Serializer[Any]):
    """Order and page of a table of opponents."""

    sort = serializers.ChoiceField(required=False, choices=list(SORTS), default="games")
    page = serializers.IntegerField(required=False, min_value=1, max_value=PAGES_MAX, default=1)


class SideSerializer(serializers.Serializer[Side]):
    """One bot of a comparison."""

    bot = serializers.IntegerField(source="bot.pk")
    name = serializers.CharField(source="bot.name")
    version = serializers.IntegerField(source="version.pk", allow_null=True, help_text="Plays, or was the last to.")
    rating = serializers.FloatField(source="rating.rating", allow_null=True)
    games = serializers.IntegerField(source="rating.games", allow_null=True)


class CommonSerializer(serializers.Serializer[Common]):
    """An opponent that both bots have played against."""

    opponent = serializers.IntegerField(source="opponent.pk")
    name = serializers.CharField(source="opponent.name")
    first = HeadToHeadSerializer()
    second = HeadToHeadSerializer()


class ComparisonSerializer(serializers.Serializer[Any]):
    """A comparison of two bots."""

    first = SideSerializer()
    second = SideSerializer()
    met = HeadToHeadSerializer(allow_null=True, help_text="The first against the second; null: they never met.")
    common = CommonSerializer(many=True)
