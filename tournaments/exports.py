"""What the export of a person's data holds of tournaments."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.exports import Row, Section, rows_of, sections_register
from accounts.models import User
from ladder.selectors.bots import own_condition
from tournaments.models import Entrant, Tournament

_HIDDEN = ("place", "left_stage", "left_round")
"""Columns that are empty until all results are released."""


def _entries(user: User) -> Iterator[Row]:
    """Yield the rows of a user's bots in announced tournaments, without what is hidden still.

    The attack: an owner learns the place of his bot from the export before the ceremony, or from the round of its
    withdrawal how far the bot had come by then; or he learns of a tournament that is not announced.
    """
    announced = Entrant.objects.exclude(tournament__state=Tournament.State.DRAFT)
    more = {"contest": F("tournament__contest"), "tournament_slug": F("tournament__slug")}
    more |= {"tournament_state": F("tournament__state")}
    for row in rows_of(announced.filter(own_condition(reader=user, prefix="bot__")), more=more):
        is_over = row["tournament_state"] == Tournament.State.RELEASED
        yield row if is_over else row | dict.fromkeys(_HIDDEN)


sections_register(
    Section(
        "tournaments",
        _("the tournaments that your bots entered, and their places there"),
        ("tournaments.Entrant",),
        _entries,
    ),
)
