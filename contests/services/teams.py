"""Creates teams, and changes who is in them. Signals tell the app ``ladder``, which decides what becomes of bots."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.signals import team_joined, team_left
from contests.models import Contest, Team, TeamMember
from contests.services.people import contest_join

TEAM_MEMBERS_MAX = 20
"""How many members a team has at most: everything that a team does notifies all of them."""


@transaction.atomic
def team_create(*, contest: Contest, user: User, name: str) -> Team:
    """Create a team, whose captain and first member the user becomes; the user's bots of the contest become its bots.

    Raises:
        InputError: the contest is over or cannot be joined, the user is in a team of it already, or the name is invalid
            or taken.
    """
    user = _user_locked(user)
    contest_join(contest=contest.slug, user=user)
    _check_not_over(contest)
    _check_has_no_team(contest, user)
    team = _saved(Team(contest=contest, name=name, captain=user))
    _member_create(team, user)
    return team


@transaction.atomic
def team_rename(*, team: Team, actor: User, name: str) -> Team:
    """Give a team another name.

    Raises:
        InputError: the actor is not its captain, the contest is over, or the name is invalid or taken.
    """
    found = _team_locked(team)
    _check_not_over(found.contest)
    _check_captain(found, actor)
    found.name = name
    return _saved(found)


@transaction.atomic
def team_join(*, team: Team, user: User) -> bool:
    """Make a participant of a contest a member of a team; the participant's bots of the contest become the team's.

    Returns:
        Whether the user was no member before.

    Raises:
        InputError: the contest is over, the user is in another team of it, the team is full or dissolved, or has more
            bots together with the user's than a participant may have.
    """
    user = _user_locked(user)
    found = _team_locked(team)
    if TeamMember.objects.filter(team=found, user=user).exists():
        return False
    _check_not_over(found.contest)
    _check_has_no_team(found.contest, user)
    if found.members.count() >= TEAM_MEMBERS_MAX:
        raise InputError(
            _("This team has %(count)d members, as many as a team may have.") % {"count": TEAM_MEMBERS_MAX}
        )
    _member_create(found, user)
    return True


@transaction.atomic
def team_leave(*, team: Team, user: User) -> None:
    """Take a member out of a team on the member's own wish. The team keeps its bots.

    A captain who leaves passes the captaincy on to the member who joined first. The last member who leaves keeps the
    bots, and the team is deleted.

    Raises:
        InputError: the user is no member of the team, or the contest is over.
    """
    user = _user_locked(user)
    found = _team_locked(team)
    _check_not_over(found.contest)
    _member_remove(found, user)


@transaction.atomic
def team_member_remove(*, team: Team, user: User, actor: User) -> None:
    """Take another member out of a team as its captain. The team keeps its bots.

    Raises:
        InputError: the actor is not the captain, the user is the captain or no member of the team, or the contest is
            over.
    """
    user = _user_locked(user)
    found = _team_locked(team)
    _check_not_over(found.contest)
    _check_captain(found, actor)
    if user.pk == found.captain_id:
        raise InputError(_("The captain cannot be removed. Please leave the team, or pass the captaincy on first."))
    _member_remove(found, user)
    audit_write(actor=actor, act="team_member_remove", target=f"{found.contest_id}: {found.name}, {user}")


@transaction.atomic
def captaincy_pass(*, team: Team, user: User, actor: User) -> None:
    """Make another member the captain of a team.

    Raises:
        InputError: the actor is not the captain, or the user is no member of the team.
    """
    found = _team_locked(team)
    _check_captain(found, actor)
    if not found.members.filter(user=user).exists():
        raise InputError(_("Only a member of the team can become its captain."))
    found.captain = user
    found.save(update_fields=["captain"])


@transaction.atomic
def teams_leave(*, user: User, contest: str | None = None) -> None:
    """Take a user out of the team of one contest, given by its key, or of all teams if ``contest`` is None.

    It is for members who are removed and for closed accounts, and works in contests that are over, too.
    """
    joined = TeamMember.objects.filter(user=user, **({"contest": contest} if contest else {}))
    for membership in joined.select_related("team").order_by("team"):
        _member_remove(_team_locked(membership.team), user)


def _user_locked(user: User) -> User:
    # Uploads lock the user first and the team after that. So nobody uploads to a team that the user is just leaving.
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _team_locked(team: Team) -> Team:
    found = Team.objects.select_for_update(no_key=True, of=("self",)).select_related("contest").filter(pk=team.pk)
    locked = found.first()
    if locked is None:
        raise InputError(_("This team has been dissolved."))
    return locked


def _saved(team: Team) -> Team:
    try:
        team.clean_fields()
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError as error:
        sentence = _(
            "Another team of this contest has this name, or one that looks like it. Please choose another name."
        )
        raise InputError(sentence) from error
    return team


def _member_create(team: Team, user: User) -> None:
    TeamMember.objects.create(contest_id=team.contest_id, team=team, user=user)
    team_joined.send(sender=None, team=team, user=user)


def _member_remove(team: Team, user: User) -> None:
    if not team.members.filter(user=user).delete()[0]:
        raise InputError(_("This user is no member of the team."))
    team.invitations.filter(created_by=user).delete()  # else this user could come back by them
    heir = team.members.order_by("pk").first()
    if heir is not None and team.captain_id == user.pk:
        team.captain_id = heir.user_id
        team.save(update_fields=["captain"])
    team_left.send(sender=None, team=team, user=user)
    if heir is None:
        team.delete()


def _check_not_over(contest: Contest) -> None:
    if contest.is_over:
        raise InputError(_("This contest is over. Its teams stay as they are."))


def _check_has_no_team(contest: Contest, user: User) -> None:
    if TeamMember.objects.filter(contest=contest, user=user).exists():
        raise InputError(_("You are in a team of this contest already. Please leave it first."))


def _check_captain(team: Team, actor: User) -> None:
    if team.captain_id != actor.pk:
        raise InputError(_("Only the captain of the team may do this."))
