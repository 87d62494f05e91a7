"""Pages of teams, and of joining a contest or a team."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import own_act, own_form, signed_in
from accounts.mails import public_url
from accounts.models import User
from common.errors import InputError
from common.forms import posted
from common.limits import rate_limited
from common.shortcuts import act_told, form_page
from common.text import is_row_number
from contests.forms import TeamForm
from contests.models import Contest, Team
from contests.selectors.contests import contest_at
from contests.selectors.people import (
    contest_to_join,
    invitation_at,
    invitation_problem,
    invitations_of,
    join_problem,
    member_of,
    team_in,
    team_members,
    team_of,
)
from contests.services.invitations import invitation_accept, invitation_revoke, team_invite
from contests.services.people import contest_join, member_remove
from contests.services.teams import captaincy_pass, team_create, team_leave, team_member_remove, team_rename
from contests.shortcuts import contest_or_404


@own_form
def own_team(request: HttpRequest, place: str) -> HttpResponse:
    """Show users their team in a contest, or the form that creates one (GET); create one (POST)."""
    contest, user = contest_or_404(request, place), signed_in(request)
    team = team_of(contest=contest.slug, reader=user)
    if team is not None:
        return _team_page(request, team)
    form = TeamForm(request.POST if request.method == "POST" else None)
    if form.saved(lambda: team_create(contest=contest, user=user, **form.cleaned_data)) is None:
        return form_page(request, "contests/team_new.html", form, contest=contest)
    messages.success(request, _("Your team is made. Send its link to those who are to join it."))
    return redirect("contests:own_team", contest)


@never_cache
@require_safe
def team(request: HttpRequest, place: str, pk: int) -> HttpResponse:
    """Show a team: its members and bots; to its members also its invitations and what they may do."""
    return _team_page(request, _team_or_404(contest_or_404(request, place), pk))


@own_act
@rate_limited("people")
def team_act(request: HttpRequest, place: str, act: str) -> HttpResponse:
    """Do ``act`` with the reader's team: rename it, make or withdraw a link, leave, remove a member, name a captain."""
    contest, user = contest_or_404(request, place), signed_in(request)
    found = team_of(contest=contest.slug, reader=user)
    if found is None or act not in _ACTS:
        raise Http404(_("You are in no team of this contest."))
    act_told(request, lambda: _ACTS[act](request, found, user))
    return redirect("contests:own_team", contest)


def _rename(request: HttpRequest, team: Team, user: User) -> str:
    renamed = team_rename(team=team, actor=user, name=posted(request, "name")[:200])
    return _("The team is called %(name)s now.") % {"name": renamed.name}


def _invite(request: HttpRequest, team: Team, user: User) -> str:
    team_invite(team=team, actor=user)
    return _("The link is made. Send it to those who are to join the team.")


def _revoke(request: HttpRequest, team: Team, user: User) -> str:
    for invitation in invitations_of(contest=team.contest_id, team=team):
        if str(invitation.pk) == request.POST.get("invitation"):
            invitation_revoke(invitation=invitation, actor=user)
    return _("Nobody can join by that link any more.")


def _leave(request: HttpRequest, team: Team, user: User) -> str:
    team_leave(team=team, user=user)
    return _("You have left the team %(name)s.") % {"name": team.name}


def _remove(request: HttpRequest, team: Team, user: User) -> str:
    member = _member(request, team)
    team_member_remove(team=team, user=member, actor=user)
    return _("%(name)s is no member of the team any more.") % {"name": member.get_username()}


def _pass_on(request: HttpRequest, team: Team, user: User) -> str:
    member = _member(request, team)
    captaincy_pass(team=team, user=member, actor=user)
    return _("%(name)s is the captain of the team now.") % {"name": member.get_username()}


_ACTS: dict[str, Callable[[HttpRequest, Team, User], str]] = {
    "rename": _rename,
    "invite": _invite,
    "revoke": _revoke,
    "leave": _leave,
    "remove": _remove,
    "captain": _pass_on,
}


def _member(request: HttpRequest, team: Team) -> User:
    for member in team_members(team=team):
        if str(member.user_id) == request.POST.get("user"):
            return member.user
    raise InputError(_("This user is no member of the team."))


@own_form
def join(request: HttpRequest, place: str) -> HttpResponse:
    """Show what joining a contest means (GET), or make the user its participant (POST).

    For a private contest only those find this page who may join it by the domain of a verified address. Guests are
    asked to sign in first, whether or not there is such a contest.
    """
    user = signed_in(request)
    slug = place.partition("/")[2]
    contest = contest_at(place=place, reader=user) or contest_to_join(slug=slug, reader=user)
    if contest is None or contest.place != place:
        raise Http404(_("There is no such contest."))
    problem = "" if member_of(contest=contest.slug, reader=user) else join_problem(contest=contest, reader=user)
    if request.method == "POST" and not problem:
        contest_join(contest=contest.slug, user=user)
        messages.success(request, _("You take part in this contest now."))
        return redirect(f"/{contest.place}/")
    context = {"contest": contest, "problem": problem, "is_member": member_of(contest=contest.slug, reader=user)}
    return render(request, "contests/join.html", context)


@own_act
def leave(request: HttpRequest, place: str) -> HttpResponse:
    """Take the reader out of a contest; bots that are the reader's alone are withdrawn."""
    contest, user = contest_or_404(request, place), signed_in(request)

    def left() -> str:
        member_remove(contest=contest.slug, user=user, actor=user)
        return _("You have left %(contest)s.") % {"contest": contest}

    return redirect(settings.OWN_PAGE_URL) if act_told(request, left) else redirect("contests:join", contest)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limited("join")
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show where an invitation leads and who has made it (GET), or join by it (POST).

    Guests see it, too, with links to sign in and to sign up that come back here.
    """
    found = invitation_at(token=token)
    if found is None:
        raise Http404(_("There is no such invitation. Perhaps it was withdrawn; please ask for a new one."))
    contest, user = found.contest, request.user
    if request.method == "POST" and isinstance(user, User):
        try:
            invitation_accept(token=token, user=user)
        except InputError as error:
            messages.error(request, str(error))
            return redirect("contests:invitation", token)
        return _joined(request, contest, found.team)
    own = team_of(contest=contest.slug, reader=user)
    is_member = found.team == own if found.team else member_of(contest=contest.slug, reader=user) is not None
    problem = invitation_problem(invitation=found)
    if found.team and isinstance(user, User) and member_of(contest=contest.slug, reader=user) is None:
        problem = problem or join_problem(contest=contest, reader=user)
    context = {
        "invitation": found,
        "contest": contest,
        "team": found.team,
        "other_team": own if found.team and own and own != found.team else None,
        "is_member": is_member,
        "problem": "" if is_member else problem,
    }
    return render(request, "contests/invitation.html", context)


def _joined(request: HttpRequest, contest: Contest, team: Team | None) -> HttpResponse:
    if contest.state == Contest.State.DRAFT:
        messages.success(
            request, _("You take part in %(contest)s. It is shown here once it begins.") % {"contest": contest}
        )
        return redirect("home")
    if team is not None:
        messages.success(request, _("You are a member of the team %(name)s now.") % {"name": team.name})
        return redirect("contests:own_team", contest)
    messages.success(request, _("You take part in this contest now."))
    return redirect(f"/{contest.place}/")


def _team_or_404(contest: Contest, pk: int) -> Team:
    found = team_in(contest=contest.slug, pk=pk) if is_row_number(str(pk)) else None
    if found is None:
        raise Http404(_("There is no such team."))
    return found


def _team_page(request: HttpRequest, team: Team) -> HttpResponse:
    members = team_members(team=team)
    is_member = any(member.user_id == request.user.pk for member in members)
    invitations = list(invitations_of(contest=team.contest_id, team=team)) if is_member else []
    context = {
        "contest": team.contest,
        "team": team,
        "members": members,
        "is_member": is_member,
        "is_captain": team.captain_id == request.user.pk,
        "is_last": len(members) == 1,
        "invitations": [(invitation, public_url(f"/join/{invitation.token}/")) for invitation in invitations],
        "form": TeamForm(initial={"name": team.name}),
    }
    return render(request, "contests/team.html", context)
