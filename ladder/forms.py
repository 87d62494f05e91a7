"""Forms: what they can check without the database; the rest is the services' business."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import InputError
from common.validators import validate_bot_name
from jobs.selectors.languages import languages_all, languages_shown
from ladder.files.bundles import ARCHIVE_SUFFIXES, SOURCE_SUFFIXES
from ladder.files.pasted import pasted_file
from ladder.leagues import NAMES as LEAGUES
from ladder.selectors.boards import BoardFilter
from ladder.selectors.games import games_all
from ladder.services.uploads import upload_too_large


class UploadForm(forms.Form):
    """A bot's name, its game, its file or the text of its program, and the language if these do not tell."""

    game = forms.ChoiceField(label=gettext_lazy("Game"))
    name = forms.CharField(label=gettext_lazy("Name of the bot"), max_length=40, validators=[validate_bot_name])
    upload = forms.FileField(label=gettext_lazy("File"), max_length=120, required=False)
    program = forms.CharField(
        label=gettext_lazy("Program"),
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
        required=False,
        strip=False,
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = [(known.name, str(known)) for known in languages_all()]
        self._choices("game", [(card.name, card.title) for card in games_all()])
        self._choices("language", [("", _("by the file names")), *languages])
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields["upload"].widget.attrs |= {
            "accept": ",".join((*ARCHIVE_SUFFIXES, *SOURCE_SUFFIXES)),
            "data-max-bytes": settings.UPLOAD_MAX_BYTES,
            "data-too-large": upload_too_large(),
        }

        self.fields["program"].widget.attrs |= {
            "data-max-bytes": settings.DATA_UPLOAD_MAX_MEMORY_SIZE * 3 // 4,  # leaves room for the other fields
            "data-too-large": _("The pasted program is too long. Please save it in a file and choose that."),
        }

    def clean(self) -> dict[str, Any]:
        """Turn a pasted program into the file that is uploaded."""
        sent: dict[str, Any] = super().clean() or {}
        program = sent.pop("program", "")
        if sent.get("upload") and program.strip():
            self.add_error("upload", _("Please send a file or a pasted program, not both."))
        elif program.strip():
            try:
                sent["upload"] = pasted_file(program=program, language=sent.get("language", ""))
            except InputError as error:
                self.add_error("language", str(error))
        elif not sent.get("upload") and "upload" not in self.errors:
            self.add_error("upload", _("Please choose the file that holds your bot, or paste the program."))
        return sent

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells mypy which of the fields above it is
        field.choices = choices


class FilterForm(forms.Form):
    """What a list shows. Whoever has typed the same sees the same form: its HTML is kept for seconds."""

    @property
    def typed(self) -> str:
        """What is typed in its fields, whatever else stands in the address."""
        return repr([self.data.get(name, "") for name in self.fields])


class BoardFilterForm(FilterForm):
    """Which bots a board shows; an empty field takes all."""

    name = forms.CharField(label=gettext_lazy("Bot"), max_length=40, required=False)
    owner = forms.CharField(label=gettext_lazy("Owner"), max_length=150, required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    league = forms.TypedChoiceField(label=gettext_lazy("League"), required=False, coerce=int, empty_value=None)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = [(known.name, known.title) for known in languages_shown()]
        leagues = [(str(number), _(name)) for number, name in reversed(list(enumerate(LEAGUES)))]
        for field, choices in (("language", languages), ("league", leagues)):
            chosen = self.fields[field]
            assert isinstance(chosen, forms.ChoiceField)  # noqa: S101 - for the type checker
            chosen.choices = [("", _("all")), *choices]

    def chosen(self) -> BoardFilter:
        """Return what is chosen; a field that makes no sense takes all."""
        self.full_clean()
        return BoardFilter(**self.cleaned_data)
