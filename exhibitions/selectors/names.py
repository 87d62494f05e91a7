"""Finds out whether a player at a table uses the name of somebody else."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

from accounts.models import User
from common.names import name_key, name_look
from contests.models import Contest
from ladder.models import Bot
from ladder.selectors.bots import bots_own

_MARK = " (guest)"
_RESERVED = frozenset({"admin", "administrator", "moderator", "organiser"})
"""Names that make a player look like the site's staff, besides those of ``ACCOUNT_USERNAME_BLACKLIST``."""


def guest_name(*, contest: Contest, name: str, chars_max: int) -> str:
    """Return the name of a guest as others read it: marked if it is somebody else's (3 queries at most).

    It is marked and not refused: programs have their names built in, and a user called "Guest" must shut nobody out.
    """
    if not is_name_of_another(contest=contest, name=name, user=None):
        return name
    return f"{name[: chars_max - len(_MARK)].rstrip()}{_MARK}"


def is_name_of_another(*, contest: Contest, name: str, user: User | None) -> bool:
    """Return whether a name is that of another user, of a bot of the contest, or reserved (3 queries at most).

    The attack: a guest plays as an administrator, or as the first of the board, and everybody who watches believes it.
    Letters that look like others count as these (``common.names``). A user may use his own name, and those of his bots.

    Args:
        contest: the contest whose rules are played at the table.
        name: what everybody would read as the player's name.
        user: the player; None for guests.
    """
    if user and name == user.username:
        return False
    look = name_look(name)
    reserved = {*_RESERVED, *settings.ACCOUNT_USERNAME_BLACKLIST}
    if look in map(name_look, reserved):
        return True
    others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
    # Names of users are of ASCII letters, and compared in any case.
    if others.filter(Q(username__iexact=name) | Q(username__iexact=name_key(name)) | Q(username__iexact=look)).exists():
        return True
    bots = Bot.objects.filter(Q(name_key=name_key(name)) | Q(name_look=look), contest=contest)
    return (bots.exclude(pk__in=bots_own(reader=user).values("pk")) if user else bots).exists()
