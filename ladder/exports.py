"""What the export of a person's data holds of bots, versions, ratings and programs."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.exports import Row, Section, rows_of, sections_register
from accounts.models import User
from common.errors import InputError, StoreAway
from ladder.models import BotVersion, Follow, RatingPoint
from ladder.selectors.bots import bots_own, own_condition
from ladder.selectors.uploads import upload_zip

_LEASE = ("lease_token", "lease_ends_at", "notified_at", "held_until", "attempt", "worker")
"""Columns that concern the worker alone; the token is the worker's secret."""


def versions_own(user: User) -> Iterator[BotVersion]:
    """Yield the versions of a user's own bots, by bot and number, with ``bot`` loaded and ``log`` deferred.

    1 query finds them and 1 more loads each, so that none stays open while the caller works on a version.
    """
    own = BotVersion.objects.filter(own_condition(reader=user, prefix="bot__")).order_by("bot", "number")
    for pk in list(own.values_list("pk", flat=True)):
        yield from BotVersion.objects.select_related("bot").defer("log").filter(pk=pk)


def _versions(user: User) -> Iterator[Row]:
    own = BotVersion.objects.filter(own_condition(reader=user, prefix="bot__"))
    return rows_of(
        own,
        without=_LEASE,
        more={
            "elo": F("rating__rating"),
            "standard_error": F("rating__standard_error"),
            "rated_matches": F("rating__games"),
            "rank": F("rating__rank"),
        },
    )


def _rating_points(user: User) -> Iterator[Row]:
    for version in versions_own(user):
        yield from rows_of(RatingPoint.objects.filter(version=version), key="games")


def _programs(user: User) -> Iterator[tuple[str, bytes]]:
    """Yield the uploads, each as a zip; of one that cannot be read, a text that says why."""
    for version in versions_own(user):
        name = f"{version.bot_id}/v{version.number}"
        try:
            yield f"{name}.zip", upload_zip(version=version)
        except (InputError, StoreAway) as error:  # the answer has begun, so that no other can be given
            yield f"{name}.txt", f"{error}\n".encode()


sections_register(
    Section(
        "bots",
        _("your bots, and those of your teams"),
        ("ladder.Bot",),
        lambda user: rows_of(bots_own(reader=user)),
        kept=_(
            "Your bots, under their names, with their programs and the logs of their builds. They are withdrawn"
            " and belong to an account that is called “closed” and a number, with the date of your sign-up. A team"
            " keeps its bots."
        ),
    ),
    Section(
        "versions",
        _("all versions of these bots, with states, logs of builds and ratings"),
        ("ladder.BotVersion", "ladder.Rating"),
        _versions,
    ),
    Section("rating_points", _("the ratings over time"), ("ladder.RatingPoint",), _rating_points),
    Section(
        "follows",
        _("whom and which bots you follow"),
        ("ladder.Follow",),
        lambda user: rows_of(
            Follow.objects.filter(follower=user),
            more={"bot_name": F("bot__name"), "person_name": F("person__username")},
        ),
        deleted=_("whom and which bots you follow, and who follows you"),
    ),
    Section(
        "programs", _("the programs as they were uploaded, by bot and version"), ("ladder.BotVersion",), files=_programs
    ),
)
