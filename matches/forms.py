"""Forms of the pages of matches."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from ladder.selectors.games import games_all
from matches.models import Match


def _games() -> list[tuple[str, str]]:
    """Return name and title of every game, after the choice that takes all."""
    return [("", str(_("all games"))), *((card.name, card.title) for card in games_all())]


class MatchFilterForm(forms.Form):
    """Which matches the list shows; an empty field takes all."""

    game = forms.ChoiceField(label=_("Game"), choices=_games, required=False)
    bot = forms.CharField(label=_("Bot"), max_length=40, required=False)
    state = forms.ChoiceField(label=_("State"), choices=[("", _("all states")), *Match.State.choices], required=False)
