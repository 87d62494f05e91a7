"""Forms of settings; fields for texts without invisible characters, and for moments in people's own time zone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.edits import EditedError, edit_mark
from common.errors import FieldsError, InputError
from common.text import typed
from common.times import local_moment, zone_names

_UTC = "UTC"
MadeT = TypeVar("MadeT")


class TextField(forms.CharField):
    """A text that somebody typed: characters that nobody sees are no part of it (``common.text.typed``)."""

    def to_python(self, value: Any) -> str | None:
        """Return the text; one that is empty to the eye counts as empty."""
        text = super().to_python(value)
        return typed(text) or self.empty_value if isinstance(text, str) else text


class SentForm(forms.Form):
    """A form of which a service takes what was typed, or refuses it."""

    refused_at: str | None = None
    """The field at which the sentence of a refusal stands; None: above all fields."""

    @property
    def wrong(self) -> bool:
        """Whether a service or the form refused what was sent."""
        return bool(self.errors)

    def saved(self, save: Callable[[], MadeT]) -> MadeT | None:
        """Return what a service, called by ``save``, makes of what was sent.

        None if nothing was sent, or it is refused: the form shows why.
        """
        if not (self.is_bound and self.is_valid()):
            return None
        try:
            return save()
        except InputError as error:
            self.refused(error)
            return None

    def refused(self, error: InputError) -> None:
        """Show why a service refuses what was sent."""
        self.add_error(self.refused_at, str(error))


class EditForm(SentForm):
    """A form that changes a row which others may change meanwhile."""

    read = forms.CharField(widget=forms.HiddenInput, required=False, strip=False, max_length=4_000)
    """What the form has shown (``common.edits.edit_mark``); empty in a form that makes a row."""

    def edited_add(self, error: EditedError) -> None:
        """Say that the row has changed, and which fields; the form overwrites it when it is sent once more."""
        labels = [str(self.fields[name].label) for name in error.names if name in self.fields]
        self.add_error(None, str(error))
        if labels:
            self.add_error(None, _("Changed: %(fields)s.") % {"fields": ", ".join(labels)})
        data = cast(QueryDict, self.data).copy()
        data[self.add_prefix("read")] = error.mark
        self.data = data

    def refused(self, error: InputError) -> None:
        """Show why a service refuses what was sent, or that somebody else has changed the row."""
        if isinstance(error, EditedError):
            self.edited_add(error)
        else:
            super().refused(error)


class Section(NamedTuple):
    """Some fields of a form under a heading."""

    title: str
    fields: Sequence[forms.BoundField] = ()
    text: str = ""
    """What stands in small print below the heading."""
    fault: str = ""
    """What is wrong with the fields together."""
    template: str = ""
    """The name of a template that is included below the fields; empty: none."""


class SettingsForm(forms.ModelForm, EditForm):  # type: ignore[type-arg]  # takes no argument when it runs
    """Makes a row or changes its settings. A service checks what they mean, and says by the field what is wrong.

    Fields that change no more are left out or disabled. Some settings have several fields, or none of their name: what
    is wrong with them stands at a heading.
    """

    headings: Collection[str] = ()
    """The settings whose faults stand at a heading."""

    def __init__(self, data: QueryDict | None, *, row: models.Model, names: Sequence[str], **initial: Any) -> None:
        self.faults: dict[str, str] = {}
        """Sentences by the name of a setting in ``headings``."""
        if not row._state.adding:
            initial["read"] = edit_mark(row=row, names=names)
        super().__init__(data, instance=row, initial=initial, label_suffix="")

    def _post_clean(self) -> None:
        """Leave the row as it is."""

    @property
    def wrong(self) -> bool:
        """Whether a service or the form refused what was sent."""
        return bool(self.errors or self.faults)

    def refused(self, error: InputError) -> None:
        """Show at fields and headings why a service refuses what was sent, or that the row has changed."""
        if not isinstance(error, FieldsError):
            super().refused(error)
            return
        for name, sentence in error.fields.items():
            if name in self.headings and name not in self.fields:
                self.faults[name] = sentence
            else:
                self.add_error(name if name in self.fields else None, sentence)

    def shown(self, *names: str) -> list[forms.BoundField]:
        """Return the fields of these names that the form has."""
        return [self[name] for name in names if name in self.fields]


def settings_field(
    column: models.Field[Any, Any], *, bounds: Mapping[str, tuple[int, int]], **options: Any
) -> forms.Field | None:
    """Return the form field of a column of settings: texts without invisible characters, moments in a chosen zone.

    ``bounds`` has the least and the greatest value of columns with whole numbers, by their names. ``options`` go to the
    form field. None for a column that forms do not show.
    """
    if isinstance(column, models.DateTimeField):
        options["form_class"] = LocalMomentField
    elif isinstance(column, models.CharField | models.TextField):
        options["form_class"] = TextField
    elif column.name in bounds:
        options["min_value"], options["max_value"] = bounds[column.name]
    return column.formfield(**options)


def posted(request: HttpRequest, name: str) -> str:
    """Return a text that was typed into a form of one or two inputs, for which there is no form class."""
    return typed(request.POST.get(name, ""))


class LocalMomentInput(forms.MultiWidget):
    """An input for date and time, and beside it a choice of the time zone: UTC, or the reader's.

    Only the browser knows the reader's zone: ``times.js`` adds it to the choice, and shows the value in it. Without
    scripts UTC is the only choice. The names in the form's data are the field's, and the field's with ``_zone``.
    """

    template_name = "common/local_moment.html"
    use_fieldset = False

    def __init__(self) -> None:
        zone = forms.Select(choices=[(_UTC, _UTC)], attrs={"class": "zone", "aria-label": gettext_lazy("Time zone")})
        super().__init__({"": forms.TextInput(attrs={"type": "datetime-local"}), "zone": zone})

    def decompress(self, value: datetime | None) -> list[str | None]:
        """Return what the two inputs show: date and time in UTC, None if there is no moment; and the zone ``UTC``."""
        return [value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") if value else None, _UTC]

    def get_context(self, name: str, value: Any, attrs: Mapping[str, Any] | None) -> dict[str, Any]:
        """Mark a moment that the form starts with, and offer the zone in which a refused one was typed."""
        context: dict[str, Any] = super().get_context(name, value, dict(attrs or {}))
        typed, zone = context["widget"]["subwidgets"]
        if not re.fullmatch(r".*T\d\d:\d\d(:00)?", typed["value"] or "T00:00"):
            typed["attrs"] = {**typed["attrs"], "step": 1}  # else browsers would refuse to change the seconds
        if "id" in context["widget"]["attrs"]:
            typed["attrs"]["id"] = context["widget"]["attrs"]["id"]
        if isinstance(value, datetime):
            typed["attrs"] = {**typed["attrs"], "data-at": value.isoformat()}
        elif value and value[1] in zone_names() - {_UTC}:
            offered = forms.Select(choices=[(_UTC, _UTC), (value[1], value[1])])
            context["widget"]["subwidgets"][1] = offered.get_context(zone["name"], value[1], zone["attrs"])["widget"]
        return context

    def id_for_label(self, id_: str) -> str:
        """Return the id of the first input, which the field's label names."""
        return id_


class LocalMomentField(forms.Field):
    """A moment that is typed as date and time in a time zone; its value is in UTC, None if it is empty.

    A time that does not exist in the zone, or that exists twice, is refused with a sentence.
    """

    widget = LocalMomentInput

    def to_python(self, value: Sequence[str | None] | None) -> datetime | None:
        """Return the moment that the two inputs give, in UTC; None if no date is typed.

        Raises:
            ValidationError: the zone is unknown, or what was typed is no time or not one time in that zone.
        """
        typed, zone = (word.strip() if word else "" for word in value or ("", ""))
        if not typed:
            return None
        if zone and zone not in zone_names():
            raise ValidationError(_("This site does not know the time zone %(zone)s. Choose UTC.") % {"zone": zone})
        try:
            return local_moment(typed, zone or _UTC)
        except InputError as error:
            raise ValidationError(str(error)) from error
