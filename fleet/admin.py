"""Workers and hosts in the Django admin: their rows are read-only, and actions call the services."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.access import signed_in
from accounts.admin_parts import ListAdmin, ReadOnlyMixin, reason_of
from common.errors import InputError
from fleet.broker import BrokerRefused
from fleet.models import Host
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.models import Worker
from jobs.services.workers import worker_drain

REFUSALS = (InputError, BrokerRefused)


@admin.register(Worker)
class WorkerAdmin(ReadOnlyMixin, ListAdmin):
    """Playing workers. What they do at the moment is on the fleet page (``fleet.views.overview``)."""

    ordering = ["name"]
    list_display = ["name", "host", "state", "reason", "processes", "busy", "self_test", "canary_ms", "last_seen_at"]
    list_filter = ["state"]
    search_fields = ["name", "host"]
    actions = ["drain", "resume", "quarantine"]

    @admin.action(description=_("Drain: end what is played, take nothing new"), permissions=["view"])
    def drain(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        """Drain the chosen workers."""
        self._call(request, workers, worker_drain)

    @admin.action(description=_("Take work again"), permissions=["view"])
    def resume(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        """Let the chosen workers take work again."""
        self._call(request, workers, worker_release)

    @admin.action(description=_("Quarantine (with a reason that everybody reads)"), permissions=["view"])
    def quarantine(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        """Quarantine the chosen workers, and have their matches of the last hour played again."""
        self._call(request, workers, worker_quarantine)

    def _call(self, request: HttpRequest, workers: QuerySet[Worker], service: Callable[..., object]) -> None:
        actor, reason = signed_in(request), reason_of(request)

        def call(worker: Worker) -> None:
            service(name=worker.name, actor=actor, reason=reason)

        self.act(request, workers, call, refusals=REFUSALS)


@admin.register(Host)
class HostAdmin(ReadOnlyMixin, ListAdmin):
    """Hosts. They are invited and revoked on the page of hosts (``fleet.views.hosts``)."""

    ordering = ["name"]
    list_display = ["name", "state", "invited_at", "joined_at", "revoked_at"]
    list_filter = ["state"]
    search_fields = ["name"]
    exclude = ["token_digest", "password_digest"]
