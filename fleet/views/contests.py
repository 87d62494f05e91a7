"""The administrators' list of contests, which leads to their desks."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contests.selectors.contests import contests_visible
from fleet.access import staff_only

ROWS = 100


@require_safe
@staff_only
def contests(request: HttpRequest) -> HttpResponse:
    """List all contests with their states and dates."""
    found = contests_visible(reader=request.user).order_by("-created_at", "slug")
    page = Paginator(found, ROWS).get_page(request.GET.get("page"))
    return render(request, "fleet/contests.html", {"page": page})
