"""The administrators' page of games: state (open, paused, frozen), end of uploads, and limits of bots."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import signed_in
from common.errors import InputError
from common.times import moment_read
from fleet.access import staff_only
from ladder.selectors.games import LIMIT_NAMES, game_limits_read, games_all, limits_installed
from ladder.services.games import ACTS, game_deadline_set, game_limits_set, game_transition


@never_cache
@require_safe
@staff_only
def games(request: HttpRequest) -> HttpResponse:
    """Show every game with its state and its limits."""
    rows = [
        {
            "game": card,
            "limits": [
                {
                    "name": name,
                    "chosen": card.setting.limits.get(name, ""),
                    "installed": getattr(limits_installed(game=card.name), name),
                }
                for name in LIMIT_NAMES
            ],
        }
        for card in games_all()
    ]
    return render(request, "fleet/games.html", {"rows": rows})


@require_POST
@staff_only
def game_act(request: HttpRequest, game: str, act: str) -> HttpResponse:
    """Open, pause or freeze a game."""
    reason = request.POST.get("reason", "")
    try:
        game_transition(game=game, to=ACTS[act], actor=signed_in(request), reason=reason)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:games")


@require_POST
@staff_only
def game_deadline(request: HttpRequest, game: str) -> HttpResponse:
    """Set until when a game takes bots; an empty field means without end."""
    typed = request.POST.get("until", "")
    try:
        game_deadline_set(game=game, until=moment_read(typed) if typed else None, actor=signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:games")


@require_POST
@staff_only
def game_limits(request: HttpRequest, game: str) -> HttpResponse:
    """Set the limits of a game's bots; an empty field means the installation's default."""
    words = [f"{name}={request.POST.get(name, '').strip()}" for name in LIMIT_NAMES]
    try:
        game_limits_set(game=game, limits=game_limits_read(words), actor=signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:games")
