"""The administrators' pages of workers: overview, scaling, draining, quarantine. Others get 404."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import signed_in
from common.errors import InputError
from common.forms import posted
from contests.selectors.contests import packages_problems
from core import __version__
from fleet.access import staff_only
from fleet.broker import BrokerRefused
from fleet.health import health_problems, scaling_note
from fleet.selectors.overview import games_failing, overview, workers_page
from fleet.services.quarantine import worker_quarantine, worker_release
from jobs.models import Worker
from jobs.services.workers import worker_drain, worker_scale
from ladder.selectors.housebots import housebots_missing

PROCESSES_DIGITS_MAX = 4


@require_safe
@staff_only
def fleet(request: HttpRequest) -> HttpResponse:
    """Show workers, page by page, and the queue; for htmx, which reloads it every 3 s, only the part that changes."""
    part = bool(request.headers.get("HX-Request"))
    whole = overview()
    page = workers_page(fleet=whole, number=request.GET.get("page"))
    context = {
        "fleet": whole,
        "page": page,
        "problems": health_problems(),
        "missing": housebots_missing(),
        "packages": [*packages_problems(), *games_failing()],
        "release": __version__,
    }
    return render(request, "fleet/_overview.html" if part else "fleet/fleet.html", context)


@require_POST
@staff_only
def act(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """Scale, drain or resume a worker, and redirect to the page of workers from which the form was sent."""
    name = get_object_or_404(Worker, pk=pk).name
    actor = signed_in(request)
    acts: dict[str, Callable[[], None]] = {
        "scale": lambda: worker_scale(name=name, processes=_processes(request), actor=actor),
        "drain": lambda: worker_drain(name=name, actor=actor),
        "resume": lambda: worker_release(name=name, actor=actor),
    }
    try:
        acts[act]()
    except (InputError, BrokerRefused) as reason:
        messages.error(request, str(reason))
    else:
        if act == "scale" and (note := scaling_note()):
            messages.warning(request, note)
    page = urlencode({"page": request.POST.get("page", "")})
    return redirect(f"{reverse('fleet:fleet')}?{page}")


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def quarantine(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form that asks for the reason of a quarantine; on POST, quarantine the worker."""
    worker = get_object_or_404(Worker, pk=pk)
    reason = posted(request, "reason")
    context: dict[str, object] = {"worker": worker, "reason": reason}
    if request.method != "POST":
        return render(request, "fleet/quarantine.html", context)
    try:
        done = worker_quarantine(name=worker.name, actor=signed_in(request), reason=reason)
    except (InputError, BrokerRefused) as refusal:
        context["error"] = refusal
        return render(request, "fleet/quarantine.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    messages.success(request, str(done))
    return redirect("fleet:fleet")


def _processes(request: HttpRequest) -> int:
    """Return the number of processes that was typed; 0 for what is no number, which the service then refuses."""
    text = request.POST.get("processes", "")
    return int(text) if text.isdecimal() and len(text) <= PROCESSES_DIGITS_MAX else 0
