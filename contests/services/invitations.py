"""Makes and takes back links by which people join a contest or a team of it, and lets them join."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from contests.models import Contest, Invitation, Member, Team, TeamMember
from contests.selectors.people import invitation_problem
from contests.services.people import contest_join
from contests.services.teams import TEAM_MEMBERS_MAX, team_join

INVITATION_DAYS_MAX = 365
INVITATION_USES_MAX = 10_000
TEAM_DAYS = 14
"""For how many days the link to a team holds."""


@transaction.atomic
def invitation_create(
    *, contest: Contest, actor: User, days: int, uses_max: int, team: Team | None = None
) -> Invitation:
    """Create a link by which people join a contest, or a team of it.

    It holds for ``days`` days and ``uses_max`` people. The caller has checked that the actor is an organiser or
    administrator, or a member of the team.

    Raises:
        InputError: a number is out of its range, or the contest is over.
    """
    if not 1 <= days <= INVITATION_DAYS_MAX or not 1 <= uses_max <= INVITATION_USES_MAX:
        sentence = _("An invitation holds for 1 to %(days)d days and for 1 to %(uses)d people.")
        raise InputError(sentence % {"days": INVITATION_DAYS_MAX, "uses": INVITATION_USES_MAX})
    if contest.is_over:
        raise InputError(_("This contest is over. Nobody can join it any more."))
    until = timezone.now() + timedelta(days=days)
    made = Invitation.objects.create(contest=contest, team=team, created_by=actor, expires_at=until, uses_max=uses_max)
    if team is None:
        audit_write(actor=actor, act="invitation_create", target=f"{contest.slug}: {made.pk}, {uses_max} uses")
    return made


def team_invite(*, team: Team, actor: User) -> Invitation:
    """Create a link by which others join a team, for ``TEAM_DAYS`` days and ``TEAM_MEMBERS_MAX`` people.

    Raises:
        InputError: the actor is no member of the team, or the contest is over.
    """
    if not TeamMember.objects.filter(team=team, user=actor).exists():
        raise InputError(_("You are no member of this team."))
    return invitation_create(contest=team.contest, actor=actor, days=TEAM_DAYS, uses_max=TEAM_MEMBERS_MAX, team=team)


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, actor: User) -> None:
    """Delete an invitation: nobody can join by its link any more; those who have joined stay."""
    contest, pk = invitation.contest_id, invitation.pk
    if Invitation.objects.filter(pk=pk).delete()[0] and invitation.team_id is None:
        audit_write(actor=actor, act="invitation_revoke", target=f"{contest}: {pk}")


@transaction.atomic
def invitation_accept(*, token: str, user: User) -> Invitation:
    """Let a user join the contest or team into which the invitation with this secret leads; return the invitation.

    A link to a team makes a participant only of those who may join the contest by themselves (``contest_join``). The
    row of the invitation is locked, so that two users cannot both take its last place. A user who is in the contest or
    team already takes no place.

    Raises:
        InputError: there is no such invitation, it has expired or is used up, or the contest or the team cannot be
            joined (``contest_join``, ``contests.services.teams.team_join``).
    """
    found = Invitation.objects.select_for_update(of=("self",)).select_related("contest", "team")
    invitation = found.filter(token=token).first()
    if invitation is None:
        raise InputError(_("There is no such invitation. Perhaps it was withdrawn; please ask for a new one."))
    if problem := invitation_problem(invitation=invitation):
        raise InputError(problem)
    if invitation.team is not None:
        # The attack: participants of a private contest let strangers in, by links to a team of their own.
        contest_join(contest=invitation.contest_id, user=user)
        is_new = team_join(team=invitation.team, user=user)
    else:
        is_new = Member.objects.get_or_create(contest=invitation.contest, user=user)[1]
    if is_new:
        invitation.uses += 1
        invitation.save(update_fields=["uses"])
    return invitation
