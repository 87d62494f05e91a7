"""What the export of a person's data holds of matches and private tests."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.exports import Row, Section, rows_of, sections_register
from accounts.models import User
from ladder.exports import versions_own
from matches.models import RemoteSeat, Seat, Trial, told_to

# The attack: somebody reads the seed of a match that waits, and uploads a bot that knows what will come.
_OF_THE_MATCH = ("kind", "contest", "game", "rules_version", "state", "created_at", "finished_at")


def _results(user: User) -> Iterator[Row]:
    columns = {f"match_{name}": F(f"match__{name}") for name in _OF_THE_MATCH}
    for version in versions_own(user):
        told = Seat.objects.filter(told_to(user, at="match"), version=version)
        yield from rows_of(told, key="match_id", more=columns)


sections_register(
    Section(
        "results",
        _("the matches of these bots (rated, challenges, tests, tournaments) and how each bot ended there"),
        ("matches.Seat", "matches.Match"),
        _results,
        kept=_(
            "The matches of your bots, with replays and with what your bots wrote in them: the ratings of others rest"
            " on them."
        ),
    ),
    Section(
        "tables",
        _("the seats at which you played yourself, or with a program at home"),
        ("matches.RemoteSeat",),
        lambda user: rows_of(RemoteSeat.objects.filter(user=user), without=("secret_hash", "visitor")),
        kept=_(
            "The tables at which you played yourself, under the name that you had there, for 30 days after their end."
        ),
    ),
    Section(
        "tests",
        _("your private tests"),
        ("matches.Trial",),
        lambda user: rows_of(Trial.objects.filter(owner=user)),
        kept=_("Your private tests, which end now, and their results. Only administrators can see them."),
    ),
)
