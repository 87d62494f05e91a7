"""Reads tournaments: which of them a reader sees, what a draw would give, and entrants at fault."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain

from django.db.models import Q, QuerySet

from accounts.access import Reader
from common.words.messages import sentence_of
from contests.models import Contest
from contests.selectors.people import organises
from contests.selectors.visibility import is_contest_key
from core.message import Message
from formats import model
from formats.rounds import next_round
from formats.stages import ENTRANTS_MAX
from ladder.models import BotVersion
from ladder.selectors.boards import BoardFilter, board_all
from ladder.selectors.ratings import rating_of
from matches.models import Match, Seat
from tournaments.models import Entrant, Tournament
from tournaments.selectors.loading import entrant_of, tournament_told
from tournaments.validation import sizes_of, stages_problems


@dataclass(frozen=True, slots=True)
class DrawPreview:
    """What a draw made now would give."""

    entrants: list[Entrant]
    """The entrants that would play, by seed number, with ``number``, ``rating``, ``bot`` and ``version`` as the draw
    would set them. They are not saved."""
    left_out: list[Entrant]
    """Entered bots that would not play: they have left, have no active version, or enough better bots are entered."""
    draw: model.Draw | None
    """The first round, with why the entrants of each table meet; None if it cannot be drawn."""
    problems: list[Message]
    """Why the first round cannot be drawn, one sentence each; empty if it can."""

    @property
    def faults(self) -> list[str]:
        """The problems as sentences in the reader's language."""
        return [sentence_of(problem) for problem in self.problems]


def tournaments_seen(*, contest: Contest, reader: Reader) -> QuerySet[Tournament]:
    """Return the tournaments of a contest that a reader of it may see, the newest first.

    The caller has checked that the reader may see the contest. Drafts are for its organisers and administrators alone.
    At most 2 queries, besides the returned one.
    """
    drafts = organises(reader=reader, contest=contest)
    seen = Q() if drafts else ~Q(state=Tournament.State.DRAFT)
    return Tournament.objects.filter(seen, contest=contest).order_by("-pk")


def tournament_seen(*, contest: Contest, slug: str, reader: Reader) -> Tournament | None:
    """Return a tournament of a contest by its key (any text), or None if the reader may not see it.

    The caller has checked that the reader may see the contest. At most 2 queries.
    """
    if not is_contest_key(slug):
        return None
    return tournaments_seen(contest=contest, reader=reader).filter(slug=slug).first()


def draw_preview(*, tournament: Tournament) -> DrawPreview:
    """Return what a draw of an open tournament would give now (2 queries; nothing is written).

    Bots of the board get their seed numbers in its order, entered ones by rating; those without a rating come last, by
    the time of their entry. A bot plays with its active version.
    """
    playing, left_out = _from_board(tournament) if tournament.entry == Tournament.Entry.BOARD else _entered(tournament)
    for number, entrant in enumerate(playing, start=1):
        rating = rating_of(entrant.version)
        entrant.number, entrant.rating = number, None if rating is None else rating.rating
    stages = tournament.stages_read()
    problems = stages_problems(contest=tournament.contest, stages=stages, entrants=len(playing))
    draw = None
    if not problems:
        entrants = [entrant_of(entrant) for entrant in playing]
        sizes = sizes_of(contest=tournament.contest)
        draw = next_round(stages=stages, entrants=entrants, decided=[], lots=tournament.lots, sizes=sizes)
    return DrawPreview(playing, left_out, draw, problems)


def _from_board(tournament: Tournament) -> tuple[list[Entrant], list[Entrant]]:
    """Return the first ``entrants_max`` bots of a board, unsaved, and an empty list (2 queries).

    Bots whose version is not active, such as on probation, and bots that left after an earlier draw, are skipped.
    """
    rows = board_all(contest=tournament.contest_id, chosen=BoardFilter())
    left = set(tournament.entrants.exclude(left="").values_list("bot", flat=True))
    active = [row.version for row in rows if row.version.state == BotVersion.State.ACTIVE]
    chosen = [version for version in active if version.bot_id not in left][: tournament.entrants_max]
    return [Entrant(tournament=tournament, bot=version.bot, version=version) for version in chosen], []


def _entered(tournament: Tournament) -> tuple[list[Entrant], list[Entrant]]:
    """Return the entered bots that play, the best first, and those that do not (2 queries)."""
    entered = list(tournament.entrants.select_related("bot").order_by("pk"))
    active = BotVersion.objects.filter(bot__entrants__tournament=tournament, state=BotVersion.State.ACTIVE)
    versions = {version.bot_id: version for version in active.select_related("bot", "rating").defer("log")}

    def strength(entrant: Entrant) -> float:
        rating = rating_of(versions[entrant.bot_id])
        return -math.inf if rating is None else rating.rating

    able = [entrant for entrant in entered if entrant.bot_id in versions and not entrant.left]
    for entrant in able:
        entrant.version = versions[entrant.bot_id]
    able.sort(key=strength, reverse=True)  # stable: of equals, the earlier entry comes first
    playing = able[: tournament.entrants_max or ENTRANTS_MAX]
    chosen = {entrant.pk for entrant in playing}
    return playing, [entrant for entrant in entered if entrant.pk not in chosen]


def entrants_at_fault(*, tournament: Tournament, reader: Reader | None) -> list[Entrant]:
    """Return the entrants that were at fault in every match of a stage, by seed number, with ``bot`` and ``version``.

    Only stages count that have ended and whose results ``reader`` may know; None stands for what everybody may know.
    At most 8 queries.
    """
    numbers = set(chain.from_iterable(faults_by_stage(tournament=tournament, reader=reader).values()))
    rows = tournament.entrants.filter(number__in=numbers).order_by("number")
    return list(rows.select_related("bot", "version").defer("version__log")) if numbers else []


def faults_by_stage(*, tournament: Tournament, reader: Reader | None) -> dict[int, list[int]]:
    """Return the seed numbers of ``entrants_at_fault`` by stage (from 0); stages that do not count are left out."""
    told = tournament_told(tournament=tournament, reader=reader)
    drawn_up_to = max((each.row.stage for each in told.rounds), default=0)
    is_over = tournament.state in (Tournament.State.FINISHED, Tournament.State.RELEASED)
    ended = {
        each.row.pk: each.row.stage
        for each in told.rounds
        if each.is_told and (each.row.stage < drawn_up_to or (is_over and told.rounds[-1].is_told))
    }
    if not ended:
        return {}
    numbers = {row.version_id: number for number, row in told.rows.items()}
    played = Seat.objects.filter(match__table_match__table__round__in=ended, match__state=Match.State.FINISHED)
    faulty: dict[tuple[int, int], bool] = {}
    for row, version, verdict in played.values_list("match__table_match__table__round", "version", "verdict"):
        key = ended[row], numbers[version]
        faulty[key] = faulty.get(key, True) and verdict != ""
    stages = sorted(set(ended.values()))
    return {stage: sorted(number for (at, number), bad in faulty.items() if at == stage and bad) for stage in stages}
