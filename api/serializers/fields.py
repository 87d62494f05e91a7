"""Fields that more than one serializer has, and the base class of serializers of rows."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.db.models import Model
from django.utils.translation import gettext as _
from rest_framework import serializers

from common.text import ROW_NUMBER_MAX, typed
from common.words.messages import sentence_of
from contests.models import SLUG_LENGTH_MAX, Contest
from contests.selectors.contests import bot_limits
from jobs.selectors.languages import languages_all

RowT = TypeVar("RowT", bound=Model)

# --- What callers send ----------------------------------------------------------------------------------------------


class TextField(serializers.CharField):
    """A text that somebody typed; invisible characters and outer blanks are removed (``common.text.typed``)."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the valid value, without invisible characters and outer blanks.

        Raises:
            ValidationError: the value is not valid; a text of invisible characters alone counts as empty.
        """
        return super().run_validation(typed(data) if isinstance(data, str) else data)


class OptionalText(TextField):
    """A text that the caller may leave out, or send empty; either gives an empty text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_blank=True, default="", **options)


class NumberField(serializers.IntegerField):
    """A whole number from ``least`` to ``most`` (None: no limit), which the caller may leave out."""

    def __init__(self, help_text: str, *, least: int = 0, most: int | None = None, **options: Any) -> None:
        super().__init__(required=False, min_value=least, max_value=most, help_text=help_text, **options)


class KeyField(serializers.IntegerField):
    """The primary key of a row, which the caller may leave out unless ``required`` is given."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "min_value": 1, "max_value": ROW_NUMBER_MAX, **options})


class LanguageField(OptionalText):
    """The name of a programming language that this arena offers, or an empty text."""

    def to_internal_value(self, data: Any) -> str:
        """Return the language's name, or an empty text.

        Raises:
            ValidationError: this arena does not offer the language. An upload is refused here, so that it does not
                count for the user's quota.
        """
        name = super().to_internal_value(data)
        known = [language.name for language in languages_all()]
        if name and name not in known:
            sentence = _("The language {name} is not known here. Known are: {known}.")
            raise serializers.ValidationError(sentence.format(name=repr(name), known=", ".join(known)))
        return name


class GameField(serializers.ChoiceField):
    """The name of a game of this arena; callers may name the game's open contest by it."""

    def __init__(self) -> None:
        help_text = "Instead of `contest`: the game's open contest."
        super().__init__(required=False, choices=settings.GAMES, help_text=help_text)


class OfContestSerializer(serializers.Serializer[Any]):
    """The base of serializers that name a contest, by its key (``contest``) or by its game (``game``)."""

    contest_required = True
    contest = TextField(required=False, max_length=SLUG_LENGTH_MAX, help_text="Key of the contest.")
    game: serializers.Field[Any, Any, Any, Any] = GameField()

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the values without ``game``; if it was sent, ``contest`` is the key of the game's open contest.

        Raises:
            ValidationError: both were sent and name different contests, or neither was although ``contest_required``.
        """
        rest = {name: value for name, value in sent.items() if name != "game"}
        if "game" not in sent:
            if self.contest_required and "contest" not in sent:
                raise serializers.ValidationError({"contest": [_("Please name the contest.")]})
            return rest
        if sent.get("contest", sent["game"]) != sent["game"]:
            raise serializers.ValidationError({"game": [_("Please send the contest alone; it says which game it is.")]})
        return {**rest, "contest": sent["game"]}


# --- What answers have ----------------------------------------------------------------------------------------------


class RowSerializer(serializers.ModelSerializer[RowT]):
    """A read-only serializer of a model's row, whose fields the OpenAPI schema marks as required.

    The library marks a column with a default as optional, as it is in a form. An answer always has all fields, and a
    generated client should not have to handle a match without a state.
    """

    def include_extra_kwargs(
        self, kwargs: MutableMapping[str, Any], extra_kwargs: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Return the arguments for the field of a column, with ``read_only`` added."""
        return super().include_extra_kwargs(kwargs, {**extra_kwargs, "read_only": True})


class SentenceField(serializers.CharField):
    """A message that the database stores, answered as a sentence in the caller's language; empty if there is none."""

    def to_representation(self, value: Any) -> str:
        """Return the sentence."""
        return sentence_of(value)


class Computed(serializers.Field[Any, Any, Any, Any]):
    """A value that a function computes from the row. The other base class of each subclass says how it is shown."""

    def __init__(self, compute: Callable[[Any], Any], **options: Any) -> None:
        """Take the function, which gets the row (its None is shown as null), and the options of the field."""
        super().__init__(source="*", read_only=True, **options)
        self.compute = compute

    def to_representation(self, row: Any) -> Any:
        """Return the computed value as the other base class shows it; None stays None."""
        value = self.compute(row)
        return None if value is None else super().to_representation(value)


class ComputedText(Computed, serializers.CharField):
    """A computed text."""


class ComputedFlag(Computed, serializers.BooleanField):
    """A computed truth value."""


class ComputedNumber(Computed, serializers.IntegerField):
    """A computed whole number."""


class ComputedFloat(Computed, serializers.FloatField):
    """A computed number."""


class ComputedRows(Computed, serializers.ListField):
    """A computed list, whose items ``child`` shows."""


class ComputedDict(Computed, serializers.DictField):
    """A computed mapping, whose values ``child`` shows."""


class LimitsField(ComputedDict):
    """The limits of a contest's bots by name; the names end in the unit, such as ``memory_mib``."""

    def __init__(self) -> None:
        help_text = "What each bot may use, besides time."
        super().__init__(_limits, child=serializers.IntegerField(), help_text=help_text)


def _limits(contest: Contest) -> dict[str, int]:
    return msgspec.structs.asdict(bot_limits(contest=contest))


RANK_HELP = "From 1; null before the first rated match."
PROVISIONAL_HELP = "Whether the rating is uncertain: below 20 matches, or an interval above 100."
INTERVAL_HELP = "Half the width of the rating's interval."
LEAGUE_HELP = "Name of the bot's league; empty if it is in none."
TEAM_HELP = "Null: its owner alone."
