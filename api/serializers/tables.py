"""Serializers of tables: what a program sends to open one, and what a remote seat is told."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import KeyField, NumberField, OptionalText
from exhibitions.selectors.seats import Asked
from exhibitions.services.opening import CLOCK_SECONDS_MAX, NAME_LENGTH_MAX, TRIES_MAX
from games.registry import PLAYERS_MAX
from matches.models import Match

WAIT_SECONDS_MAX = 20
"""How many seconds a request for news waits at most: shorter than proxies keep a silent connection."""


class TableOpenSerializer(serializers.Serializer[Any]):
    """A table to open, at which a program of yours plays a match against bots of the arena."""

    bot = KeyField(required=True, help_text="The bot to play against.")
    seat = NumberField("Yours, from 0; null: drawn.", most=PLAYERS_MAX - 1, default=None, allow_null=True)
    seats = NumberField("Of the table; more bots join it.", least=2, most=PLAYERS_MAX, default=2)
    clock_seconds = NumberField("Wall time for each answer; 0: half an hour.", most=CLOCK_SECONDS_MAX, default=0)
    tries = NumberField("Illegal answers to one question, in all.", least=1, most=TRIES_MAX, default=1)
    name = OptionalText(max_length=NAME_LENGTH_MAX, help_text="Empty: your user name.")


class TableOpenedSerializer(serializers.Serializer[Any]):
    """A new table with the secret of its remote seat."""

    id = serializers.IntegerField(source="match.pk", help_text="Of the match.")
    url = serializers.CharField(help_text="The page on which everybody may watch it.")
    game = serializers.CharField(source="match.game")
    contest = serializers.CharField(source="match.contest_id")
    seat = serializers.IntegerField()
    secret = serializers.CharField(help_text="Send it as `Authorization: Seat SECRET`; it is told once.")


class QuestionSerializer(serializers.Serializer[Asked]):
    """The question that the player of a seat is to answer now."""

    number = serializers.IntegerField(source="question.number")
    turn = serializers.IntegerField(source="question.turn")
    lines = serializers.ListField(source="question.lines", child=serializers.CharField())
    answer_lines = serializers.IntegerField(source="question.answer_lines")
    offered = serializers.ListField(
        source="question.offered",
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Legal texts of each line.",
    )
    left = serializers.FloatField(help_text="Seconds that are left for the answer; 0 at a table without a clock.")
    answered = serializers.BooleanField(source="is_answered", help_text="An answer has been taken.")
    tries = serializers.IntegerField(source="question.tries")


class RemoteTableSerializer(serializers.Serializer[Any]):
    """A table (a match of bots against people or programs elsewhere) as the player of one of its seats sees it."""

    id = serializers.IntegerField(source="seat.match_id")
    state = serializers.ChoiceField(source="seat.match.state", choices=Match.State.choices)
    place = serializers.IntegerField(help_text="In the line for a free table; 0: it has one.")
    seat = serializers.IntegerField(source="seat.index")
    names = serializers.ListField(child=serializers.CharField(), help_text="Of all seats.")
    question = QuestionSerializer(allow_null=True, help_text="Null: nothing is asked now.")
    rank = serializers.IntegerField(source="seat.rank", allow_null=True)
    score = serializers.FloatField(source="seat.score", allow_null=True)
    verdict = serializers.CharField(source="seat.verdict", allow_blank=True)


class NewsQuery(serializers.Serializer[Any]):
    """From where on the news of a seat are asked for, and how long to wait for some."""

    after = OptionalText(
        max_length=40, help_text="The field `after` of the news before; empty: all from the beginning."
    )
    wait = NumberField(
        "For how many seconds to wait if nothing is new.", most=WAIT_SECONDS_MAX, default=WAIT_SECONDS_MAX
    )


class NewsEventSerializer(serializers.Serializer[Any]):
    """One piece of news for the player of a seat, such as a question, records of the replay, or the end."""

    event = serializers.CharField(help_text="waiting, lines, question, out, ended, over or away.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; one has the name of an attribute of the library's class."""
        told = serializers.JSONField(help_text="For `lines` a list of records of the replay, else an object.")
        return {**super().get_fields(), "data": told}


class NewsSerializer(serializers.Serializer[Any]):
    """What a seat has been told since its player asked last."""

    events = NewsEventSerializer(many=True)
    after = serializers.CharField(allow_blank=True, help_text="Send it with the next request.")


class AnswerSerializer(serializers.Serializer[Any]):
    """An answer to a question, or the wish to leave."""

    number = serializers.IntegerField(required=False, help_text="The question's.")
    lines = serializers.ListField(child=serializers.CharField(allow_blank=True), required=False)
    leaves = serializers.BooleanField(required=False, help_text="Give up.")
