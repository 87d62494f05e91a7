"""API views of workers, queue, hosts, games' settings and audit log, for administrators. Others get 404."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import AuditEntry
from api.base import REFUSED, UNAVAILABLE, PagedApi, Resource, StaffApi, checked, created, described, found_or_404
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
from contests.models import Contest
from contests.selectors.contests import contest_named
from contests.services.contests import contest_deadline_set, contest_limits_set, contest_transition
from fleet.models import Host
from fleet.selectors.overview import overview
from fleet.services.hosts import host_invite, host_revoke, join_command
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.models import Worker
from jobs.services.workers import worker_drain, worker_scale
from ladder.selectors.programs import programs_shared
from matches.selectors.collusion import collusion_report


class FleetApi(StaffApi):
    """GET: all workers and the queue."""

    @described(FleetSerializer)
    def get(self, request: Request) -> Response:
        """Show every worker, and the jobs that wait in the queue."""
        return Response(FleetSerializer(overview()).data)


class WorkerApi(Resource, StaffApi):
    """Views of one worker."""

    def worker(self, pk: int) -> Worker:
        """Return the worker with this id.

        Raises:
            NotFound: there is none.
        """
        return found_or_404(Worker.objects.filter(pk=pk).first())

    def shown(self, pk: int) -> Response:
        """Return an answer with the worker's present state, read from the database."""
        return Response(WorkerSerializer(self.worker(pk)).data)

    @described(WorkerSerializer)
    def show(self, request: Request, pk: int) -> Response:
        """Show a worker."""
        return self.shown(pk)

    @described(WorkerSerializer, body=ScaleSerializer, problems=[REFUSED])
    def scale(self, request: Request, pk: int) -> Response:
        """Set the number of processes in which a worker plays; it stays so when the worker restarts."""
        sent = checked(ScaleSerializer, request.data)
        worker_scale(name=self.worker(pk).name, actor=self.user, **sent)
        return self.shown(pk)

    @described(WorkerSerializer, body=ReasonSerializer, problems=[REFUSED])
    def drain(self, request: Request, pk: int) -> Response:
        """Have a worker finish its matches and take no new work."""
        worker_drain(name=self.worker(pk).name, actor=self.user, **checked(ReasonSerializer, request.data))
        return self.shown(pk)

    @described(WorkerSerializer, body=ReasonSerializer, problems=[REFUSED, UNAVAILABLE])
    def resume(self, request: Request, pk: int) -> Response:
        """Have a drained or quarantined worker take work again, and let its host sign in at the broker."""
        worker_release(name=self.worker(pk).name, actor=self.user, **checked(ReasonSerializer, request.data))
        return self.shown(pk)

    @described(QuarantinedSerializer, body=QuarantineSerializer, problems=[REFUSED, UNAVAILABLE])
    def quarantine(self, request: Request, pk: int) -> Response:
        """Ignore what a worker reports from now on, and have other workers play its last matches again."""
        sent = checked(QuarantineSerializer, request.data)
        since = timezone.now() - timedelta(hours=sent["hours"])
        name = self.worker(pk).name
        done = worker_quarantine(name=name, actor=self.user, reason=sent["reason"], since=since)
        return Response(QuarantinedSerializer(done).data)


class HostsApi(Resource, StaffApi):
    """Views of hosts."""

    def host(self, pk: int) -> Host:
        """Return the host with this id.

        Raises:
            NotFound: there is none.
        """
        return found_or_404(Host.objects.filter(pk=pk).first())

    @described(HostSerializer(many=True))
    def all(self, request: Request) -> Response:
        """List the hosts that were invited, with their states."""
        return Response(HostSerializer(Host.objects.all(), many=True).data)

    @created(InvitationSerializer, body=InviteSerializer)
    def invite(self, request: Request) -> Response:
        """Invite a machine to play."""
        token = host_invite(actor=self.user, **checked(InviteSerializer, request.data))
        answer = InvitationSerializer({"token": token, "command": join_command(token=token)})
        return Response(answer.data, status=HTTPStatus.CREATED)

    @described(HostSerializer, body=ReasonSerializer, problems=[REFUSED, UNAVAILABLE])
    def revoke(self, request: Request, pk: int) -> Response:
        """Revoke a host: its workers are disconnected from the broker at once and cannot sign in again."""
        host_revoke(name=self.host(pk).name, actor=self.user, **checked(ReasonSerializer, request.data))
        return Response(HostSerializer(self.host(pk)).data)


class GamesApi(Resource, StaffApi):
    """Views of what administrators set for games, and of what they ask about one."""

    def shown(self, game: str) -> Response:
        """Return an answer with the open contest of a game as it is now.

        Raises:
            NotFound: there is none.
        """
        return Response(GameSerializer(found_or_404(contest_named(slug=game))).data)

    @described(GameSerializer, body=GameStateSerializer, problems=[REFUSED])
    def state(self, request: Request, game: str) -> Response:
        """Open, pause or freeze a game; matches that are queued or being played are still finished."""
        found_or_404(contest_named(slug=game))
        sent = checked(GameStateSerializer, request.data)
        contest_transition(contest=game, to=Contest.State(sent["state"]), actor=self.user, reason=sent["reason"])
        return self.shown(game)

    @described(GameSerializer, body=GameDeadlineSerializer, problems=[REFUSED])
    def deadline(self, request: Request, game: str) -> Response:
        """Set until when a game takes bots; matches go on after that."""
        found_or_404(contest_named(slug=game))
        contest_deadline_set(contest=game, actor=self.user, **checked(GameDeadlineSerializer, request.data))
        return self.shown(game)

    @described(GameSerializer, body=GameLimitsSerializer, problems=[REFUSED])
    def limits(self, request: Request, game: str) -> Response:
        """Set the limits of a game's bots, for the matches that are handed out from now on."""
        found_or_404(contest_named(slug=game))
        contest_limits_set(contest=game, actor=self.user, **checked(GameLimitsSerializer, request.data))
        return self.shown(game)

    @described(CollusionSerializer, query=CollusionQuery)
    def collusion(self, request: Request, game: str) -> Response:
        """List the pairs of bots of a game whose results differ improbably from what their ratings predict."""
        query = checked(CollusionQuery, request.query_params)
        since = timezone.now() - timedelta(days=query["days"]) if "days" in query else None
        name = found_or_404(contest_named(slug=game)).slug
        return Response(CollusionSerializer(collusion_report(contest=name, since=since)).data)

    @described(SharedProgramSerializer(many=True))
    def programs(self, request: Request, game: str) -> Response:
        """List the programs of a game that bots of several owners play with.

        That is normal for starter kits, house bots and published programs that somebody uploads unchanged.
        """
        name = found_or_404(contest_named(slug=game)).slug
        return Response(SharedProgramSerializer(programs_shared(contest=name), many=True).data)


class AuditApi(StaffApi, PagedApi):
    """GET: the audit log."""

    @described(AuditEntrySerializer(many=True))
    def get(self, request: Request) -> Response:
        """List what administrators did, newest first."""
        return self.page(AuditEntry.objects.all(), AuditEntrySerializer)
