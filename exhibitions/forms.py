"""The forms with which people open tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from contests.models import Contest
from contests.selectors.contests import contest_ruleset
from core.game import Game
from core.variants import table_sizes
from exhibitions.selectors.opponents import Opponent
from games.registry import game_named

PACES = ((30, _("quick: 30 seconds a turn")), (60, _("calm: one minute a turn")), (300, _("long: five minutes a turn")))
"""The times that players choose from: seconds for each answer, and the words for them."""
UNLIMITED = (0, _("half an hour a turn"))
PACE = 60


class TableForm(forms.Form):
    """The form for a new table: a bot, the number of seats, the player's seat and the time for each answer."""

    bot = forms.TypedChoiceField(coerce=int)
    seats = forms.TypedChoiceField(label=_("Players"), coerce=int)
    seat = forms.TypedChoiceField(label=_("Your seat"), coerce=int, empty_value=None, required=False)
    pace = forms.TypedChoiceField(label=_("Time to think"), coerce=int, initial=PACE)

    def __init__(
        self,
        contest: Contest,
        opponents: Sequence[Opponent],
        *,
        is_guest: bool,
        data: dict[str, Any] | None = None,
        initial: dict[str, Any] | None = None,
    ) -> None:
        """Offer what can be chosen in a contest.

        Args:
            contest: the contest.
            opponents: the bots to choose from.
            is_guest: whether the player is not signed in: guests must choose a shorter time.
            data: the fields that were sent; None: the form is only shown.
            initial: the values that the fields have at first.
        """
        super().__init__(data, initial=initial)
        game: Game[Any] = game_named(contest.game)
        sizes = table_sizes(game, contest_ruleset(contest=contest))
        letters = game.seat_letters[: max(sizes)]
        self.opponents = opponents
        self.is_one_size = len(sizes) == 1
        choices: dict[str, list[tuple[Any, Any]]] = {
            "bot": [(each.version.bot_id, each.version.bot.name) for each in opponents],
            "seats": [(size, ngettext("%(n)d player", "%(n)d players", size) % {"n": size}) for size in sizes],
            "seat": [("", _("by lot")), *enumerate(letters)],
            "pace": [*PACES, *([] if is_guest else [UNLIMITED])],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells the type
            field.choices = offered
        self.fields["seats"].initial = sizes[0]


class TakeOverForm(forms.Form):
    """The form for the turn, from 1, from which a match is played anew, and for the player's seat, from 0."""

    turn = forms.IntegerField(min_value=1)
    seat = forms.IntegerField(min_value=0)
