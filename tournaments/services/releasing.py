"""Tells the results of rounds, and notifies owners of what everybody may know by then."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils import timezone

from common.queries.cached import cached_changed
from ladder.services.events import event_new, events_create
from ladder.services.notifications import BotNews, notifications_create
from matches.models import Match
from tournaments.models import Entrant, Round, Tournament
from tournaments.news import FAULTS, OVER, PLACED
from tournaments.selectors.tournaments import faults_by_stage
from tournaments.services.transitions import State, tournament_transition


def rounds_tell(*, rounds: QuerySet[Round] | Sequence[Round]) -> None:
    """Make rounds of a tournament public: everybody sees their results and matches from now on (2 queries).

    The caller has locked the tournament (``tournament_locked``).
    """
    Match.objects.filter(is_hidden=True, table_match__table__round__in=rounds).update(is_hidden=False)
    Round.objects.filter(pk__in=[row.pk for row in rounds], released_at=None).update(released_at=timezone.now())
    cached_changed()


def tournament_tell(*, tournament: Tournament) -> None:
    """Make all results of a finished tournament public for good, and notify the owners of its entrants.

    The caller has locked the tournament (``tournament_locked``).
    """
    rounds_tell(rounds=list(tournament.rounds.filter(released_at=None)))
    tournament_transition(tournament=tournament, to=State.RELEASED)
    entrants = _entrants(tournament)
    notifications_create(
        kind=OVER,
        news=[
            entrant_news(entrant=entrant, tournament=tournament, place=entrant.place, entrants=len(entrants))
            for entrant in entrants
            if entrant.place is not None
        ],
    )
    events_create(
        event_new(
            bot=entrant.bot,
            kind=PLACED,
            occasion=f"tournament {tournament.pk}",
            tournament=tournament.title,
            contest_place=tournament.contest.place,
            slug=tournament.slug,
            place=entrant.place,
            entrants=len(entrants),
        )
        for entrant in entrants
        if entrant.place is not None
    )
    faults_notify(tournament=tournament)


def faults_notify(*, tournament: Tournament) -> None:
    """Notify the owners of entrants that were at fault in every match of a stage that has ended and is public.

    An owner is notified once for each stage, however often this is called.
    """
    faulty = faults_by_stage(tournament=tournament, reader=None)
    if not any(faulty.values()):
        return
    rows = {entrant.number: entrant for entrant in _entrants(tournament)}
    notifications_create(
        kind=FAULTS,
        news=[
            entrant_news(entrant=rows[number], tournament=tournament, occasion=f" stage {stage}")
            for stage, numbers in faulty.items()
            for number in numbers
        ],
    )


def entrant_news(*, entrant: Entrant, tournament: Tournament, occasion: str = "", **values: str | int) -> BotNews:
    """Return what the owners of an entrant's bot are told, once for each kind of notification and ``occasion``.

    ``occasion`` is empty for a kind that an entrant gets once in a tournament. ``values`` are further values that the
    kind's sentence names. ``entrant`` has its bot and version loaded, ``tournament`` its contest.
    """
    about: dict[str, str | int] = {
        "tournament": tournament.title,
        "number": entrant.version.number,
        "contest_place": tournament.contest.place,
        "slug": tournament.slug,
    }
    return BotNews(entrant.bot, f"entrant {entrant.pk}{occasion}", about | values)


def _entrants(tournament: Tournament) -> list[Entrant]:
    rows = Entrant.objects.filter(tournament=tournament, number__isnull=False).order_by("number")
    return list(rows.select_related("bot", "version").defer("version__log"))
