"""The administrators' page of the audit log. Others get 404."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import AuditEntry
from fleet.access import staff_only

ROWS = 50


@require_safe
@staff_only
def audit(request: HttpRequest) -> HttpResponse:
    """Show the audit log, newest first."""
    page = Paginator(AuditEntry.objects.all(), ROWS).get_page(request.GET.get("page"))
    return render(request, "fleet/audit.html", {"page": page})
