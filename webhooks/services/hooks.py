"""Makes, changes and deletes hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.news_kinds import topic_choices
from common.errors import FieldsError, InputError
from webhooks.models import URL_LENGTH_MAX, Hook

HOOKS_MAX = 5
"""Hooks that one user may have: each event is sent to all of them."""
_is_url = URLValidator(schemes=["https"])


@transaction.atomic
def hook_create(*, owner: User, url: str, groups: Sequence[str]) -> Hook:
    """Make a hook of a user. Its secret is shown to its owner once.

    ``groups`` are the names of the topics whose notifications are sent to it (``accounts.news_kinds``).

    Raises:
        FieldsError: the url is no https url, or ``groups`` is empty or has something else in it.
        InputError: the user has ``HOOKS_MAX`` hooks already.
    """
    if faults := _faults(url, groups):
        raise FieldsError(faults)
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # requests at the same time cannot pass the limit
    if Hook.objects.filter(owner=owner).count() >= HOOKS_MAX:
        raise InputError(
            _("You have %(count)d webhooks, as many as one user may have. Please delete one of them first.")
            % {"count": HOOKS_MAX}
        )
    return Hook.objects.create(
        owner=owner, url=url, groups=[topic for topic in dict(topic_choices()) if topic in groups]
    )


def _faults(url: str, groups: Sequence[str]) -> dict[str, str]:
    faults = {}
    try:
        _is_url(url)
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
        # PostgreSQL raises an error for a NUL.
        if len(url) > URL_LENGTH_MAX or "\0" in url or parts.port == 0 or parts.username is not None or parts.fragment:
            raise ValidationError("")
    except (ValidationError, ValueError):
        faults["url"] = _(
            "Please give a url that begins with https://, has %(length)d characters at most, and neither a user's name"
            " nor a # in it."
        ) % {"length": URL_LENGTH_MAX}
    if not groups or not set(groups) <= set(dict(topic_choices())):
        faults["groups"] = _("Please choose what is to be sent: builds, probation or tournaments.")
    return faults


def hook_delete(*, hook: Hook) -> None:
    """Delete a hook with its deliveries."""
    hook.delete()


def hook_resume(*, hook: Hook) -> None:
    """Turn a hook on again; what happened meanwhile is not sent."""
    Hook.objects.filter(pk=hook.pk).update(off_at=None, failures=0)


def hooks_delete_all(*, user: User, **_: Any) -> None:
    """Delete the hooks of a user whose account is closed or disabled; a receiver of ``account_disabled``."""
    Hook.objects.filter(owner=user).delete()
