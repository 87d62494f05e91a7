"""Adds and removes members of contests: by hand, by themselves, and by invitations."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.signals import member_left
from contests.models import Contest, Invitation, Member, Team
from contests.selectors.contests import contest_named, contest_unknown
from contests.selectors.people import invitation_problem, join_problem

Role = Member.Role
INVITATION_DAYS_MAX = 365
INVITATION_USES_MAX = 10_000


@transaction.atomic
def member_add(*, contest: str, user: User, actor: User | None, role: Role = Role.PARTICIPANT) -> Member:
    """Make a user a participant or organiser of a contest; an organiser stays one.

    Args:
        contest: key of the contest.
        user: the account.
        actor: an organiser or administrator; None: the site itself.
        role: what the member may do.
    """
    member, is_new = Member.objects.get_or_create(contest_id=contest, user=user, defaults={"role": role})
    if not is_new and role == Role.ORGANISER and member.role != role:
        member.role = role
        member.save(update_fields=["role"])
        is_new = True
    if is_new:
        audit_write(actor=actor, act="member_add", target=f"{contest}: {user.get_username()}, {role}")
    return member


def organiser_add(*, contest: str, user: User, actor: User | None) -> Member:
    """Make a user an organiser of a contest, whether or not the user was a member before."""
    return member_add(contest=contest, user=user, actor=actor, role=Role.ORGANISER)


@transaction.atomic
def organiser_to_participant(*, contest: str, user: User, actor: User | None) -> None:
    """Make an organiser of a contest a mere participant; invitations to the contest that the user made are deleted.

    Raises:
        InputError: the user is the last organiser, or none.
    """
    _check_not_last_organiser(contest, user)
    if not Member.objects.filter(contest=contest, user=user, role=Role.ORGANISER).update(role=Role.PARTICIPANT):
        raise InputError(_("This user is no organiser of the contest."))
    Invitation.objects.filter(contest=contest, created_by=user, team=None).delete()  # only organisers let people in
    audit_write(actor=actor, act="organiser_to_participant", target=f"{contest}: {user.get_username()}")


@transaction.atomic
def member_remove(*, contest: str, user: User, actor: User | None, reason: str = "") -> None:
    """Remove a member from a contest: the user leaves the team, and bots that were the user's alone are withdrawn.

    Args:
        contest: key of the contest.
        user: the member.
        actor: the user, an organiser or an administrator; None: the site itself.
        reason: a text for the audit log.

    Raises:
        InputError: the user is no member, or the last organiser.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # uploads wait for this lock, too
    _check_not_last_organiser(contest, user)
    if not Member.objects.filter(contest=contest, user=user).delete()[0]:
        raise InputError(_("This user is no member of the contest."))
    # The attack: somebody who is removed comes back by a link that this person made before.
    Invitation.objects.filter(contest=contest, created_by=user).delete()
    member_left.send(sender=None, contest=contest, user=user)
    audit_write(actor=actor, act="member_remove", target=f"{contest}: {user.get_username()}", reason=reason)


@transaction.atomic
def contest_join(*, contest: str, user: User, received_at: datetime | None = None) -> Member:
    """Make a user a participant of a contest on the user's own wish; without effect for members.

    Args:
        contest: key of the contest.
        user: the user.
        received_at: see ``join_problem``.

    Raises:
        InputError: there is no such contest, or it takes nobody without an invitation (``join_problem``).
    """
    known = Member.objects.filter(contest=contest, user=user).first()
    if known is not None:
        return known
    found = contest_named(slug=contest)
    if found is None:
        raise InputError(contest_unknown())
    if problem := join_problem(contest=found, reader=user, received_at=received_at):
        raise InputError(problem)
    return Member.objects.get_or_create(contest=found, user=user)[0]


def _check_not_last_organiser(contest: str, user: User) -> None:
    """Refuse to take its last organiser from a contest. Locks them, so that the last two cannot leave at once."""
    organisers = Member.objects.select_for_update(no_key=True).filter(contest=contest, role=Role.ORGANISER)
    keys = [member.user_id for member in organisers.order_by("pk")]
    if keys == [user.pk]:
        raise InputError(_("A contest needs an organiser. Please make somebody else one first."))


# --- Invitations ----------------------------------------------------------------------------------------------------


@transaction.atomic
def invitation_create(
    *, contest: Contest, actor: User, days: int, uses_max: int, team: Team | None = None
) -> Invitation:
    """Create a link by which people join a contest, or a team of it.

    Args:
        contest: the contest.
        actor: an organiser or administrator, or a member of the team.
        days: how long it holds.
        uses_max: how many people may join by it.
        team: the team; None: the contest alone.

    Raises:
        InputError: a number is out of its range, or the contest is over.
    """
    if not 1 <= days <= INVITATION_DAYS_MAX or not 1 <= uses_max <= INVITATION_USES_MAX:
        raise InputError(
            _("An invitation holds for 1 to %(days)d days and for 1 to %(uses)d people.")
            % {"days": INVITATION_DAYS_MAX, "uses": INVITATION_USES_MAX}
        )
    if contest.is_over:
        raise InputError(_("This contest is over. Nobody can join it any more."))
    until = timezone.now() + timedelta(days=days)
    made = Invitation.objects.create(contest=contest, team=team, created_by=actor, expires_at=until, uses_max=uses_max)
    if team is None:
        audit_write(actor=actor, act="invitation_create", target=f"{contest.slug}: {made.pk}, {uses_max} uses")
    return made


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, actor: User) -> None:
    """Delete an invitation: nobody can join by its link any more; those who have joined stay."""
    contest, pk = invitation.contest_id, invitation.pk
    if Invitation.objects.filter(pk=pk).delete()[0] and invitation.team_id is None:
        audit_write(actor=actor, act="invitation_revoke", target=f"{contest}: {pk}")


@transaction.atomic
def invitation_accept(*, token: str, user: User) -> Invitation:
    """Make a user a participant of the contest, or a member of the team, that an invitation leads into; count it.

    A link to a team makes a participant only of those who may join the contest by themselves (``contest_join``).

    The row of the invitation is locked, so that two users cannot both take its last place. A user who is in already
    takes no place.

    Raises:
        InputError: there is no such invitation, it has expired or is used up, or the contest or the team cannot be
            joined (``contest_join``, ``contests.services.teams.team_join``).
    """
    from contests.services.teams import team_join  # teams build on members

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
