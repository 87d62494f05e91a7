"""Reads of users."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Notification, User


def confirmed_email(*, user: User) -> str | None:
    """Return the primary e-mail address of a user if it is verified, else None (1 query).

    A mail to an address that is not verified might reach a stranger.
    """
    known = EmailAddress.objects.filter(user=user, primary=True, verified=True).first()
    return str(known.email) if known else None


def verified_domains(*, user: User) -> set[str]:
    """Return the domains of the e-mail addresses that a user has verified, in lower case (1 query).

    The attack: somebody types an address of another company whose mails he cannot read, and joins its contest.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return {address.rpartition("@")[2].lower() for address in addresses}


def user_with_unread(*, pk: int) -> User | None:
    """Return a user, with the number of unread notifications as ``unread``, or None (1 query)."""
    # A subquery, not a join, by which the database would group all columns of the user.
    unread = Notification.objects.filter(reader=OuterRef("pk"), read_at=None).order_by().values("reader")
    counted = Subquery(unread.annotate(count=Count("pk")).values("count"))
    return User.objects.filter(pk=pk).annotate(unread=Coalesce(counted, 0)).first()


def user_named(*, name: str) -> User | None:
    """Return the user with a name, in any case, or None (1 query). The owner of the house bots is a user, too."""
    # PostgreSQL refuses a NUL, which no name contains.
    return None if "\x00" in name else User.objects.filter(username__iexact=name).first()
