"""Forms: what they can check without the database; the rest is the services' business."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ladder.bundles import SOURCE_SUFFIXES
from ladder.selectors.games import games_all
from ladder.selectors.languages import languages_all
from ladder.services.uploads import upload_too_large
from ladder.validators import validate_bot_name


class UploadForm(forms.Form):
    """A bot's name, its game, its file, and the language if the file names do not tell."""

    game = forms.ChoiceField(label=gettext_lazy("Game"))
    name = forms.CharField(label=gettext_lazy("Name of the bot"), max_length=40, validators=[validate_bot_name])
    upload = forms.FileField(label=gettext_lazy("File"), max_length=120)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = [(known.name, str(known)) for known in languages_all()]
        self._choices("game", [(card.name, card.title) for card in games_all()])
        self._choices("language", [("", _("by the file names")), *languages])
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields["upload"].widget.attrs |= {
            "accept": ",".join((".zip", *SOURCE_SUFFIXES)),
            "data-max-bytes": settings.UPLOAD_MAX_BYTES,
            "data-too-large": upload_too_large(),
        }

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells mypy which of the fields above it is
        field.choices = choices
