"""API views of tournaments: what they are, how they stand, and what entrants and organisers do.

Who may not see a contest gets 404 for its tournaments, as for those that do not exist. Drafts are for organisers alone,
and so are results that are not released.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from api.base import REFUSED, created, described, found_or_404
from api.serializers import tournaments as serializers
from api.views.contests import ContestApi
from common.errors import InputError
from contests.selectors.people import organises
from formats.standings import groups_of, places, stage_entrants, standings, tie_breaks_of
from ladder.selectors.bots import bot_for_reader
from tournaments.answers import trf_response
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.entrants import entrants_of
from tournaments.selectors.loading import Told, tournament_told
from tournaments.selectors.rounds import rounds_shown
from tournaments.selectors.tournaments import tournament_seen, tournaments_seen
from tournaments.services import tournaments as services
from tournaments.services.entries import entrant_enter, entrant_leave, entrant_remove
from tournaments.services.pairings import table_decide_by_hand

ACTS: dict[str, Callable[..., object]] = {
    "open": services.tournament_open,
    "draw": services.tournament_draw,
    "take_back": services.tournament_draw_take_back,
    "start": services.tournament_start,
    "pause": services.tournament_pause,
    "resume": services.tournament_resume,
    "release_round": services.round_release,
    "release": services.tournament_release,
}

TOURNAMENT_URL = ("api:tournament", "contest", "slug")


class TournamentApi(ContestApi):
    """Views of tournaments."""

    def get_permissions(self) -> list[IsAuthenticated]:
        """Return the permissions: everybody may send GET and HEAD, only signed-in users anything else."""
        return [] if self.request.method in ("GET", "HEAD") else [IsAuthenticated()]

    @described(serializers.TournamentSerializer(many=True))
    def of_contest(self, request: Request, slug: str) -> object:
        """List the tournaments of a contest, newest first. Drafts are listed to organisers alone."""
        contest = self.contest(slug)
        return tournaments_seen(contest=contest, reader=self.reader).select_related("contest")

    @created(
        serializers.WholeTournamentSerializer,
        body=serializers.TournamentStartSerializer,
        limit="contest",
        url=TOURNAMENT_URL,
    )
    def create(self, request: Request, slug: str) -> object:
        """Make a draft of a tournament in a contest of yours."""
        contest = self.organised(slug).slug
        made = services.tournament_create(contest=contest, actor=self.user, **self.sent())
        return self._tournament(slug, made.slug)

    @described(serializers.WholeTournamentSerializer)
    def one(self, request: Request, slug: str, tournament: str) -> object:
        """Show a tournament: its state, stages and entrants."""
        return self._tournament(slug, tournament)

    @described(serializers.WholeTournamentSerializer, body=serializers.TournamentFieldsSerializer, problems=[REFUSED])
    def change(self, request: Request, slug: str, tournament: str) -> object:
        """Change fields of a tournament of yours; texts always, most others until the draw."""
        found = self._organised(slug, tournament)
        services.tournament_change(tournament=found.pk, actor=self.user, **self.sent())
        return self._tournament(slug, tournament)

    @described(None, status=HTTPStatus.NO_CONTENT, problems=[REFUSED])
    def remove(self, request: Request, slug: str, tournament: str) -> None:
        """Delete a tournament of yours that has no result."""
        services.tournament_delete(tournament=self._organised(slug, tournament).pk, actor=self.user)

    @described(serializers.WholeTournamentSerializer, body=serializers.ActSerializer, problems=[REFUSED])
    def act(self, request: Request, slug: str, tournament: str) -> object:
        """Announce, draw, start, pause, resume or release a tournament of yours.

        `draw` fixes the entrants and their versions; `take_back` undoes that until a match has a result.
        """
        found, sent = self._organised(slug, tournament), self.sent()
        more: dict[str, Any] = {"reason": sent["reason"]} if sent["act"] in ("pause", "take_back") else {}
        if sent["act"] == "release_round":
            named = found.rounds.filter(stage=sent["stage"] - 1, number=sent["round"] or 0)
            more = {"wanted": found_or_404(named.first()).pk}
        ACTS[sent["act"]](tournament=found.pk, actor=self.user, **more)
        return self._tournament(slug, tournament)

    @described(serializers.RoundSerializer(many=True))
    def rounds(self, request: Request, slug: str, tournament: str) -> object:
        """List the rounds of a tournament with their tables and results.

        The list ends with the first round whose results are hidden: the pairing of later rounds would tell them.
        """
        return rounds_shown(told=self._told(slug, tournament))

    @described(serializers.StandingsSerializer, query=serializers.StageQuery)
    def standings(self, request: Request, slug: str, tournament: str) -> object:
        """Show the standings of a stage, by all results that you may know."""
        told = self._told(slug, tournament)
        index = stage_index(told, self.query()["stage"])
        rows = standings(stages=told.stages, stage=index, entrants=told.entrants, decided=told.decided)
        used = [str(each) for each in tie_breaks_of(told.stages[index])]
        return {"stage": index + 1, "tie_breaks": used, "rows": rows}

    @described(serializers.PlaceSerializer(many=True))
    def places(self, request: Request, slug: str, tournament: str) -> object:
        """List where each entrant has come so far, by all results that you may know, best first."""
        told = self._told(slug, tournament)
        return places(stages=told.stages, entrants=told.entrants, decided=told.decided)

    @described(str, content_type="text/plain", query=serializers.TrfQuery, problems=[REFUSED])
    def trf(self, request: Request, slug: str, tournament: str) -> HttpResponseBase:
        """Download a stage of Swiss or round robin as a TRF file, which pairing programs of chess read.

        It has the finished rounds whose results you may know.
        """
        told, query = self._told(slug, tournament), self.query()
        index = stage_index(told, query["stage"])
        members = stage_entrants(stages=told.stages, stage=index, entrants=told.entrants, decided=told.decided)
        if query["group"] not in groups_of(stage=told.stages[index], numbers=members):
            raise NotFound(_("This stage has no group with this name."))
        try:
            name = f"{told.tournament.slug}-{index + 1}.trf"
            return trf_response(told=told, number=index, group=query["group"], name=name)
        except ValueError as error:
            raise InputError(_("Only a Swiss or a round robin at tables of two has a TRF file.")) from error

    @created(serializers.EntrantSerializer, body=serializers.TournamentEnterSerializer)
    def enter(self, request: Request, slug: str, tournament: str) -> object:
        """Enter a bot of yours that plays in the contest; organisers enter any bot of it."""
        found = self._tournament(slug, tournament)
        wanted = self.sent()["bot"]
        bot = found_or_404(bot_for_reader(pk=wanted, reader=self.reader))
        return entrant_enter(tournament=found.pk, bot=bot.pk, actor=self.user)

    @described(None, status=HTTPStatus.NO_CONTENT, problems=[REFUSED])
    def entry_remove(self, request: Request, slug: str, tournament: str, pk: int) -> None:
        """Take back the entry of a bot of yours before the draw."""
        entrant_remove(entrant=self._entrant(slug, tournament, pk).pk, actor=self.user)

    @described(serializers.WholeTournamentSerializer, body=serializers.LeaveSerializer, problems=[REFUSED])
    def leave(self, request: Request, slug: str, tournament: str, pk: int) -> object:
        """Withdraw a bot of yours after the draw: it loses what it has not played.

        Organisers withdraw or disqualify any bot, with a reason.
        """
        entrant, sent = self._entrant(slug, tournament, pk), self.sent()
        entrant_leave(entrant=entrant.pk, left=Entrant.Left(sent["left"]), reason=sent["reason"], actor=self.user)
        return self._tournament(slug, tournament)

    @described(serializers.RoundSerializer(many=True), body=serializers.DecideSerializer, problems=[REFUSED])
    def decide(self, request: Request, slug: str, tournament: str, pk: int) -> object:
        """Decide a table of the newest round of a tournament of yours, with a reason. Answers with all rounds."""
        found, sent = self._organised(slug, tournament), self.sent()
        table = found_or_404(Table.objects.filter(pk=pk, round__tournament=found).first())
        table_decide_by_hand(table=table.pk, points=sent["points"], reason=sent["reason"], actor=self.user)
        return rounds_shown(told=self._told(slug, tournament))

    def _tournament(self, slug: str, tournament: str) -> Tournament:
        contest = self.contest(slug)
        found = found_or_404(tournament_seen(contest=contest, slug=tournament, reader=self.reader))
        found.contest = contest
        return found

    def _told(self, slug: str, tournament: str) -> Told:
        return tournament_told(tournament=self._tournament(slug, tournament), reader=self.reader)

    def _organised(self, slug: str, tournament: str) -> Tournament:
        found = self._tournament(slug, tournament)
        return found_or_404(found if organises(reader=self.reader, contest=found.contest) else None)

    def _entrant(self, slug: str, tournament: str, pk: int) -> Entrant:
        found = self._tournament(slug, tournament)
        return found_or_404(entrants_of(tournament=found).filter(pk=pk).first())


def stage_index(told: Told, number: int | None) -> int:
    """Return the index (from 0) of stage ``number`` (from 1); if that is None, of the newest stage that has a round.

    Raises:
        NotFound: the tournament has no such stage.
    """
    if number is None:
        return told.rounds[-1].row.stage if told.rounds else 0
    if number > len(told.stages):
        raise NotFound(_("This tournament has no stage with this number."))
    return number - 1
