"""Check constraints of the database that several models have."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import CheckConstraint, Q


def one_of(name: str, **values: Sequence[str]) -> CheckConstraint:
    """Return a check constraint called ``name``: the field that a keyword names has one of the values given with it.

    Models write the values out. A constraint made from a ``TextChoices`` would change with it, without a migration.
    """
    return CheckConstraint(condition=Q(**{f"{field}__in": allowed for field, allowed in values.items()}), name=name)
