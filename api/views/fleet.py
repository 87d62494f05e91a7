"""API views of workers, queue, hosts, games' settings and audit log, for administrators. Others get 404."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from rest_framework.request import Request

from api.base import REFUSED, UNAVAILABLE, PagedApi, Resource, StaffApi, created, described, found_or_404
from api.serializers import fleet as serializers
from api.serializers.ladder import GameSerializer
from contests.models import Contest
from contests.selectors.contests import contest_named
from contests.services.contests import contest_deadline_set, contest_limits_set, contest_transition
from fleet.models import Host
from fleet.selectors.audit import audit_entries
from fleet.selectors.hosts import host_by_id, hosts_all
from fleet.selectors.overview import overview
from fleet.services.hosts import host_invite, host_revoke, join_command
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.models import Worker
from jobs.selectors.workers import worker_by_id
from jobs.services.workers import worker_drain, worker_scale
from ladder.selectors.programs import programs_shared
from matches.selectors.collusion import collusion_report


class FleetApi(StaffApi):
    """GET: all workers and the queue."""

    @described(serializers.FleetSerializer)
    def get(self, request: Request) -> object:
        """Show every worker, and the jobs that wait in the queue."""
        return overview()


class WorkerApi(Resource, StaffApi):
    """Views of one worker."""

    @described(serializers.WorkerSerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show a worker."""
        return _worker(pk)

    @described(serializers.WorkerSerializer, body=serializers.ScaleSerializer, problems=[REFUSED])
    def scale(self, request: Request, pk: int) -> object:
        """Set the number of processes in which a worker plays; it stays so when the worker restarts."""
        worker_scale(name=_worker(pk).name, actor=self.user, **self.sent())
        return _worker(pk)

    @described(serializers.WorkerSerializer, body=serializers.ReasonSerializer, problems=[REFUSED])
    def drain(self, request: Request, pk: int) -> object:
        """Have a worker finish its matches and take no new work."""
        worker_drain(name=_worker(pk).name, actor=self.user, **self.sent())
        return _worker(pk)

    @described(serializers.WorkerSerializer, body=serializers.ReasonSerializer, problems=[REFUSED, UNAVAILABLE])
    def resume(self, request: Request, pk: int) -> object:
        """Have a drained or quarantined worker take work again, and let its host sign in at the broker."""
        worker_release(name=_worker(pk).name, actor=self.user, **self.sent())
        return _worker(pk)

    @described(
        serializers.QuarantinedSerializer, body=serializers.QuarantineSerializer, problems=[REFUSED, UNAVAILABLE]
    )
    def quarantine(self, request: Request, pk: int) -> object:
        """Ignore what a worker reports from now on, and have other workers play its last matches again."""
        sent, name = self.sent(), _worker(pk).name
        since = timezone.now() - timedelta(hours=sent["hours"])
        return worker_quarantine(name=name, actor=self.user, reason=sent["reason"], since=since)


class HostsApi(Resource, StaffApi):
    """Views of hosts."""

    @described(serializers.HostSerializer(many=True))
    def all(self, request: Request) -> object:
        """List the hosts that were invited, with their states."""
        return hosts_all()

    @created(serializers.InvitationSerializer, body=serializers.InviteSerializer)
    def invite(self, request: Request) -> object:
        """Invite a machine to play."""
        token = host_invite(actor=self.user, **self.sent())
        return {"token": token, "command": join_command(token=token)}

    @described(serializers.HostSerializer, body=serializers.ReasonSerializer, problems=[REFUSED, UNAVAILABLE])
    def revoke(self, request: Request, pk: int) -> object:
        """Revoke a host: its workers are disconnected from the broker at once and cannot sign in again."""
        host_revoke(name=_host(pk).name, actor=self.user, **self.sent())
        return _host(pk)


class GamesApi(Resource, StaffApi):
    """Views of what administrators set for games, and of what they ask about one."""

    @described(GameSerializer, body=serializers.GameStateSerializer, problems=[REFUSED])
    def state(self, request: Request, game: str) -> object:
        """Open, pause or freeze a game; matches that are queued or being played are still finished."""
        key, sent = _game(game).pk, self.sent()
        contest_transition(contest=key, to=Contest.State(sent["state"]), actor=self.user, reason=sent["reason"])
        return _game(game)

    @described(GameSerializer, body=serializers.GameDeadlineSerializer, problems=[REFUSED])
    def deadline(self, request: Request, game: str) -> object:
        """Set until when a game takes bots; matches go on after that."""
        contest_deadline_set(contest=_game(game).pk, actor=self.user, **self.sent())
        return _game(game)

    @described(GameSerializer, body=serializers.GameLimitsSerializer, problems=[REFUSED])
    def limits(self, request: Request, game: str) -> object:
        """Set the limits of a game's bots, for the matches that are handed out from now on."""
        contest_limits_set(contest=_game(game).pk, actor=self.user, **self.sent())
        return _game(game)

    @described(serializers.CollusionSerializer, query=serializers.CollusionQuery)
    def collusion(self, request: Request, game: str) -> object:
        """List the pairs of bots of a game whose results differ improbably from what their ratings predict."""
        query = self.query()
        since = timezone.now() - timedelta(days=query["days"]) if "days" in query else None
        return collusion_report(contest=_game(game).slug, since=since)

    @described(serializers.SharedProgramSerializer(many=True))
    def programs(self, request: Request, game: str) -> object:
        """List the programs of a game that bots of several owners play with.

        That is normal for starter kits, house bots and published programs that somebody uploads unchanged.
        """
        return programs_shared(contest=_game(game).slug)


class AuditApi(StaffApi, PagedApi):
    """GET: the audit log."""

    @described(serializers.AuditEntrySerializer(many=True))
    def get(self, request: Request) -> object:
        """List what administrators and organisers did, newest first."""
        return audit_entries()


def _worker(pk: int) -> Worker:
    return found_or_404(worker_by_id(pk=pk))


def _host(pk: int) -> Host:
    return found_or_404(host_by_id(pk=pk))


def _game(name: str) -> Contest:
    """Return the open contest of a game as it is now."""
    return found_or_404(contest_named(slug=name))
