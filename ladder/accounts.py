"""What our accounts have that Django's have not."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models.functions import Upper

from ladder.signals import password_changed


class Account(AbstractUser):
    """An account whose name differs from all others in more than capitals, and which tells of a new password."""

    class Meta(AbstractUser.Meta):
        abstract = True
        constraints = [
            # Forms look first and save later: of two sign-ups at once both would find the name free. By the capitals,
            # since that is how names are looked for (``iexact``), which has an index by this.
            models.UniqueConstraint(Upper("username"), name="user_name_unique_whatever_capitals"),
        ]

    def save(self, *args: Any, **options: Any) -> None:
        """Save the account, and send ``password_changed`` if it is an old one with a new password."""
        # Django's own mark, for its validators; a password that is only hashed anew has none.
        is_new = self._password is not None and not self._state.adding  # type: ignore[attr-defined]
        with transaction.atomic():
            super().save(*args, **options)
            if is_new:
                password_changed.send(sender=type(self), user=self)
