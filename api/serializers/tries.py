"""Serializers of tries: what a program sends to have its files tried, and what it is told."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.fields import KeyField, LanguageField, NumberField, OfContestSerializer, TextField
from contests.models import SLUG_LENGTH_MAX
from games.registry import PLAYERS_MAX
from matches.encounters import SEEDS
from workshop.models import Try
from workshop.services.drafts import LANGUAGE_CHARS_MAX

_FROM_WANTED = _(
    "Please send from_turn with either from_match or from_try, and no seed: it plays on with that match's."
)


class TryBeginSerializer(OfContestSerializer):
    """A program to be tried: its files, and the match that it is to play."""

    game = TextField(
        required=False, max_length=SLUG_LENGTH_MAX, help_text="Instead of `contest`: the game's open contest."
    )
    files = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), help_text="Texts by path."
    )
    language = LanguageField(max_length=LANGUAGE_CHARS_MAX, help_text="Empty: found out from the file names.")
    bot = KeyField(allow_null=True, default=None, help_text="The bot on all other seats; null: copies of the program.")
    seat = NumberField("The program's, from 0.", most=PLAYERS_MAX - 1, default=0)
    seed = NumberField("Null: any.", most=SEEDS - 1, default=None, allow_null=True)
    from_match = KeyField(
        allow_null=True,
        default=None,
        help_text="The match from whose turn the program plays on, with its seed; null: a new one.",
    )
    from_try = KeyField(allow_null=True, default=None, help_text="Instead of `from_match`: a try of yours.")
    from_turn = NumberField(
        "The first turn that is played anew, from 1; all before it are as in that match.",
        least=1,
        default=None,
        allow_null=True,
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the values with ``contest``, also if the caller has sent ``game``.

        Raises:
            ValidationError: no contest is named, or ``from_turn`` comes not with exactly one of ``from_match`` and
                ``from_try``, or with a ``seed``.
        """
        matches = [name for name in ("from_match", "from_try") if sent[name] is not None]
        if len(matches) != (sent["from_turn"] is not None) or (matches and sent["seed"] is not None):
            raise serializers.ValidationError({"from_turn": [_FROM_WANTED]})
        return super().validate(sent)


class MarkSerializer(serializers.Serializer[Any]):
    """A place in the program that a compiler or an interpreter complains about."""

    path = serializers.CharField(help_text="It may begin with a folder of the sandbox, as in `/bot/main.py`.")
    line = serializers.IntegerField()
    column = serializers.IntegerField(help_text="0: not known.")
    text = serializers.CharField()
    is_error = serializers.BooleanField(help_text="False: a warning.")


class TrySerializer(serializers.Serializer[Any]):
    """A try (one match of a program that is no version of a bot) as its author sees it."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(
        choices=Try.State.choices, help_text="It has ended when it is finished, rejected or failed."
    )
    place = serializers.IntegerField(allow_null=True, help_text="Tries before it in the queue; null: it waits no more.")
    seconds = serializers.IntegerField(
        allow_null=True, help_text="About how long until it begins; null: no worker takes work, or it waits no more."
    )
    step = serializers.CharField(help_text="The step that was reached, or that failed: fetch, unpack, compile, check.")
    verdict = serializers.CharField(help_text="Of the program's fault, or of its build; empty without one.")
    why = serializers.CharField(help_text="The fault in a sentence; empty without one.")
    log = serializers.CharField(help_text="What the build wrote.")
    marks = MarkSerializer(many=True, help_text="Lines that the build, or the program's last error, complains about.")
    turn = serializers.IntegerField(allow_null=True, help_text="Of the program's fault; null without one.")
    turns = serializers.IntegerField(help_text="Of the match; 0 until it was played.")
    seat = serializers.IntegerField(help_text="The program's, from 0.")
    seats = serializers.ListField(child=serializers.CharField(), help_text="Names, by seat.")
    ranks = serializers.ListField(child=serializers.IntegerField(), help_text="From 1, by seat; empty until played.")
    scores = serializers.ListField(child=serializers.FloatField())
    cpu_ms_total = serializers.ListField(child=serializers.FloatField(), help_text="CPU time of all answers, by seat.")
