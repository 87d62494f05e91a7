"""Workers and hosts in the Django admin: their rows are read-only, and actions call the services."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.admin_parts import ListAdmin, ReadOnlyMixin, row_action
from common.errors import InputError
from fleet.broker import BrokerRefused
from fleet.models import Host
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.models import Worker
from jobs.services.workers import worker_drain


def _action(words: Promise, service: Callable[..., object]) -> Callable[..., None]:
    return row_action(
        words,
        lambda worker, actor, reason: service(name=worker.name, actor=actor, reason=reason),
        refusals=(InputError, BrokerRefused),
    )


@admin.register(Worker)
class WorkerAdmin(ReadOnlyMixin, ListAdmin):
    """Playing workers. What they do at the moment is on the fleet page (``fleet.views.overview``)."""

    ordering = ["name"]
    list_display = ["name", "host", "state", "reason", "processes", "busy", "self_test", "canary_ms", "last_seen_at"]
    list_filter = ["state"]
    search_fields = ["name", "host"]
    actions = ["drain", "resume", "quarantine"]

    drain = _action(_("Drain: end what is played, take nothing new"), worker_drain)
    resume = _action(_("Take work again"), worker_release)
    quarantine = _action(_("Quarantine (with a reason that everybody reads)"), worker_quarantine)


@admin.register(Host)
class HostAdmin(ReadOnlyMixin, ListAdmin):
    """Hosts. They are invited and revoked on the page of hosts (``fleet.views.hosts``)."""

    ordering = ["name"]
    list_display = ["name", "state", "invited_at", "joined_at", "revoked_at"]
    list_filter = ["state"]
    search_fields = ["name"]
    exclude = ["token_digest", "password_digest"]
