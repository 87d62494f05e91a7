"""The administrators' page of the audit log. Others get 404."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from fleet.access import staff_only
from fleet.selectors.audit import audit_page


@require_safe
@staff_only
def audit(request: HttpRequest) -> HttpResponse:
    """Show the audit log, newest first."""
    return render(request, "fleet/audit.html", {"page": audit_page(number=request.GET.get("page"))})
