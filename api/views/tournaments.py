"""API views of tournaments: what they are, how they stand, and what entrants and organisers do.

Who may not see a contest gets 404 for its tournaments, as for those that do not exist. Drafts are for organisers alone,
and so are results that are not released.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import checked, described, found_or_404
from api.serializers.tournaments import (
    ActSerializer,
    DecideSerializer,
    EntrantSerializer,
    LeaveSerializer,
    PlaceSerializer,
    RoundSerializer,
    StageQuery,
    StandingsSerializer,
    TournamentEnterSerializer,
    TournamentFieldsSerializer,
    TournamentSerializer,
    TournamentStartSerializer,
    TrfQuery,
    WholeTournamentSerializer,
)
from api.views.contests import ContestView
from common.errors import InputError
from contests.models import Contest
from contests.selectors.people import organises
from formats.standings import groups_of, places, stage_entrants, standings, tie_breaks_of
from formats.trf import trf_write
from ladder.selectors.bots import bot_for_reader
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.entrants import entrants_of
from tournaments.selectors.loading import Told, tournament_told
from tournaments.selectors.rounds import rounds_shown
from tournaments.selectors.tournaments import tournament_seen, tournaments_seen
from tournaments.services.entries import entrant_enter, entrant_leave, entrant_remove
from tournaments.services.pairings import table_decide_by_hand
from tournaments.services.tournaments import (
    round_release,
    tournament_change,
    tournament_create,
    tournament_delete,
    tournament_draw,
    tournament_draw_take_back,
    tournament_open,
    tournament_pause,
    tournament_release,
    tournament_resume,
    tournament_start,
)

REFUSED = HTTPStatus.UNPROCESSABLE_ENTITY
ACTS: dict[str, Callable[..., object]] = {
    "open": tournament_open,
    "draw": tournament_draw,
    "take_back": tournament_draw_take_back,
    "start": tournament_start,
    "pause": tournament_pause,
    "resume": tournament_resume,
    "release_round": round_release,
    "release": tournament_release,
}


class TournamentView(ContestView):
    """The base of the views of tournaments."""

    def get_permissions(self) -> list[IsAuthenticated]:
        """Return the permissions: everybody may read, users may act."""
        return [] if self.request.method in ("GET", "HEAD") else [IsAuthenticated()]

    def tournament(self, slug: str, tournament: str) -> Tournament:
        """Return the tournament of a contest with this key.

        Raises:
            NotFound: there is none, or the caller may not see it.
        """
        contest = self.contest(slug)
        found = found_or_404(tournament_seen(contest=contest, slug=tournament, reader=self.reader))
        found.contest = contest
        return found

    def told(self, slug: str, tournament: str) -> Told:
        """Return a tournament as the caller may know it.

        Raises:
            NotFound: there is none, or the caller may not see it.
        """
        return tournament_told(tournament=self.tournament(slug, tournament), reader=self.reader)

    def check_organises(self, contest: Contest) -> None:
        """Let only organisers of a contest and administrators go on.

        Raises:
            NotFound: the caller is none of them.
        """
        if not organises(reader=self.reader, contest=contest):
            raise NotFound(_("There is no such thing, or it is not yours to see."))

    def organised(self, slug: str, tournament: str) -> Tournament:
        """Return a tournament that the caller organises.

        Raises:
            NotFound: there is none.
        """
        found = self.tournament(slug, tournament)
        self.check_organises(found.contest)
        return found

    def whole(self, slug: str, tournament: str) -> Response:
        """Return an answer with the tournament's present state, read from the database."""
        found = self.tournament(slug, tournament)
        knows_all = not found.is_hidden or organises(reader=self.reader, contest=found.contest)
        context = {"entrants": entrants_of(tournament=found), "knows_all": knows_all}
        return Response(WholeTournamentSerializer(found, context=context).data)


class TournamentsApi(TournamentView):
    """GET: the tournaments of a contest; POST: make one."""

    site_limit = "contest"

    @described(TournamentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the tournaments of a contest, newest first. Drafts are listed to organisers alone."""
        contest = self.contest(slug)
        found = tournaments_seen(contest=contest, reader=self.reader).select_related("contest")
        return Response(TournamentSerializer(found, many=True).data)

    @described(WholeTournamentSerializer, status=HTTPStatus.CREATED, body=TournamentStartSerializer, problems=[REFUSED])
    def post(self, request: Request, slug: str) -> Response:
        """Make a draft of a tournament in a contest of yours."""
        contest = self.contest(slug)
        self.check_organises(contest)
        made = tournament_create(
            contest=contest.slug, actor=self.user, **checked(TournamentStartSerializer, request.data)
        )
        answer = self.whole(slug, made.slug)
        answer.status_code = HTTPStatus.CREATED
        answer["Location"] = reverse("api:tournament", args=[contest.slug, made.slug])
        return answer


class TournamentApi(TournamentView):
    """GET: one tournament; PATCH: change it; DELETE: delete it."""

    @described(WholeTournamentSerializer)
    def get(self, request: Request, slug: str, tournament: str) -> Response:
        """Show a tournament: its state, stages and entrants."""
        return self.whole(slug, tournament)

    @described(WholeTournamentSerializer, body=TournamentFieldsSerializer, problems=[REFUSED])
    def patch(self, request: Request, slug: str, tournament: str) -> Response:
        """Change fields of a tournament of yours; texts always, most others until the draw."""
        found = self.organised(slug, tournament)
        tournament_change(tournament=found.pk, actor=self.user, **checked(TournamentFieldsSerializer, request.data))
        return self.whole(slug, tournament)

    @described(None, status=HTTPStatus.NO_CONTENT, problems=[REFUSED])
    def delete(self, request: Request, slug: str, tournament: str) -> Response:
        """Delete a tournament of yours that has no result."""
        tournament_delete(tournament=self.organised(slug, tournament).pk, actor=self.user)
        return Response(status=HTTPStatus.NO_CONTENT)


class TournamentActApi(TournamentView):
    """POST: draw, start, pause, release and so on."""

    @described(WholeTournamentSerializer, body=ActSerializer, problems=[REFUSED])
    def post(self, request: Request, slug: str, tournament: str) -> Response:
        """Announce, draw, start, pause, resume or release a tournament of yours.

        `draw` fixes the entrants and their versions; `take_back` undoes that until a match has a result.
        """
        found, sent = self.organised(slug, tournament), checked(ActSerializer, request.data)
        more: dict[str, Any] = {"reason": sent["reason"]} if sent["act"] in ("pause", "take_back") else {}
        if sent["act"] == "release_round":
            named = found.rounds.filter(stage=sent["stage"] - 1, number=sent["round"] or 0)
            more = {"wanted": found_or_404(named.first()).pk}
        ACTS[sent["act"]](tournament=found.pk, actor=self.user, **more)
        return self.whole(slug, tournament)


class RoundsApi(TournamentView):
    """GET: the rounds of a tournament."""

    @described(RoundSerializer(many=True))
    def get(self, request: Request, slug: str, tournament: str) -> Response:
        """List the rounds of a tournament with their tables and results.

        The list ends with the first round whose results are hidden: the pairing of later rounds would tell them.
        """
        return Response(RoundSerializer(rounds_shown(told=self.told(slug, tournament)), many=True).data)


class StandingsApi(TournamentView):
    """GET: the standings of a stage."""

    @described(StandingsSerializer, query=StageQuery)
    def get(self, request: Request, slug: str, tournament: str) -> Response:
        """Show the table of a stage, by all results that you may know."""
        told = self.told(slug, tournament)
        index = stage_index(told, checked(StageQuery, request.query_params)["stage"])
        rows = standings(stages=told.stages, stage=index, entrants=told.entrants, decided=told.decided)
        used = [str(each) for each in tie_breaks_of(told.stages[index])]
        return Response(StandingsSerializer({"stage": index + 1, "tie_breaks": used, "rows": rows}).data)


class PlacesApi(TournamentView):
    """GET: the places of a tournament."""

    @described(PlaceSerializer(many=True))
    def get(self, request: Request, slug: str, tournament: str) -> Response:
        """List where each entrant has come so far, by all results that you may know, best first."""
        told = self.told(slug, tournament)
        rows = places(stages=told.stages, entrants=told.entrants, decided=told.decided)
        return Response(PlaceSerializer(rows, many=True).data)


class TrfApi(TournamentView):
    """GET: a stage as a TRF file."""

    @described(str, content_type="text/plain", query=TrfQuery, problems=[REFUSED])
    def get(self, request: Request, slug: str, tournament: str) -> HttpResponseBase:
        """Download a stage of Swiss or round robin as a TRF file, which pairing programs of chess read.

        It has the rounds whose results you may know.
        """
        told, query = self.told(slug, tournament), checked(TrfQuery, request.query_params)
        index = stage_index(told, query["stage"])
        members = stage_entrants(stages=told.stages, stage=index, entrants=told.entrants, decided=told.decided)
        if query["group"] not in groups_of(stage=told.stages[index], numbers=members):
            raise NotFound(_("This stage has no group with this name."))
        try:
            text = trf_write(
                name=told.tournament.title,
                stages=told.stages,
                stage=index,
                entrants=told.entrants,
                decided=told.decided_whole,
                group=query["group"],
            )
        except ValueError as error:
            raise InputError(_("Only a Swiss or a round robin at tables of two has a TRF file.")) from error
        response = HttpResponse(text, content_type="text/plain; charset=us-ascii")
        response["Content-Disposition"] = f'attachment; filename="{told.tournament.slug}-{index + 1}.trf"'
        return response


class EntrantsApi(TournamentView):
    """POST: enter a bot."""

    @described(EntrantSerializer, status=HTTPStatus.CREATED, body=TournamentEnterSerializer, problems=[REFUSED])
    def post(self, request: Request, slug: str, tournament: str) -> Response:
        """Enter a bot of yours that plays in the contest; organisers enter any bot of it."""
        found = self.tournament(slug, tournament)
        wanted = checked(TournamentEnterSerializer, request.data)["bot"]
        bot = found_or_404(bot_for_reader(pk=wanted, reader=self.reader))
        entrant = entrant_enter(tournament=found.pk, bot=bot.pk, actor=self.user)
        shown = EntrantSerializer(entrant, context={"knows_all": False})
        return Response(shown.data, status=HTTPStatus.CREATED)


class EntrantView(TournamentView):
    """The base of the views of one entrant."""

    def entrant(self, slug: str, tournament: str, pk: int) -> Entrant:
        """Return the entrant of a tournament with this id.

        Raises:
            NotFound: there is none, or the caller may not see it.
        """
        found = self.tournament(slug, tournament)
        return found_or_404(entrants_of(tournament=found).filter(pk=pk).first())


class EntrantApi(EntrantView):
    """DELETE: take an entry back."""

    @described(None, status=HTTPStatus.NO_CONTENT, problems=[REFUSED])
    def delete(self, request: Request, slug: str, tournament: str, pk: int) -> Response:
        """Take back the entry of a bot of yours before the draw."""
        entrant_remove(entrant=self.entrant(slug, tournament, pk).pk, actor=self.user)
        return Response(status=HTTPStatus.NO_CONTENT)


class EntrantLeaveApi(EntrantView):
    """POST: let an entrant leave."""

    @described(WholeTournamentSerializer, body=LeaveSerializer, problems=[REFUSED])
    def post(self, request: Request, slug: str, tournament: str, pk: int) -> Response:
        """Withdraw a bot of yours after the draw: it loses what it has not played.

        Organisers withdraw or disqualify any bot, with a reason.
        """
        entrant, sent = self.entrant(slug, tournament, pk), checked(LeaveSerializer, request.data)
        entrant_leave(entrant=entrant.pk, left=Entrant.Left(sent["left"]), reason=sent["reason"], actor=self.user)
        return self.whole(slug, tournament)


class TableDecideApi(TournamentView):
    """POST: decide a table by hand."""

    @described(RoundSerializer(many=True), body=DecideSerializer, problems=[REFUSED])
    def post(self, request: Request, slug: str, tournament: str, pk: int) -> Response:
        """Decide a table of the newest round of a tournament of yours, with a reason. Answers with all rounds."""
        found, sent = self.organised(slug, tournament), checked(DecideSerializer, request.data)
        table = found_or_404(Table.objects.filter(pk=pk, round__tournament=found).first())
        table_decide_by_hand(table=table.pk, points=sent["points"], reason=sent["reason"], actor=self.user)
        return Response(RoundSerializer(rounds_shown(told=self.told(slug, tournament)), many=True).data)


def stage_index(told: Told, number: int | None) -> int:
    """Return the index of the stage that a caller asks for; without a number, of the newest one that has a round.

    Raises:
        NotFound: the tournament has no such stage.
    """
    if number is None:
        return told.rounds[-1].row.stage if told.rounds else 0
    if number > len(told.stages):
        raise NotFound(_("This tournament has no stage with this number."))
    return number - 1
