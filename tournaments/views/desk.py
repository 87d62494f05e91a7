"""The organisers' pages of tournaments: making one, its desk, its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import signed_in
from accounts.models import User
from common.errors import InputError
from common.forms import posted
from common.limits import rate_limited
from common.shortcuts import act_told, form_page
from common.text import is_row_number
from common.words.messages import sentence_of
from contests.models import Contest
from contests.shortcuts import organisers_only
from formats.model import DUEL, TABLE_MAX
from tournaments.forms import ENTRANTS_PLANNED, TournamentForm
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.desk import desk_audit, desk_standings, desk_tables, next_step, points_steps
from tournaments.selectors.entries import entries_problem
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.pages import round_of
from tournaments.selectors.plan import stages_plan
from tournaments.selectors.tournaments import DrawPreview, draw_preview, entrants_at_fault
from tournaments.services import tournaments as services
from tournaments.services.entries import entrant_leave, entrant_remove
from tournaments.services.lists import ListError, entrants_enter_list
from tournaments.services.pairings import table_decide_by_hand
from tournaments.shortcuts import tournament_or_404
from tournaments.validation import sizes_of, stages_problems

Act = Callable[[HttpRequest, Tournament, User], str]
State = Tournament.State


@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
@rate_limited("contest")
def tournament_new(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the form of a new tournament, or make it (POST)."""
    sent = request.POST if request.method == "POST" else None
    form = TournamentForm(sent, tournament=None, sizes=table_sizes_of(contest))
    made = form.saved(
        lambda: services.tournament_create(
            contest=contest.slug, slug=form.cleaned_data["slug"], actor=signed_in(request), **form.chosen()
        )
    )
    if made is None:
        return _form_page(request, contest, form, "tournaments/desk_new.html")
    messages.success(request, _("The tournament is a draft, which organisers alone see. Announce it here."))
    return redirect("tournaments:desk", contest, made.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def desk_settings(request: HttpRequest, contest: Contest, tournament: str) -> HttpResponse:
    """Show the form of a tournament's settings, or change them (POST)."""
    found = tournament_or_404(request, contest, tournament)
    sent = request.POST if request.method == "POST" else None
    form = TournamentForm(sent, tournament=found, sizes=table_sizes_of(contest), planned=_planned(found))
    changed = form.saved(
        lambda: services.tournament_change(
            tournament=found.pk, actor=signed_in(request), read=form.cleaned_data["read"], **form.chosen()
        )
    )
    if changed is None:
        return _form_page(request, contest, form, "tournaments/desk_settings.html", tournament=found)
    messages.success(request, _("The tournament is changed."))
    return redirect("tournaments:desk", contest, found.slug)


@require_POST
@organisers_only
def plan(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show how many rounds and matches the stages of a form that is being filled give. Nothing is stored."""
    form = TournamentForm(request.POST, tournament=None, sizes=table_sizes_of(contest))
    return render(request, "tournaments/_plan.html", _plan_words(contest, form))


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

    def deleted() -> str:
        services.tournament_delete(tournament=found.pk, actor=signed_in(request))
        return _("%(title)s is deleted.") % {"title": found}

    if act_told(request, deleted):
        return redirect("tournaments:tournaments", contest)
    return redirect("tournaments:desk", contest, found.slug)


@require_POST
@organisers_only
def act(request: HttpRequest, contest: Contest, tournament: str, act: str) -> HttpResponse:
    """Do ``act``, what a button of the desk stands for, and tell what was done, or why it cannot be done."""
    found, actor = tournament_or_404(request, contest, tournament), signed_in(request)
    if act not in _ACTS:
        raise Http404(_("There is no such act."))
    act_told(request, lambda: _ACTS[act](request, found, actor))
    return redirect("tournaments:desk", contest, found.slug)


# --- Acts -----------------------------------------------------------------------------------------------------------


def _step(service: Callable[..., object], done: Promise) -> Act:
    """Return an act that calls ``service`` for the tournament; ``done`` is the sentence that says what was done."""

    def act(_request: HttpRequest, tournament: Tournament, actor: User) -> str:
        service(tournament=tournament.pk, actor=actor)
        return str(done)

    return act


def _pause(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    services.tournament_pause(tournament=tournament.pk, actor=actor, reason=posted(request, "reason"))
    return _("The tournament is paused: matches under way end, and no new ones are made.")


def _release_round(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    services.round_release(tournament=tournament.pk, actor=actor, wanted=_sent_key(request, "round"))
    return _("The results of the round are released: everybody sees them.")


def _remove(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    entrant = _entrant(request, tournament)
    entrant_remove(entrant=entrant.pk, actor=actor)
    return _("%(name)s is not entered any more.") % {"name": entrant.bot.name}


def _leave(request: HttpRequest, tournament: Tournament, actor: User, *, left: Entrant.Left) -> str:
    entrant = _entrant(request, tournament)
    entrant_leave(entrant=entrant.pk, left=left, reason=posted(request, "reason"), actor=actor)
    return _("%(name)s plays no more, and loses what it has not played.") % {"name": entrant.bot.name}


def _decide(request: HttpRequest, tournament: Tournament, actor: User) -> str:
    table = get_object_or_404(Table, round__tournament=tournament, pk=_sent_key(request, "table"))
    steps = points_steps(table.seats.count())
    chosen = request.POST.getlist("points")
    if not all(each.isdecimal() and len(each) <= 2 and int(each) <= steps for each in chosen):
        raise InputError(_("Please choose the points of each bot at the table."))
    points = [int(each) / steps for each in chosen]
    table_decide_by_hand(table=table.pk, points=points, reason=posted(request, "reason"), actor=actor)
    return _("Table %(number)d is decided.") % {"number": table.number}


def _entrant(request: HttpRequest, tournament: Tournament) -> Entrant:
    return get_object_or_404(tournament.entrants.select_related("bot"), pk=_sent_key(request, "entrant"))


def _sent_key(request: HttpRequest, name: str) -> int:
    """Return the primary key that a button sends in the field ``name``.

    Raises:
        Http404: the field is no primary key.
    """
    number = request.POST.get(name, "")
    if not is_row_number(number):
        raise Http404(_("There is no such page."))
    return int(number)


_ACTS: dict[str, Act] = {
    "open": _step(
        services.tournament_open,
        gettext_lazy("The tournament is announced: everybody who sees the contest sees it."),
    ),
    "draw": _step(
        services.tournament_draw,
        gettext_lazy("The first round is drawn. Nothing is played before you start the tournament."),
    ),
    "take-back": _step(
        services.tournament_draw_take_back,
        gettext_lazy("The draw is taken back. The next one has other lots."),
    ),
    "draw-again": _step(
        services.tournament_draw_again, gettext_lazy("The first round is drawn again, with other lots.")
    ),
    "start": _step(services.tournament_start, gettext_lazy("The tournament is being played.")),
    "resume": _step(services.tournament_resume, gettext_lazy("The tournament goes on.")),
    "release": _step(services.tournament_release, gettext_lazy("All results are released: everybody sees them.")),
    "pause": _pause,
    "release-round": _release_round,
    "remove": _remove,
    "withdraw": partial(_leave, left=Entrant.Left.WITHDRAWN),
    "disqualify": partial(_leave, left=Entrant.Left.DISQUALIFIED),
    "decide": _decide,
}


def table_sizes_of(contest: Contest) -> tuple[int, ...]:
    """Return the sizes of tables that the rules of a contest allow and tournaments play (no query)."""
    return tuple(size for size in sizes_of(contest=contest) if DUEL <= size <= TABLE_MAX)


# --- Pages ----------------------------------------------------------------------------------------------------------


def _form_page(
    request: HttpRequest, contest: Contest, form: TournamentForm, template: str, **context: Any
) -> HttpResponse:
    words = _plan_words(contest, form)
    return form_page(request, template, form, contest=contest, source=settings.SOURCE_URL, **words, **context)


def _plan_words(contest: Contest, form: TournamentForm) -> dict[str, Any]:
    """Return the context of the plan beside a form: for the typed stages, or those that the form shows at first."""
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
    """Return the number of entrants for the plan: the most that may play, else how many are entered, if enough are."""
    entered = tournament.entrants.count()
    return tournament.entrants_max or (entered if entered >= DUEL else ENTRANTS_PLANNED)


def _desk_page(
    request: HttpRequest, contest: Contest, tournament: Tournament, *, names: str = "", names_faults: Sequence[str] = ()
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
        "can_draw_again": not services.draw_take_back_problem(tournament=tournament),
        "preview": preview,
        "pairing": _pairing(preview) if preview else [],
        "rows": rows,
        "left_out": preview.left_out if preview else [],
        "can_enter": not entries_problem(tournament=tournament, reader=signed_in(request)),
        "can_leave": tournament.state in (State.DRAWN, State.RUNNING, State.PAUSED),
        "names": names,
        "names_faults": names_faults,
        "standings": [(row, told.rows[row.entrant].bot) for row in desk_standings(told=told)],
        "faulty": entrants_at_fault(tournament=tournament, reader=request.user) if told.rounds else [],
        "audit": desk_audit(tournament=tournament),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if names_faults else HTTPStatus.OK
    return render(request, "tournaments/desk.html", context, status=status)


def _pairing(preview: DrawPreview) -> list[tuple[int, list[Entrant], str]]:
    """Return the tables of a previewed round: their numbers, who meets, and why."""
    by_number = {entrant.number: entrant for entrant in preview.entrants}
    tables = preview.draw.pairings if preview.draw else ()
    return [(table.number, [by_number[each] for each in table.entrants], sentence_of(table.why)) for table in tables]
