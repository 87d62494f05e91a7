"""Workers, the queue, hosts, the audit log. Whoever is no administrator is told that there is none of it."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import IsStaff
from api.base import Api, PagedApi, checked, described, found_or_404
from api.serializers.fleet import (
    AuditEntrySerializer,
    CollusionQuery,
    CollusionSerializer,
    FleetSerializer,
    GameDeadlineSerializer,
    GameLimitsSerializer,
    GameStateSerializer,
    HostSerializer,
    InvitationSerializer,
    InviteSerializer,
    QuarantinedSerializer,
    QuarantineSerializer,
    ReasonSerializer,
    ScaleSerializer,
    SharedProgramSerializer,
    WorkerSerializer,
)
from api.serializers.ladder import GameSerializer
from fleet.models import Host
from fleet.selectors.overview import audit_entries, host_by_id, hosts_all, overview
from fleet.services.hosts import host_invite, host_revoke, join_command
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.models import Worker
from jobs.selectors.workers import worker_by_id
from jobs.services.workers import worker_drain, worker_scale
from ladder.models import GameSetting
from ladder.selectors.games import game_card
from ladder.selectors.programs import programs_shared
from ladder.services.games import game_deadline_set, game_limits_set, game_transition
from matches.selectors.collusion import collusion_report

REFUSED, UNAVAILABLE = HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE


class FleetApi(Api):
    """The fleet."""

    permission_classes = [IsStaff]

    @described(FleetSerializer)
    def get(self, request: Request) -> Response:
        """Show every worker and what waits in the queue."""
        return Response(FleetSerializer(overview()).data)


class WorkerView(Api):
    """Something of one worker."""

    permission_classes = [IsStaff]

    def worker(self, pk: int) -> Worker:
        """Return a worker."""
        return found_or_404(worker_by_id(pk=pk))

    def shown(self, pk: int) -> Response:
        """Answer with a worker as it is now."""
        return Response(WorkerSerializer(self.worker(pk)).data)


class WorkerApi(WorkerView):
    """One worker."""

    @described(WorkerSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Show a worker."""
        return self.shown(pk)


class ScaleApi(WorkerView):
    """Scaling."""

    @described(WorkerSerializer, body=ScaleSerializer, problems=[REFUSED])
    def post(self, request: Request, pk: int) -> Response:
        """Have a worker play in so many processes; it keeps this over its restarts."""
        sent = checked(ScaleSerializer, request.data)
        worker_scale(name=self.worker(pk).name, actor=self.user, **sent)
        return self.shown(pk)


class DrainApi(WorkerView):
    """Draining."""

    @described(WorkerSerializer, body=ReasonSerializer, problems=[REFUSED])
    def post(self, request: Request, pk: int) -> Response:
        """Have a worker end what it plays and take no new work."""
        worker_drain(name=self.worker(pk).name, actor=self.user, **checked(ReasonSerializer, request.data))
        return self.shown(pk)


class ResumeApi(WorkerView):
    """The end of draining and of quarantine."""

    @described(WorkerSerializer, body=ReasonSerializer, problems=[REFUSED, UNAVAILABLE])
    def post(self, request: Request, pk: int) -> Response:
        """Have a worker that was drained or quarantined take work again, and let its host at the broker."""
        worker_release(name=self.worker(pk).name, actor=self.user, **checked(ReasonSerializer, request.data))
        return self.shown(pk)


class QuarantineApi(WorkerView):
    """Quarantine."""

    @described(QuarantinedSerializer, body=QuarantineSerializer, problems=[REFUSED, UNAVAILABLE])
    def post(self, request: Request, pk: int) -> Response:
        """Trust nothing more that a worker reports, and have its last results played again by others."""
        sent = checked(QuarantineSerializer, request.data)
        since = timezone.now() - timedelta(hours=sent["hours"])
        name = self.worker(pk).name
        done = worker_quarantine(name=name, actor=self.user, reason=sent["reason"], since=since)
        return Response(QuarantinedSerializer(done).data)


class HostsApi(Api):
    """Hosts."""

    permission_classes = [IsStaff]

    @described(HostSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the hosts that were invited."""
        return Response(HostSerializer(hosts_all(), many=True).data)

    @described(InvitationSerializer, status=HTTPStatus.CREATED, body=InviteSerializer, problems=[REFUSED])
    def post(self, request: Request) -> Response:
        """Invite a machine to play."""
        token = host_invite(actor=self.user, **checked(InviteSerializer, request.data))
        answer = InvitationSerializer({"token": token, "command": join_command(token=token)})
        return Response(answer.data, status=HTTPStatus.CREATED)


class RevokeApi(Api):
    """Turning a host away."""

    permission_classes = [IsStaff]

    @described(HostSerializer, body=ReasonSerializer, problems=[REFUSED, UNAVAILABLE])
    def post(self, request: Request, pk: int) -> Response:
        """Turn a host away: its workers lose the broker at once."""
        host_revoke(name=self._host(pk).name, actor=self.user, **checked(ReasonSerializer, request.data))
        return Response(HostSerializer(self._host(pk)).data)

    def _host(self, pk: int) -> Host:
        return found_or_404(host_by_id(pk=pk))


class GameStateApi(Api):
    """Opening, pausing, freezing."""

    permission_classes = [IsStaff]

    @described(GameSerializer, body=GameStateSerializer, problems=[REFUSED])
    def post(self, request: Request, game: str) -> Response:
        """Open, pause or freeze a game; what is in the queue or being played ends as always."""
        card = found_or_404(game_card(name=game))
        sent = checked(GameStateSerializer, request.data)
        game_transition(game=game, to=GameSetting.State(sent["state"]), actor=self.user, reason=sent["reason"])
        return Response(GameSerializer(card).data)


class GameDeadlineApi(Api):
    """Until when a game takes bots."""

    permission_classes = [IsStaff]

    @described(GameSerializer, body=GameDeadlineSerializer, problems=[REFUSED])
    def post(self, request: Request, game: str) -> Response:
        """Choose until when a game takes bots; matches go on behind it."""
        card = found_or_404(game_card(name=game))
        game_deadline_set(game=game, actor=self.user, **checked(GameDeadlineSerializer, request.data))
        return Response(GameSerializer(card).data)


class GameLimitsApi(Api):
    """Limits of a game's bots."""

    permission_classes = [IsStaff]

    @described(GameSerializer, body=GameLimitsSerializer, problems=[REFUSED])
    def post(self, request: Request, game: str) -> Response:
        """Choose the limits of a game's bots, for the matches that are handed out from now on."""
        card = found_or_404(game_card(name=game))
        game_limits_set(game=game, actor=self.user, **checked(GameLimitsSerializer, request.data))
        return Response(GameSerializer(card).data)


class AuditApi(PagedApi):
    """The audit log."""

    permission_classes = [IsStaff]

    @described(AuditEntrySerializer(many=True))
    def get(self, request: Request) -> Response:
        """List what administrators did, newest first."""
        return self.page(audit_entries(), AuditEntrySerializer)


class CollusionApi(Api):
    """Bots that may play for each other."""

    permission_classes = [IsStaff]

    @described(CollusionSerializer, query=CollusionQuery)
    def get(self, request: Request, game: str) -> Response:
        """List the pairs of a game whose results differ improbably from their ratings."""
        query = checked(CollusionQuery, request.query_params)
        since = timezone.now() - timedelta(days=query["days"]) if "days" in query else None
        name = found_or_404(game_card(name=game)).name
        return Response(CollusionSerializer(collusion_report(game=name, since=since)).data)


class SharedProgramsApi(Api):
    """Programs that several owners have."""

    permission_classes = [IsStaff]

    @described(SharedProgramSerializer(many=True))
    def get(self, request: Request, game: str) -> Response:
        """List the programs of a game that bots of several owners play with.

        That is normal for starter kits, house bots and published programs that somebody uploads unchanged.
        """
        name = found_or_404(game_card(name=game)).name
        return Response(SharedProgramSerializer(programs_shared(game=name), many=True).data)
