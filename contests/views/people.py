"""The page on which organisers see and change who takes part in a contest."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import own_act, own_page, signed_in
from accounts.mails import public_url
from accounts.models import User
from accounts.selectors.users import user_named
from common.errors import InputError
from common.limits import action_take, rate_limited
from common.shortcuts import act_told
from common.text import is_row_number
from contests.forms import InvitationForm, PersonForm, RosterForm
from contests.models import Contest, Invitation, Member
from contests.selectors.people import invitations_of, member_in, members_of, organises, teams_by_user
from contests.services.invitations import invitation_create, invitation_revoke
from contests.services.people import member_add, member_remove, organiser_add, organiser_to_participant
from contests.services.rosters import ROWS_MAX, RosterRow, mail_is_configured, roster_load
from contests.shortcuts import organisers_only

PEOPLE_A_PAGE = 100
_Act = Callable[[HttpRequest, Contest, User], str]


@own_page
@organisers_only
def people(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the organisers of a contest its people, the links by which others join, and the form for a list."""
    return _page(request, contest)


@own_act
@rate_limited("people")
@organisers_only
def people_act(request: HttpRequest, contest: Contest, act: str) -> HttpResponse:
    """Change who takes part: add a user by name, remove a member, change the role, make or withdraw a link."""
    user = signed_in(request)
    if act not in _ACTS:
        raise Http404(_("There is no such act."))
    act_told(request, lambda: _ACTS[act](request, contest, user))
    if not organises(reader=user, contest=contest):  # who has just given up the role
        return redirect(settings.OWN_PAGE_URL)
    return redirect("contests:people", contest)


@own_act
@rate_limited("roster")
@organisers_only
def roster(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Make accounts and participants from a list, and show the one-time passwords, which is possible only this once."""
    form = RosterForm(request.POST, request.FILES)
    rows = form.saved(
        lambda: roster_load(
            contest=contest,
            data=form.cleaned_data["list"].read(),
            actor=signed_in(request),
            by_mail=form.cleaned_data["by_mail"],
            sign_ups_take=lambda count: action_take(request=request, action="signup", count=count),
        )
    )
    if rows is None:
        return _page(request, contest, form)
    if form.cleaned_data["answer"] == "csv":
        return _passwords_file(contest, rows)
    context = {
        "contest": contest,
        "rows": rows,
        "with_password": [row for row in rows if row.password],
        "url": public_url("/accounts/login/"),
    }
    return render(request, "contests/roster.html", context)


def _passwords_file(contest: Contest, rows: list[RosterRow]) -> HttpResponse:
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(["row", "name", "password", "outcome"])
    # No cell begins with a sign that spreadsheets take for a formula: names begin with letters, digits, dots, _ or -,
    # and a hyphen before a name is written after a space.
    writer.writerows(
        [row.number, f" {row.name}" if row.name[0] == "-" else row.name, row.password, row.outcome] for row in rows
    )
    response = HttpResponse("\ufeff" + lines.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{contest.slug}-passwords.csv"'
    return response


def _add(request: HttpRequest, contest: Contest, actor: User) -> str:
    form = PersonForm(request.POST)
    user = user_named(name=form.cleaned_data["name"]) if form.is_valid() else None
    if user is None or not user.is_active:
        raise InputError(_("There is no account of this name."))
    member_add(contest=contest.slug, user=user, actor=actor, role=Member.Role(form.cleaned_data["role"]))
    return _("%(name)s takes part now.") % {"name": user.get_username()}


def _member_act(service: Callable[..., object], done: Promise) -> _Act:
    """Return an act that calls ``service`` for the member whose row the form names; ``done`` says what was done."""

    def act(request: HttpRequest, contest: Contest, actor: User) -> str:
        number = request.POST.get("member", "")
        member = member_in(contest=contest.slug, pk=int(number)) if is_row_number(number) else None
        if member is None:
            raise InputError(_("This user is no member of the contest."))
        service(contest=contest.slug, user=member.user, actor=actor)
        return str(done) % {"name": member.user.get_username()}

    return act


def _invite(request: HttpRequest, contest: Contest, actor: User) -> str:
    form = InvitationForm(request.POST)
    if not form.is_valid():
        raise InputError(_("Please write whole numbers of days and people."))
    invitation_create(contest=contest, actor=actor, **form.cleaned_data)
    return _("The link is made. Send it to those who are to take part.")


def _revoke(request: HttpRequest, contest: Contest, actor: User) -> str:
    number = request.POST.get("invitation", "")
    found: Invitation | None = None
    if is_row_number(number):
        found = invitations_of(contest=contest.slug).filter(pk=number).first()
    if found is not None:
        invitation_revoke(invitation=found, actor=actor)
    return _("Nobody can join by that link any more.")


_ACTS: dict[str, _Act] = {
    "add": _add,
    "remove": _member_act(member_remove, gettext_lazy("%(name)s does not take part any more.")),
    "organiser": _member_act(organiser_add, gettext_lazy("%(name)s is an organiser now.")),
    "participant": _member_act(organiser_to_participant, gettext_lazy("%(name)s is a participant now.")),
    "invite": _invite,
    "revoke": _revoke,
}


def _page(request: HttpRequest, contest: Contest, roster: RosterForm | None = None) -> HttpResponse:
    page = Paginator(members_of(contest=contest.slug), PEOPLE_A_PAGE).get_page(request.GET.get("page"))
    invitations = invitations_of(contest=contest.slug)
    teams = teams_by_user(contest=contest.slug)
    context = {
        "contest": contest,
        "page": page,
        "rows": [(member, teams.get(member.user_id)) for member in page],
        "invitations": [(invitation, public_url(f"/join/{invitation.token}/")) for invitation in invitations],
        "invitation_form": InvitationForm(),
        "person_form": PersonForm(),
        "roster_form": roster or RosterForm(),
        "rows_max": ROWS_MAX,
        "mails": mail_is_configured(),
        "join_url": public_url(f"/{contest.place}/join/"),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if roster else HTTPStatus.OK
    return render(request, "contests/people.html", context, status=status)
