"""Reads tournaments for the pages of contests, bots and users, and for the front page: coming, running, won ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse

from accounts.access import Reader
from common.queries.cached import cached
from contests.models import Contest
from contests.selectors.visibility import public_keys, shown_to
from ladder.models import Bot
from ladder.selectors.honours import HONOURED_MAX, Won
from tournaments.models import Entrant, Tournament
from tournaments.selectors.standings import PlaceRow

State = Tournament.State
HONOURS_MAX = 50
"""How many past tournaments a contest's page names at most with their winners: the newest."""
FRONT_MAX = 2
"""How many tournaments the front page names at most."""


@dataclass(frozen=True, slots=True)
class PastTournament:
    """A released tournament, with its entrants on the places up to ``HONOURED_MAX``, the best first."""

    tournament: Tournament
    winners: list[Entrant]


@dataclass(frozen=True, slots=True)
class ContestTournaments:
    """What the page of a contest says of its tournaments."""

    running: list[Tournament]
    """Tournaments that are being played, are paused, or have been played but are not released."""
    coming: list[Tournament]
    """Tournaments that have not begun, the next one first."""
    past: list[PastTournament]
    """Released tournaments, the newest first."""

    def __bool__(self) -> bool:
        """Return whether there is any tournament to name."""
        return bool(self.running or self.coming or self.past)


def contest_tournaments(*, contest: Contest) -> ContestTournaments:
    """Return the announced tournaments of a contest; drafts are not among them.

    The caller has checked that the reader may see the contest. Cached; 1 query if some are over.
    """
    announced = [each for each in cached(_announced) if each.contest_id == contest.slug]
    past = [each for each in announced if each.state == State.RELEASED]
    return ContestTournaments(
        running=[each for each in announced if each.state in (State.RUNNING, State.PAUSED, State.FINISHED)],
        coming=sorted((each for each in announced if each.state in (State.OPEN, State.DRAWN)), key=_starts_at),
        past=_with_winners(past[:HONOURS_MAX]) if past else [],
    )


def front_tournaments() -> list[Tournament]:
    """Return the tournaments of public contests that are being played, then the next ones that have a date (cached).

    At most ``FRONT_MAX``.
    """
    public = set(public_keys())
    shown = [each for each in cached(_announced) if each.contest_id in public]
    running = [each for each in shown if each.state == State.RUNNING]
    coming = [each for each in shown if each.state in (State.OPEN, State.DRAWN) and each.starts_at]
    return [*running, *sorted(coming, key=_starts_at)][:FRONT_MAX]


def tournaments_won(bots: Sequence[Bot], reader: Reader) -> list[Won]:
    """Return the places up to ``HONOURED_MAX`` that ``bots`` took in released tournaments.

    Only tournaments of contests that lists show to ``reader`` count. 1 query, none without past tournaments.
    ``ladder.selectors.honours`` calls it.
    """
    if not any(each.state == State.RELEASED for each in cached(_announced)):
        return []
    placed = Entrant.objects.filter(shown_to(reader, at="tournament__contest"), _honoured(), bot__in=bots)
    return [_won_by(entrant) for entrant in placed.select_related("bot", "tournament__contest")]


def first_places(*, contest: Contest, tournament: Tournament, places: Sequence[PlaceRow]) -> list[Won]:
    """Return those of ``places`` up to ``HONOURED_MAX``, shared ones included (no query).

    Each leads to the page of its bot's way through the tournament.
    """
    return [
        Won(
            row.place,
            row.entrant.bot,
            tournament.title,
            str(contest),
            reverse("tournaments:way", args=[contest, tournament.slug, row.entrant.bot_id]),
            tournament.finished_at,
        )
        for row in places
        if row.place <= HONOURED_MAX
    ]


def _won_by(entrant: Entrant) -> Won:
    tournament = entrant.tournament
    url = reverse("tournaments:tournament", args=[tournament.contest, tournament.slug])
    place = entrant.place or 0  # released, so it has one
    return Won(place, entrant.bot, tournament.title, str(tournament.contest), url, tournament.finished_at)


def tournaments_of_bot(*, bot: Bot) -> list[Entrant]:
    """Return the entrants that a bot is in announced tournaments, the newest first; never save them.

    The caller has checked that the reader may see the bot. ``place`` is None as long as it is not public. 1 query; none
    in contests without tournaments.
    """
    if not any(each.contest_id == bot.contest_id for each in cached(_announced)):
        return []
    entered = Entrant.objects.filter(~Q(tournament__state=State.DRAFT), bot=bot).select_related("tournament")
    found = list(entered.order_by("-tournament_id"))
    for entrant in found:
        if entrant.tournament.state != State.RELEASED:
            entrant.place = None  # never saved
    return found


def _announced() -> tuple[Tournament, ...]:
    rows = Tournament.objects.exclude(state=State.DRAFT).select_related("contest")
    shown = rows.defer("description", "stages", "contest__description", "lots")
    return tuple(shown.order_by("-released_at", "-pk"))


def _honoured() -> Q:
    return Q(tournament__state=State.RELEASED, place__lte=HONOURED_MAX)


def _with_winners(past: Sequence[Tournament]) -> list[PastTournament]:
    winners: dict[int, list[Entrant]] = defaultdict(list)
    placed = Entrant.objects.filter(_honoured(), tournament__in=past).select_related("bot__owner", "bot__team")
    for entrant in placed.order_by("place", "number"):
        winners[entrant.tournament_id].append(entrant)
    return [PastTournament(each, winners[each.pk]) for each in past]


def _starts_at(tournament: Tournament) -> tuple[bool, str]:
    return tournament.starts_at is None, tournament.starts_at.isoformat() if tournament.starts_at else ""
