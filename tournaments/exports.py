"""What the export of a person's data holds of tournaments."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F
from django.utils.translation import gettext_lazy

from accounts.exports import Row, Section, rows_of, section_register
from accounts.models import User
from ladder.selectors.bots import own_condition
from tournaments.models import Entrant, Tournament


def _entries(user: User) -> Iterator[Row]:
    """Yield the tournaments of a user's bots.

    The attack: an owner learns the place of his bot from the export before the ceremony.
    """
    more = {"contest": F("tournament__contest"), "tournament_slug": F("tournament__slug")}
    more |= {"tournament_state": F("tournament__state")}
    for row in rows_of(Entrant.objects.filter(own_condition(reader=user, prefix="bot__")), more=more):
        is_over = row["tournament_state"] == Tournament.State.RELEASED
        yield row | {"place": row["place"] if is_over else None}


section_register(
    Section(
        "tournaments",
        gettext_lazy("the tournaments that your bots entered, and their places there"),
        ("tournaments.Entrant",),
        _entries,
    )
)
