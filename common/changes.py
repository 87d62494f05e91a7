"""Settings of a row that people change by forms and programs: which they are, and what their columns refuse."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from common.edits import edit_check

RowT = TypeVar("RowT", bound=Model)


def settings_of(model: type[Model], *, without: Collection[str]) -> tuple[str, ...]:
    """Return the names of the columns of a model that people set: all that are editable but those in ``without``."""
    return tuple(
        field.name for field in model._meta.concrete_fields if field.editable and field.name not in {*without, "id"}
    )


def row_changed(*, row: RowT, names: Collection[str], fields: Mapping[str, Any], mark: str) -> RowT:
    """Return a copy of a row with the new values ``fields`` of its settings, by name; nothing is saved.

    ``names`` are those of all its settings (``settings_of``); for ``mark`` see ``common.edits.edit_check``. The caller
    must lock the row until the copy is saved.

    Raises:
        EditedError: somebody has changed the row since the form was shown.
        TypeError: the model has no such setting.
    """
    if unknown := fields.keys() - set(names):
        raise TypeError(f"{type(row).__name__} has no setting {', '.join(sorted(unknown))}")
    edit_check(row=row, names=names, mark=mark)
    changed = copy.copy(row)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def columns_faults(*, row: Model, names: Collection[str]) -> dict[str, str]:
    """Return, by name, why columns in ``names`` refuse their values: lengths, choices, or the character NUL."""
    nul = [name for name in names if isinstance(text := getattr(row, name), str) and "\0" in text]
    faults = dict.fromkeys(nul, _("Please leave out the character NUL."))
    try:
        row.clean_fields(exclude={field.name for field in row._meta.concrete_fields} - set(names).difference(nul))
    except ValidationError as error:
        faults |= {name: " ".join(map(str, each)) for name, each in error.message_dict.items()}
    return faults
