"""Users as everybody sees them, and what they alone are told."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.models import Notification
from api.serializers.rows import RowSerializer
from ladder.leagues import league_name
from ladder.models import BotVersion
from ladder.selectors.profiles import Profile, ProfileBot
from ladder.words.notifications import notification_text, notification_url


class ProfileBotSerializer(serializers.Serializer[ProfileBot]):
    """A bot, and how the version on the board stands."""

    bot = serializers.IntegerField(source="bot.pk")
    name = serializers.CharField(source="bot.name")
    game = serializers.CharField(source="bot.game")
    is_house = serializers.BooleanField(source="bot.is_house")
    league = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="version.pk", allow_null=True, help_text="Null: none is on the board.")
    number = serializers.IntegerField(source="version.number", allow_null=True)
    state = serializers.ChoiceField(source="version.state", choices=BotVersion.State.choices, allow_null=True)
    language = serializers.CharField(source="version.language", allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="From 1; null below 20 rated matches.")
    provisional = serializers.BooleanField(
        help_text="Whether the rating is uncertain: below 20 matches, or an interval above 100."
    )
    rating = serializers.FloatField(source="version.rating.rating", allow_null=True, help_text="Elo points.")
    interval = serializers.FloatField(allow_null=True, help_text="Half the width of the rating's interval.")
    games = serializers.IntegerField(source="version.rating.games", allow_null=True)
    last_match_at = serializers.DateTimeField(source="version.rating.last_match_at", allow_null=True)

    def get_league(self, row: ProfileBot) -> str:
        """Return the name of its league; empty until it first has a rank."""
        return league_name(row.bot.league_placed)


class ProfileSerializer(serializers.Serializer[Profile]):
    """A user and the bots."""

    username = serializers.CharField(source="user.username")
    joined_at = serializers.DateTimeField(source="user.date_joined")
    bots = ProfileBotSerializer(many=True)


class NotificationSerializer(RowSerializer[Notification]):
    """Something that its reader should know."""

    text = serializers.SerializerMethodField(help_text="A sentence, in the language that is asked for.")
    url = serializers.SerializerMethodField(help_text="Of the page about it.")
    values = serializers.DictField(help_text="Numbers and names of what it is about, such as `bot` and `version`.")

    class Meta:
        model = Notification
        fields = ["id", "kind", "text", "url", "values", "created_at", "read_at"]

    def get_text(self, notification: Notification) -> str:
        """Return its sentence."""
        return notification_text(notification)

    def get_url(self, notification: Notification) -> str:
        """Return the address of the page about it."""
        return notification_url(notification)


class ReadSerializer(serializers.Serializer[Any]):
    """What has been marked as read."""

    marked = serializers.IntegerField(help_text="How many were new until now.")
