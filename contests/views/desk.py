"""The organiser's desk of a contest, and the page that makes a new one."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import administrates, own_form, signed_in, two_factor_missing, two_factor_redirect
from common.forms import posted
from common.limits import rate_limited
from common.shortcuts import act_told, form_page
from common.words.messages import game_title
from contests.forms import ContestForm
from contests.models import Contest
from contests.selectors.contests import contests_may_create, play_problem
from contests.services.contests import (
    ACTS,
    contest_change,
    contest_create,
    contest_delete,
    contest_delete_problem,
    contest_transition,
)
from contests.shortcuts import organisers_only


@own_form
@rate_limited("contest")
def contest_new(request: HttpRequest) -> HttpResponse:
    """Show the form for a new contest of the game ``?game=``, or the choice of a game; or make the contest (POST)."""
    if two_factor_missing(request.user):
        return two_factor_redirect(request)
    if not contests_may_create(reader=request.user):
        raise Http404(_("There is no such page."))
    game = request.GET.get("game", "")
    if game not in settings.GAMES:
        return render(request, "contests/new.html", {"games": [(name, game_title(name)) for name in settings.GAMES]})
    form = ContestForm(request.POST if request.method == "POST" else None, game=game, contest=None)
    made = form.saved(
        lambda: contest_create(slug=form.cleaned_data["slug"], game=game, actor=signed_in(request), **form.chosen())
    )
    if made is None:
        return form_page(request, "contests/new.html", form, game={"name": game, "title": game_title(game)})
    messages.success(request, _("The contest is a draft, which its organisers alone see. Open it here."))
    return redirect("contests:desk", place=made)


@require_safe
@organisers_only
def desk(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the organisers' desk of a contest."""
    return desk_page(request, contest)


@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def desk_settings(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the form of a contest's settings, or change them (POST)."""
    form = ContestForm(request.POST if request.method == "POST" else None, game=contest.game, contest=contest)
    changed = form.saved(
        lambda: contest_change(
            contest=contest.slug, actor=signed_in(request), read=form.cleaned_data["read"], **form.chosen()
        )
    )
    if changed is None:
        problem = contest_delete_problem(contest=contest)
        return form_page(request, "contests/desk_settings.html", form, contest=contest, delete_problem=problem)
    messages.success(request, _("The contest is changed."))
    return redirect("contests:desk", place=contest)


@require_POST
@organisers_only
def act(request: HttpRequest, contest: Contest, act: str) -> HttpResponse:
    """Open, pause, freeze or archive a contest (``act``)."""
    reason = posted(request, "reason")
    act_told(
        request, lambda: contest_transition(contest=contest.slug, to=ACTS[act], actor=signed_in(request), reason=reason)
    )
    return redirect("contests:desk", place=contest)


@require_POST
@organisers_only
def delete(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Delete a contest in which no match was made."""

    def deleted() -> str:
        contest_delete(contest=contest.slug, actor=signed_in(request))
        return _("%(title)s is deleted.") % {"title": contest}

    return redirect("home") if act_told(request, deleted) else redirect("contests:desk", place=contest)


def desk_page(
    request: HttpRequest, contest: Contest, *, status: HTTPStatus = HTTPStatus.OK, **context: Any
) -> HttpResponse:
    """Show an organiser the desk of a contest; other apps show it again after they refused a form.

    ``context`` is for the parts of the page that these apps add.
    """
    context |= {
        "contest": contest,
        "next": _next_states(contest),
        "notice": play_problem(contest.state),
        "administrates": administrates(request.user),
    }
    return render(request, "contests/desk.html", context, status=status)


def _next_states(contest: Contest) -> dict[str, bool]:
    """Return for each act of the desk, by its name, whether it is offered; ``reason`` changes the reason alone."""
    state, states = contest.state, Contest.State
    return {
        "open": state in (states.DRAFT, states.PAUSED, states.FROZEN),
        "pause": state in (states.OPEN, states.FROZEN),
        "freeze": state in (states.OPEN, states.PAUSED),
        "archive": state == states.FROZEN and not contest.is_open_contest,
        "reason": state in (states.PAUSED, states.FROZEN),
    }
