"""Serializers of users' public profiles and of notifications."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.models import Notification
from accounts.news_kinds import notification_choices
from api.serializers.fields import INTERVAL_HELP, LEAGUE_HELP, PROVISIONAL_HELP, RANK_HELP, ComputedText, RowSerializer
from ladder.leagues import league_name
from ladder.models import BotVersion
from ladder.selectors.profiles import Profile, ProfileBot


class ProfileBotSerializer(serializers.Serializer[ProfileBot]):
    """A bot on a profile, with its version on the board."""

    bot = serializers.IntegerField(source="bot.pk")
    name = serializers.CharField(source="bot.name")
    contest = serializers.CharField(source="bot.contest_id")
    game = serializers.CharField(source="bot.game")
    is_house = serializers.BooleanField(source="bot.is_house")
    league = ComputedText(lambda row: league_name(row.bot.league_placed), help_text=LEAGUE_HELP)
    version = serializers.IntegerField(source="version.pk", allow_null=True, help_text="Null: none is on the board.")
    number = serializers.IntegerField(source="version.number", allow_null=True)
    state = serializers.ChoiceField(source="version.state", choices=BotVersion.State.choices, allow_null=True)
    language = serializers.CharField(source="version.language", allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text=RANK_HELP)
    provisional = serializers.BooleanField(help_text=PROVISIONAL_HELP)
    rating = serializers.FloatField(source="version.rating.rating", allow_null=True, help_text="Elo points.")
    interval = serializers.FloatField(allow_null=True, help_text=INTERVAL_HELP)
    games = serializers.IntegerField(source="version.rating.games", allow_null=True)
    last_match_at = serializers.DateTimeField(source="version.rating.last_match_at", allow_null=True)


class ProfileSerializer(serializers.Serializer[Profile]):
    """A user with the user's bots."""

    username = serializers.CharField(source="user.username")
    joined_at = serializers.DateTimeField(source="user.date_joined")
    affiliation = serializers.CharField(help_text="School or team, as the user names it; may be empty.")
    about = serializers.CharField(help_text="What the user writes about herself or himself, as Markdown; may be empty.")
    bots = ProfileBotSerializer(many=True)


class NotificationSerializer(RowSerializer[Notification]):
    """A notification of a user."""

    kind = serializers.ChoiceField(choices=notification_choices())
    text = serializers.CharField(help_text="A sentence, in the caller's language.")
    url = serializers.CharField(help_text="Of the page about it.")
    values = serializers.DictField(help_text="Ids and names that the text mentions, such as `bot` and `version`.")

    class Meta:
        model = Notification
        fields = ["id", "kind", "text", "url", "values", "created_at", "read_at"]


class ReadSerializer(serializers.Serializer[Any]):
    """How many notifications were marked as read."""

    marked = serializers.IntegerField(help_text="How many were unread before.")
