"""Checks of the database that several models have."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import CheckConstraint, Q


def known(name: str, **values: Sequence[str]) -> CheckConstraint:
    """Return the check, by this name, that a field holds one of the values that the program knows.

    Written out where it is used: what is only in a model's ``TextChoices`` would change the database unseen.
    """
    return CheckConstraint(condition=Q(**{f"{field}__in": known for field, known in values.items()}), name=name)
