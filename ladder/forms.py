"""Forms: what they can check without the database; the rest is the services' business."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ladder.models import Bot
from ladder.selectors.games import games_all


class UploadForm(forms.ModelForm[Bot]):
    """A bot's name, its game and its file."""

    game = forms.ChoiceField(label=gettext_lazy("Game"))
    upload = forms.FileField(label=gettext_lazy("File"), max_length=120)

    class Meta:
        model = Bot
        fields = ["game", "name"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)  # noqa: S101 - tells mypy which of the fields above it is
        game.choices = [(card.name, card.title) for card in games_all()]
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields["upload"].widget.attrs |= {
            "accept": ".zip,.py",
            "data-max-bytes": settings.UPLOAD_MAX_BYTES,
            "data-too-large": _("The file is larger than %(max)d MiB. Please leave out what your bot does not need.")
            % {"max": settings.UPLOAD_MAX_BYTES // 1024**2},
        }

    def validate_unique(self) -> None:
        """Leave it to the service: a known name is not an error but the bot's next version."""

    def validate_constraints(self) -> None:
        """See ``validate_unique``."""

    @property
    def file(self) -> UploadedFile:
        """The uploaded file of a valid form."""
        upload: UploadedFile = self.cleaned_data["upload"]
        return upload
