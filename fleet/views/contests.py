"""The administrators' page of contests: state (open, paused, frozen), end of uploads, and limits of bots."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import Reader, signed_in
from common.errors import InputError
from contests.selectors.contests import (
    LIMIT_NAMES,
    contests_visible,
    limits_installed,
    limits_read,
)
from contests.services.contests import (
    ACTS,
    contest_deadline_set,
    contest_limits_set,
    contest_transition,
)
from fleet.access import staff_only
from fleet.forms import DeadlineForm


@never_cache
@require_safe
@staff_only
def contests(request: HttpRequest) -> HttpResponse:
    """Show every contest with its state and its limits."""
    return render(request, "fleet/contests.html", {"rows": _rows(request.user)})


def _rows(reader: Reader, *, refused: Mapping[str, DeadlineForm] | None = None) -> list[dict[str, Any]]:
    """Return what the page shows of each contest; ``refused`` forms, by contest, are shown as they were filled in."""
    return [
        {
            "contest": contest,
            "form": (refused or {}).get(contest.slug)
            or DeadlineForm(initial={"until": contest.entries_until}, auto_id=f"%s-{contest.slug}"),
            "limits": [
                {
                    "name": name,
                    "chosen": contest.limits.get(name, ""),
                    "installed": getattr(limits_installed(game=contest.game), name),
                }
                for name in LIMIT_NAMES
            ],
        }
        for contest in contests_visible(reader=reader)
    ]


@require_POST
@staff_only
def contest_act(request: HttpRequest, contest: str, act: str) -> HttpResponse:
    """Open, pause or freeze a contest."""
    reason = request.POST.get("reason", "")
    try:
        contest_transition(contest=contest, to=ACTS[act], actor=signed_in(request), reason=reason)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:contests")


@require_POST
@staff_only
def contest_deadline(request: HttpRequest, contest: str) -> HttpResponse:
    """Set until when a contest takes bots; an empty field means without end."""
    form = DeadlineForm(request.POST, auto_id=f"%s-{contest}")
    if not form.is_valid():
        rows = _rows(request.user, refused={contest: form})
        return render(request, "fleet/contests.html", {"rows": rows}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        contest_deadline_set(contest=contest, until=form.cleaned_data["until"], actor=signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:contests")


@require_POST
@staff_only
def contest_limits(request: HttpRequest, contest: str) -> HttpResponse:
    """Set the limits of a contest's bots; an empty field means the installation's default."""
    words = [f"{name}={request.POST.get(name, '').strip()}" for name in LIMIT_NAMES]
    try:
        contest_limits_set(contest=contest, limits=limits_read(words), actor=signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:contests")
