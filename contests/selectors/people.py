"""Reads who takes part in contests: organisers, participants, teams and invitations."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import Reader, administrates
from accounts.models import User
from accounts.selectors.users import verified_domains
from contests.models import Contest, Invitation, Member, Team, TeamMember

Role = Member.Role


# --- Members --------------------------------------------------------------------------------------------------------


def organises(*, reader: Reader, contest: Contest | str) -> bool:
    """Return whether a reader may change a contest and who takes part in it; ``contest`` is the row or its key.

    Its organisers and administrators may. At most 2 queries.
    """
    if reader.pk is None or not reader.is_active:
        return False
    slug = contest if isinstance(contest, str) else contest.slug
    return administrates(reader) or Member.objects.filter(contest=slug, user=reader.pk, role=Role.ORGANISER).exists()


def member_of(*, contest: str, reader: Reader) -> Member | None:
    """Return a reader's part in a contest, or None (1 query; none for visitors)."""
    return None if reader.pk is None else Member.objects.filter(contest=contest, user=reader.pk).first()


def members_of(*, contest: str) -> QuerySet[Member]:
    """Return the members of a contest with their accounts, organisers first, then by name."""
    organisers_first = Q(role=Role.ORGANISER)
    named = Member.objects.filter(contest=contest).select_related("user").annotate(is_organiser=organisers_first)
    return named.order_by("-is_organiser", "user__username")


def member_in(*, contest: str, pk: int) -> Member | None:
    """Return a member of a contest by the primary key of the membership, or None (1 query)."""
    return members_of(contest=contest).filter(pk=pk).first()


def join_problem(*, contest: Contest, reader: User, received_at: datetime | None = None) -> str:
    """Return why a user cannot join a contest without an invitation, in a sentence; empty if that is allowed.

    At most 2 queries. Whether the user is a member already is not looked at. ``received_at`` is when an upload by which
    the user joins reached the site (``common.arrivals``); one that came before a freeze is taken after it, too. None:
    there is no upload.
    """
    if contest.is_over and not (received_at and contest.plays_if_received(received_at)):
        return _("This contest is over. Nobody can join it any more.")
    if contest.state == Contest.State.DRAFT:
        return _("This contest has not begun: nobody can join it yet.")
    if not contest.is_private or administrates(reader):
        return ""
    if not joins_by_domain(contest=contest, reader=reader):
        return _("This contest is private: please ask its organisers for an invitation.")
    return ""


def joins_by_domain(*, contest: Contest, reader: Reader) -> bool:
    """Return whether a user has a verified e-mail address in the contest's ``mail_domain``, and so may join it.

    1 query; none for contests without a domain.
    """
    if not contest.mail_domain or not isinstance(reader, User):
        return False
    return contest.mail_domain.lower() in verified_domains(user=reader)


def contest_to_join(*, slug: str, reader: User) -> Contest | None:
    """Return the contest with this key if the user may see it, or may join it by the domain of an address; else None.

    None also for the open contest of a game, which nobody has to join. At most 3 queries. The attack: somebody who may
    neither see nor join a private contest learns here that it exists.
    """
    contest = Contest.objects.filter(~Q(slug=F("game")), slug=slug, game__in=settings.GAMES).first()
    if contest is None or organises(reader=reader, contest=contest):
        return contest
    if contest.state == Contest.State.DRAFT:
        return None
    if not contest.is_private or joins_by_domain(contest=contest, reader=reader):
        return contest
    return contest if member_of(contest=slug, reader=reader) else None


# --- Invitations ----------------------------------------------------------------------------------------------------


def invitation_at(*, token: str) -> Invitation | None:
    """Return the invitation whose url has this secret, with its contest, team and who made it, or None (1 query)."""
    found = Invitation.objects.select_related("contest", "team", "created_by")
    return None if "\x00" in token else found.filter(token=token, contest__game__in=settings.GAMES).first()


def invitation_problem(*, invitation: Invitation) -> str:
    """Return why nobody can join by an invitation any more, in a sentence; empty if it still holds (no query)."""
    if invitation.expires_at <= timezone.now():
        return _("This invitation has expired. Please ask for a new one.")
    if invitation.uses >= invitation.uses_max:
        return _("This invitation has been used as often as it may be. Please ask for a new one.")
    if invitation.contest.state == Contest.State.ARCHIVED:
        return _("This contest is over. Nobody can join it any more.")
    return ""


def invitations_of(*, contest: str, team: Team | None = None) -> QuerySet[Invitation]:
    """Return the invitations by which people can still join a contest, or if given the ``team``, newest first."""
    valid = Q(expires_at__gt=timezone.now(), uses__lt=F("uses_max"))
    return Invitation.objects.filter(valid, contest=contest, team=team).select_related("created_by")


# --- Teams ----------------------------------------------------------------------------------------------------------


def team_keys(*, reader: Reader) -> set[int]:
    """Return the primary keys of the teams that a reader is a member of (1 query; none for visitors)."""
    if reader.pk is None:
        return set()
    return set(TeamMember.objects.filter(user=reader.pk).values_list("team", flat=True))


def team_of(*, contest: str, reader: Reader) -> Team | None:
    """Return a reader's team in a contest, or None (1 query; none for visitors)."""
    if reader.pk is None:
        return None
    mine = TeamMember.objects.filter(team=OuterRef("pk"), user=reader.pk)
    return Team.objects.select_related("contest", "captain").filter(Exists(mine), contest=contest).first()


def team_in(*, contest: str, pk: int) -> Team | None:
    """Return a team of a contest by its primary key, or None (1 query)."""
    return Team.objects.select_related("contest", "captain").filter(contest=contest, pk=pk).first()


def team_members(*, team: Team) -> list[TeamMember]:
    """Return the members of a team with their accounts, in the order in which they joined (1 query)."""
    return list(TeamMember.objects.filter(team=team).select_related("user").order_by("pk"))


def teams_by_user(*, contest: str) -> dict[int, Team]:
    """Return the teams of a contest's participants who are in one, by the primary key of the user (1 query)."""
    joined = TeamMember.objects.filter(contest=contest).select_related("team__contest")
    return {membership.user_id: membership.team for membership in joined}
