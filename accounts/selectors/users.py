"""Reads of users."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from accounts.models import User

_WITH_UNREAD = """
    SELECT u.*, (SELECT COUNT(*) FROM accounts_notification n WHERE n.reader_id = u.id AND n.read_at IS NULL) AS unread
    FROM accounts_user u WHERE u.id = %s
"""


def confirmed_email(*, user: User) -> str | None:
    """Return the confirmed e-mail address of a user, or None (1 query); mails to others might reach a stranger."""
    known = EmailAddress.objects.filter(user=user, primary=True, verified=True).first()
    return str(known.email) if known else None


def verified_domains(*, user: User) -> set[str]:
    """Return the domains of the e-mail addresses that a user has verified, in lower case (1 query).

    The attack: somebody types an address of another company whose mails he cannot read, and joins its contest.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return {address.rpartition("@")[2].lower() for address in addresses}


def user_with_unread(*, pk: int) -> User | None:
    """Return a user, with the number of unread notifications as ``unread``, or None (1 query).

    In hand-written SQL, since every page of a signed-in user runs it, and Django takes longer to compile the query than
    the database to run it.
    """
    return next(iter(User.objects.raw(_WITH_UNREAD, [pk])), None)


def user_named(*, name: str) -> User | None:
    """Return the user with a name, in any case, or None (1 query). The owner of the house bots is a user, too."""
    # PostgreSQL refuses a NUL, which no name contains.
    return None if "\x00" in name else User.objects.filter(username__iexact=name).first()
