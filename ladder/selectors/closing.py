"""Says what closing an account deletes, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.exports import model_is_installed

DELETED: Mapping[str, str | Promise] = {
    "accounts.User": _("your user name, your first and last name, your password, and the text of your profile"),
    "account.EmailAddress": _("your e-mail addresses"),
    "accounts.Notification": _("your notifications"),
    "ladder.Follow": _("whom and which bots you follow, and who follows you"),
    "mfa.Authenticator": _("two-factor authentication and its recovery codes"),
    "socialaccount.SocialAccount": _("connections with your accounts of other sites"),
    "knox.AuthToken": _("your API tokens"),
    "workshop.Draft": _("your drafts in the workshop"),
    "workshop.Try": _("what you have tried in the workshop"),
    "webhooks.Hook": _("your webhooks and what was sent to them"),
    "contests.Member": _("your membership of contests, also as their organiser"),
    "contests.TeamMember": _("your membership of teams; a team that you leave as its last member is dissolved"),
    "contests.Invitation": _("invitations that you made: nobody can join by them any more"),
}
"""What is deleted, by the labels of the models."""
KEPT: dict[str, str | Promise] = {
    "ladder.Bot": _(
        "Your bots, under their names, with their programs and the logs of their builds. They are withdrawn and belong"
        " to an account that is called “closed” and a number, with the date of your sign-up. A team keeps its bots."
    ),
    "matches.Match": _(
        "The matches of your bots, with replays and with what your bots wrote in them: the ratings of others rest on"
        " them."
    ),
    "matches.Trial": _("Your private tests, which end now, and their results. Only administrators can see them."),
    "matches.RemoteSeat": _(
        "The tables at which you played yourself, under the name that you had there, for 30 days after their end."
    ),
    "contests.Contest": _("The final boards of contests, signed for ever, with the user name that you had then."),
    "accounts.AuditEntry": _("The log of what you and administrators did, with the user name that you had then."),
    "admin.LogEntry": _("The server's own logs and its backups, for as long as its administrators keep them."),
}
"""What stays, by the labels of the models; an upper app adds its own when it is ready."""


def closing_deletes() -> list[str | Promise]:
    """Return what closing an account deletes, for people."""
    return [words for label, words in DELETED.items() if model_is_installed(label)]


def closing_keeps() -> list[str | Promise]:
    """Return what closing an account leaves behind, in whole sentences."""
    return list(KEPT.values())
