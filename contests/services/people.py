"""Adds and removes members of contests, as organisers or the members themselves want it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.signals import member_left
from contests.models import Invitation, Member
from contests.selectors.contests import contest_named, contest_unknown
from contests.selectors.people import join_problem

Role = Member.Role


@transaction.atomic
def member_add(*, contest: str, user: User, actor: User | None, role: Role = Role.PARTICIPANT) -> Member:
    """Make a user a participant or organiser of a contest, given by its key; an organiser never becomes less here."""
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
        InputError: the user is the last organiser, or no organiser.
    """
    _check_not_last_organiser(contest, user)
    if not Member.objects.filter(contest=contest, user=user, role=Role.ORGANISER).update(role=Role.PARTICIPANT):
        raise InputError(_("This user is no organiser of the contest."))
    Invitation.objects.filter(contest=contest, created_by=user, team=None).delete()  # only organisers let people in
    audit_write(actor=actor, act="organiser_to_participant", target=f"{contest}: {user.get_username()}")


@transaction.atomic
def member_remove(*, contest: str, user: User, actor: User | None, reason: str = "") -> None:
    """Remove a member from a contest: the user leaves the team, and bots that were the user's alone are withdrawn.

    The actor is the user, an organiser or an administrator; None: the site itself.

    Raises:
        InputError: the user is no member of the contest, or its last organiser.
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

    ``received_at`` is when an upload by which the user joins reached the site; None: there is no upload.

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
    """Check that a user is not the only organiser; lock the organisers, so that the last two cannot leave at once.

    Raises:
        InputError: the user is the only organiser of the contest.
    """
    organisers = Member.objects.select_for_update(no_key=True).filter(contest=contest, role=Role.ORGANISER)
    keys = [member.user_id for member in organisers.order_by("pk")]
    if keys == [user.pk]:
        raise InputError(_("A contest needs an organiser. Please make somebody else one first."))
