"""What the export of a person's data holds of contests and teams."""

from __future__ import annotations

from django.db.models import F
from django.utils.translation import gettext_lazy

from accounts.exports import Section, rows_of, section_register
from contests.models import Invitation, Member, TeamMember

section_register(
    Section(
        "memberships",
        gettext_lazy("the contests in which you take part or which you organise"),
        ("contests.Member",),
        lambda user: rows_of(Member.objects.filter(user=user)),
    )
)
section_register(
    Section(
        "teams",
        gettext_lazy("your teams"),
        ("contests.TeamMember", "contests.Team"),
        lambda user: rows_of(
            TeamMember.objects.filter(user=user), more={"team_name": F("team__name"), "captain": F("team__captain")}
        ),
    )
)
section_register(
    Section(
        "invitations",
        gettext_lazy("invitations that you made"),
        ("contests.Invitation",),
        # The attack: somebody finds the file and joins a private contest by the secret of an invitation.
        lambda user: rows_of(Invitation.objects.filter(created_by=user), without=["token"]),
    )
)
