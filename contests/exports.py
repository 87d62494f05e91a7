"""What the export of a person's data holds of contests and teams."""

from __future__ import annotations

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.exports import Section, rows_of, sections_register
from contests.models import Invitation, Member, TeamMember

sections_register(
    Section(
        "memberships",
        _("the contests in which you take part or which you organise"),
        ("contests.Member",),
        lambda user: rows_of(Member.objects.filter(user=user)),
        deleted=_("your membership of contests, also as their organiser"),
        kept=_("The final boards of contests, signed for ever, with the user name that you had then."),
    ),
    Section(
        "teams",
        _("your teams"),
        ("contests.TeamMember", "contests.Team"),
        lambda user: rows_of(
            TeamMember.objects.filter(user=user), more={"team_name": F("team__name"), "captain": F("team__captain")}
        ),
        deleted=_("your membership of teams; a team that you leave as its last member is dissolved"),
    ),
    Section(
        "invitations",
        _("invitations that you made"),
        ("contests.Invitation",),
        # The attack: somebody finds the file and joins a private contest by the secret of an invitation.
        lambda user: rows_of(Invitation.objects.filter(created_by=user), without=["token"]),
        deleted=_("invitations that you made: nobody can join by them any more"),
    ),
)
