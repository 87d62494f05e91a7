"""The organisers' pages of tournaments: making one, its desk, its settings."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import signed_in
from accounts.models import User
from common.edits import EditedError
from common.errors import FieldsError, InputError
from common.forms import posted
from common.limits import rate_limited
from common.text import is_row_number
from common.words.messages import sentence_of
from contests.models import Contest
from formats.model import DUEL, TABLE_MAX
from ladder.shortcuts import organisers_only
from tournaments.forms import ENTRANTS_PLANNED, TournamentForm
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.desk import desk_audit, desk_standings, desk_tables, next_step, points_steps
from tournaments.selectors.entries import entries_problem
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.pages import round_of
from tournaments.selectors.plan import stages_plan
from tournaments.selectors.tournaments import DrawPreview, draw_preview, entrants_at_fault
from tournaments.services.entries import entrant_leave, entrant_remove
from tournaments.services.lists import ListError, entrants_enter_list
from tournaments.services.tables import table_decide_by_hand
from tournaments.services.tournaments import (
    draw_take_back_problem,
    round_release,
    tournament_change,
    tournament_create,
    tournament_delete,
    tournament_draw,
    tournament_draw_again,
    tournament_draw_take_back,
    tournament_open,
    tournament_pause,
    tournament_release,
    tournament_resume,
    tournament_start,
)
from tournaments.shortcuts import tournament_or_404
from tournaments.validation import sizes_of, stages_problems

Act = Callable[[HttpRequest, Tournament, User], str]
State = Tournament.State


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
@rate_limited("contest")
def tournament_new(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the form of a new tournament, or make it (POST)."""
    form = TournamentForm(
        request.POST if request.method == "POST" else None, tournament=None, sizes=table_sizes_of(contest)
    )
    if request.method == "POST" and form.is_valid():
        try:
            slug = form.cleaned_data["slug"]
            made = tournament_create(contest=contest.slug, slug=slug, actor=signed_in(request), **form.chosen())
        except FieldsError as error:
            form.faults_add(error)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The tournament is a draft, which organisers alone see. Announce it here."))
            return redirect("tournaments:desk", contest, made.slug)
    return _form_page(request, contest, form, "tournaments/desk_new.html", {})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def settings_page(request: HttpRequest, contest: Contest, tournament: str) -> HttpResponse:
    """Show the form of a tournament's fields, or change them (POST)."""
    found = tournament_or_404(request, contest, tournament)
    form = TournamentForm(
        request.POST if request.method == "POST" else None,
        tournament=found,
        sizes=table_sizes_of(contest),
        planned=_planned(found),
    )
    if request.method == "POST" and form.is_valid():
        try:
            tournament_change(
                tournament=found.pk, actor=signed_in(request), read=form.cleaned_data["read"], **form.chosen()
            )
        except FieldsError as error:
            form.faults_add(error)
        except EditedError as error:
            form.edited_add(error)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The tournament is changed."))
            return redirect("tournaments:desk", contest, found.slug)
    return _form_page(request, contest, form, "tournaments/desk_settings.html", {"tournament": found})


@never_cache
@require_POST
@organisers_only
def plan(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Say what the stages of a form that is being filled mean: rounds, tables and matches. Nothing is stored."""
    form = TournamentForm(request.POST, tournament=None, sizes=table_sizes_of(contest))
    return render(request, "tournaments/_plan.html", _plan_words(contest, form))


@never_cache
@require_safe
@organisers_only
def desk(request: HttpRequest, contest: Contest, tournament: str) -> HttpResponse:
    """Show the organisers' desk of a tournament."""
    return _desk_page(request, contest, tournament_or_404(request, contest, tournament))


@require_POST
@organisers_only
def enter(request: HttpRequest, contest: Contest, tournament: str) -> HttpResponse:
    """Enter the bots that a list names, one in each line."""
    found, text = tournament_or_404(request, contest, tournament), posted(request, "names")
    try:
        made = entrants_enter_list(tournament=found, text=text, actor=signed_in(request))
    except ListError as error:
        return _desk_page(request, contest, found, names=text, names_faults=error.sentences)
    messages.success(
        request, ngettext("%(count)d bot is entered.", "%(count)d bots are entered.", len(made)) % {"count": len(made)}
    )
    return redirect("tournaments:desk", contest, found.slug)


@require_POST
@organisers_only
def delete(request: HttpRequest, contest: Contest, tournament: str) -> HttpResponse:
    """Delete a tournament that has no result."""
    found = tournament_or_404(request, contest, tournament)
    try:
        tournament_delete(tournament=found.pk, actor=signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
        return redirect("tournaments:desk", contest, found.slug)
    messages.success(request, _("%(title)s is deleted.") % {"title": found})
    return redirect("tournaments:tournaments", contest)


@require_POST
@organisers_only
def act(request: HttpRequest, contest: Contest, tournament: str, act: str) -> HttpResponse:
    """Do what a button of the desk says (``act``), and say what was done, or why it cannot be done."""
    found = tournament_or_404(request, contest, tournament)
    if act not in _ACTS:
        raise Http404(_("There is no such act."))
    try:
        done = _ACTS[act](request, found, signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done)
    return redirect("tournaments:desk", contest, found.slug)


# --- Acts -----------------------------------------------------------------------------------------------------------


def _open(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_open(tournament=tournament.pk, actor=actor)
    return _("The tournament is announced: everybody who sees the contest sees it.")


def _draw(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_draw(tournament=tournament.pk, actor=actor)
    return _("The first round is drawn. Nothing is played before you start the tournament.")


def _take_back(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_draw_take_back(tournament=tournament.pk, actor=actor)
    return _("The draw is taken back. The next one has other lots.")


def _draw_again(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_draw_again(tournament=tournament.pk, actor=actor)
    return _("The first round is drawn again, with other lots.")


def _start(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_start(tournament=tournament.pk, actor=actor)
    return _("The tournament is being played.")


def _pause(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_pause(tournament=tournament.pk, actor=actor, reason=posted(request, "reason"))
    return _("The tournament is paused: matches under way end, and no new ones are made.")


def _resume(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_resume(tournament=tournament.pk, actor=actor)
    return _("The tournament goes on.")


def _release_round(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    number = request.POST.get("round", "")
    if not is_row_number(number):
        raise Http404(_("There is no such round."))
    round_release(tournament=tournament.pk, actor=actor, wanted=int(number))
    return _("The results of the round are released: everybody sees them.")


def _release(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    tournament_release(tournament=tournament.pk, actor=actor)
    return _("All results are released: everybody sees them.")


def _remove(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    entrant = _entrant(request, tournament)
    entrant_remove(entrant=entrant.pk, actor=actor)
    return _("%(name)s is not entered any more.") % {"name": entrant.bot.name}


def _withdraw(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    return _leave(request, tournament, actor, Entrant.Left.WITHDRAWN)


def _disqualify(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    return _leave(request, tournament, actor, Entrant.Left.DISQUALIFIED)


def _leave(request: HttpRequest, tournament: Tournament, actor: User, left: Entrant.Left) -> str:
    entrant = _entrant(request, tournament)
    entrant_leave(entrant=entrant.pk, left=left, reason=posted(request, "reason"), actor=actor)
    return _("%(name)s plays no more, and loses what it has not played.") % {"name": entrant.bot.name}


def _decide(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    number = request.POST.get("table", "")
    tables = Table.objects.filter(round__tournament=tournament)
    table = tables.filter(pk=int(number)).first() if is_row_number(number) else None
    if table is None:
        raise Http404(_("There is no such table."))
    steps = points_steps(table.seats.count())
    chosen = request.POST.getlist("points")
    if not all(each.isdecimal() and len(each) <= 2 and int(each) <= steps for each in chosen):
        raise InputError(_("Please choose the points of each bot at the table."))
    points = [int(each) / steps for each in chosen]
    table_decide_by_hand(table=table.pk, points=points, reason=posted(request, "reason"), actor=actor)
    return _("Table %(number)d is decided.") % {"number": table.number}


def _entrant(request: HttpRequest, tournament: Tournament) -> Entrant:
    number = request.POST.get("entrant", "")
    found = tournament.entrants.select_related("bot")
    entrant = found.filter(pk=int(number)).first() if is_row_number(number) else None
    if entrant is None:
        raise Http404(_("There is no such entrant."))
    return entrant


_ACTS: dict[str, Act] = {
    "open": _open,
    "draw": _draw,
    "take-back": _take_back,
    "draw-again": _draw_again,
    "start": _start,
    "pause": _pause,
    "resume": _resume,
    "release-round": _release_round,
    "release": _release,
    "remove": _remove,
    "withdraw": _withdraw,
    "disqualify": _disqualify,
    "decide": _decide,
}


def table_sizes_of(contest: Contest) -> tuple[int, ...]:
    """Return the sizes of tables that the rules of a contest allow and tournaments play (no query)."""
    return tuple(size for size in sizes_of(contest=contest) if DUEL <= size <= TABLE_MAX)


# --- Pages ----------------------------------------------------------------------------------------------------------


def _form_page(
    request: HttpRequest, contest: Contest, form: TournamentForm, template: str, context: dict[str, Any]
) -> HttpResponse:
    wrong = bool(form.errors or form.stages_fault or any(stage.is_bound and stage.errors for stage in form.stages))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    context |= {"contest": contest, "form": form, "wrong": wrong, "source": settings.SOURCE_URL}
    context |= _plan_words(contest, form)
    return render(request, template, context, status=status)


def _plan_words(contest: Contest, form: TournamentForm) -> dict[str, Any]:
    """Return what the plan beside a form says: of the stages that are typed, stored, or offered first."""
    stages = form.read_stages() if form.is_bound else form.stages_offered()
    entrants = form.planned_entrants()
    faults = stages_problems(contest=contest, stages=stages, entrants=entrants) if stages else []
    plans = stages_plan(stages=stages, entrants=entrants) if stages and not faults else []
    return {
        "plans": plans,
        "plan_entrants": entrants,
        "plan_matches": sum(plan.matches for plan in plans),
        "plan_is_most": any(plan.is_most for plan in plans),
        "plan_faults": [sentence_of(fault) for fault in faults],
    }


def _planned(tournament: Tournament) -> int:
    """Return for how many entrants the plan counts: the most that may play, else those that are entered."""
    entered = tournament.entrants.count()
    return tournament.entrants_max or (entered if entered >= DUEL else ENTRANTS_PLANNED)


def _desk_page(
    request: HttpRequest,
    contest: Contest,
    tournament: Tournament,
    *,
    names: str = "",
    names_faults: list[str] | None = None,
) -> HttpResponse:
    told = tournament_told(tournament=tournament, reader=request.user)
    preview = None if tournament.is_drawn else draw_preview(tournament=tournament)
    newest = told.rounds[-1] if told.rounds else None
    rows = [*preview.entrants, *preview.left_out] if preview else list(told.rows.values())
    prefetch_related_objects([row.bot for row in rows], "owner", "team", "contest")
    context = {
        "contest": contest,
        "tournament": tournament,
        "next": next_step(told=told, can_draw=bool(preview and not preview.faults)),
        "newest": round_of(told=told, found=newest) if newest else None,
        "tables": desk_tables(told=told, round_=newest) if newest else [],
        "can_decide": tournament.state in (State.RUNNING, State.PAUSED, State.FINISHED),
        "can_draw_again": not draw_take_back_problem(tournament=tournament),
        "preview": preview,
        "pairing": _pairing(preview) if preview else [],
        "rows": rows,
        "left_out": preview.left_out if preview else [],
        "can_enter": not entries_problem(tournament=tournament, reader=signed_in(request)),
        "can_leave": tournament.state in (State.DRAWN, State.RUNNING, State.PAUSED),
        "names": names,
        "names_faults": names_faults or [],
        "standings": [(row, told.rows[row.entrant].bot) for row in desk_standings(told=told)],
        "faulty": entrants_at_fault(tournament=tournament, reader=request.user) if told.rounds else [],
        "audit": desk_audit(tournament=tournament),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if names_faults else HTTPStatus.OK
    return render(request, "tournaments/desk.html", context, status=status)


def _pairing(preview: DrawPreview) -> list[tuple[int, list[Entrant], str]]:
    """Return the tables of a previewed round: their numbers, who meets, and why."""
    by_number = {entrant.number: entrant for entrant in preview.entrants}
    tables = preview.draw.tables if preview.draw else ()
    return [(table.number, [by_number[each] for each in table.entrants], sentence_of(table.why)) for table in tables]
