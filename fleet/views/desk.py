"""The organiser's desk of a contest, and the page that makes a new one."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import administrates, signed_in, two_factor_missing, two_factor_redirect
from common.edits import EditedError
from common.errors import FieldsError, InputError
from common.forms import posted
from common.limits import rate_limited
from common.text import is_row_number
from common.words.messages import game_title
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
from fleet.contest_forms import AnnouncementForm, ContestForm, DisqualifyForm
from fleet.selectors.desk import (
    BOTS_SHOWN,
    FAULT_DAYS,
    desk_announcements,
    desk_bots,
    desk_faults,
    desk_pair,
    desk_queue,
    desk_running,
    desk_version,
)
from fleet.services.desk import desk_disqualify
from fleet.views.collusion import DAYS, ROWS, days_of, since_of
from ladder.models import Announcement
from ladder.selectors.programs import programs_shared
from ladder.services.announcements import announcement_delete, announcement_save
from ladder.shortcuts import organisers_only
from matches.selectors.collusion import collusion_report, matches_between
from matches.selectors.finals import final_progress
from matches.selectors.tables import matches_page


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limited("contest")
def contest_new(request: HttpRequest) -> HttpResponse:
    """Show the form for a new contest of the game ``?game=``, or the choice of a game; or make the contest (POST)."""
    if two_factor_missing(request.user):
        return two_factor_redirect(request)
    if not contests_may_create(reader=request.user):
        raise Http404(_("There is no such page."))
    game = request.GET.get("game", "")
    if game not in settings.GAMES:
        return render(
            request, "fleet/contest_new.html", {"games": [(name, game_title(name)) for name in settings.GAMES]}
        )
    form = ContestForm(request.POST if request.method == "POST" else None, game=game, contest=None)
    if request.method == "POST" and form.is_valid():
        try:
            slug = form.cleaned_data["slug"]
            made = contest_create(slug=slug, game=game, actor=signed_in(request), **form.chosen())
        except FieldsError as error:
            form.faults_add(error)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The contest is a draft, which its organisers alone see. Open it here."))
            return redirect("fleet:desk", place=made)
    return _form_page(request, form, {"game": {"name": game, "title": game_title(game)}}, "fleet/contest_new.html")


@never_cache
@require_safe
@organisers_only
def desk(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the organisers' desk of a contest."""
    return _desk_page(request, contest, AnnouncementForm(label_suffix=""))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def settings_page(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the form of a contest's fields, or change them (POST)."""
    form = ContestForm(request.POST if request.method == "POST" else None, game=contest.game, contest=contest)
    if request.method == "POST" and form.is_valid():
        try:
            contest_change(
                contest=contest.slug, actor=signed_in(request), read=form.cleaned_data["read"], **form.chosen()
            )
        except FieldsError as error:
            form.faults_add(error)
        except EditedError as error:
            form.edited_add(error)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The contest is changed."))
            return redirect("fleet:desk", place=contest)
    context = {"contest": contest, "delete_problem": contest_delete_problem(contest=contest)}
    return _form_page(request, form, context, "fleet/desk_settings.html")


@require_POST
@organisers_only
def act(request: HttpRequest, contest: Contest, act: str) -> HttpResponse:
    """Open, pause, freeze or archive a contest (``act``)."""
    if act not in ACTS:
        raise Http404(_("There is no such page."))
    reason = posted(request, "reason")
    try:
        contest_transition(contest=contest.slug, to=ACTS[act], actor=signed_in(request), reason=reason)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("fleet:desk", place=contest)


@require_POST
@organisers_only
def delete(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Delete a contest in which no match was made."""
    try:
        contest_delete(contest=contest.slug, actor=signed_in(request))
    except InputError as error:
        messages.error(request, str(error))
        return redirect("fleet:desk", place=contest)
    messages.success(request, _("%(title)s is deleted.") % {"title": contest})
    return redirect("home")


@require_POST
@organisers_only
def disqualify(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Withdraw the version that plays for a bot of the contest, with a reason."""
    form = DisqualifyForm(request.POST)
    number = request.POST.get("bot", "")
    version = desk_version(contest=contest.slug, bot=int(number)) if is_row_number(number) else None
    if version is None:
        raise Http404(_("There is no such bot."))
    if not form.is_valid():
        messages.error(request, _("Please give a reason of at most 500 characters: the owner of the bot reads it."))
        return redirect("fleet:desk", place=contest)
    try:
        desk_disqualify(version=version, actor=signed_in(request), reason=form.cleaned_data["reason"])
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s is disqualified, and its owner is told.") % {"name": version.bot.name})
    return redirect("fleet:desk", place=contest)


@require_POST
@organisers_only
def announce(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Put an announcement on the pages of a contest."""
    form = AnnouncementForm(request.POST, label_suffix="")
    if not form.is_valid():
        return _desk_page(request, contest, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    announcement_save(announcement=Announcement(contest=contest, **form.cleaned_data), actor=signed_in(request))
    return redirect("fleet:desk", place=contest)


@require_POST
@organisers_only
def announcement_end(request: HttpRequest, contest: Contest, pk: int) -> HttpResponse:
    """Delete an announcement of a contest."""
    found = desk_announcements(contest=contest.slug).filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no such announcement."))
    announcement_delete(announcement=found, actor=signed_in(request))
    return redirect("fleet:desk", place=contest)


@never_cache
@require_safe
@organisers_only
def desk_collusion(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the contest's pairs of bots that may collude, and programs that several owners have."""
    days = days_of(request)
    context = {
        "desk": contest,
        "chosen": contest,
        "days": days,
        "choices": DAYS,
        "report": collusion_report(contest=contest.slug, since=since_of(days)),
        "programs": programs_shared(contest=contest.slug),
    }
    return render(request, "fleet/collusion.html", context)


@never_cache
@require_safe
@organisers_only
def desk_collusion_matches(request: HttpRequest, contest: Contest, one: int, other: int) -> HttpResponse:
    """Show the matches between two bots of the contest."""
    pair = desk_pair(contest=contest.slug, one=one, other=other)
    if pair is None:
        raise Http404(_("There is no such bot."))
    days = days_of(request)
    page = matches_page(
        matches=matches_between(one=one, other=other, since=since_of(days)),
        rows=ROWS,
        before=request.GET.get("before", ""),
        after=request.GET.get("after", ""),
    )
    context = {"desk": contest, "one": pair[0], "other": pair[1], "days": days, "page": page, "matches": page.matches}
    return render(request, "fleet/collusion_matches.html", context)


def _form_page(request: HttpRequest, form: ContestForm, context: dict[str, Any], template: str) -> HttpResponse:
    wrong = bool(form.errors or form.faults)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    context |= {"form": form, "sections": list(form.sections()), "wrong": wrong}
    return render(request, template, context, status=status)


def _desk_page(
    request: HttpRequest, contest: Contest, form: AnnouncementForm, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    name = request.GET.get("bot", "").replace("\0", "")[:40]
    bots = desk_bots(contest=contest.slug, name=name)[: BOTS_SHOWN + 1]
    shown = list(bots)
    context = {
        "contest": contest,
        "next": _next_states(contest),
        "notice": play_problem(contest.state),
        "finals": final_progress(contest=contest),
        "queue": desk_queue(contest=contest.slug),
        "running": desk_running(contest=contest.slug),
        "faults": desk_faults(contest=contest.slug),
        "fault_days": FAULT_DAYS,
        "bots": shown[:BOTS_SHOWN],
        "has_more_bots": len(shown) > BOTS_SHOWN,
        "bot_name": name,
        "announcements": desk_announcements(contest=contest.slug),
        "form": form,
        "administrates": administrates(request.user),
    }
    return render(request, "fleet/desk.html", context, status=status)


def _next_states(contest: Contest) -> dict[str, bool]:
    """Return the acts that the desk offers, by their names; each is true if it changes the state."""
    state, states = contest.state, Contest.State
    return {
        "open": state in (states.DRAFT, states.PAUSED, states.FROZEN),
        "pause": state in (states.OPEN, states.FROZEN),
        "freeze": state in (states.OPEN, states.PAUSED),
        "archive": state == states.FROZEN and not contest.is_open_contest,
        "reason": state in (states.PAUSED, states.FROZEN),
    }
