"""HTML forms of uploads and of board filters. They check single fields; services check all that needs the database."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.edits import EditedError, edit_check, edit_mark
from common.errors import InputError
from common.forms import EditForm, LocalMomentField, SentForm, TextField
from common.validators import validate_bot_name
from common.words.messages import game_title
from contests.models import Contest
from core.languages import SOURCE_SUFFIXES
from jobs.selectors.languages import languages_all, languages_shown
from ladder.files.bundles import ARCHIVE_SUFFIXES
from ladder.files.pasted import pasted_file
from ladder.leagues import NAMES as LEAGUES
from ladder.models import Announcement, BotVersion
from ladder.selectors.boards import BoardFilter
from ladder.services.uploads import upload_too_large


def choices_set(form: forms.Form, name: str, choices: list[Any]) -> None:
    """Set the choices of the form's field ``name``."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
    field.choices = choices


def contests_grouped(contests: Iterable[Contest]) -> list[Any]:
    """Return contests as choices for a field: first the open contests of games, then all others under a heading."""
    known = list(contests)
    open_ones = [(contest.slug, str(contest)) for contest in known if contest.is_open_contest]
    others = [
        (contest.slug, f"{contest} ({game_title(contest.game)})") for contest in known if not contest.is_open_contest
    ]
    return [*open_ones, *([(_("Contests"), others)] if others else [])]


class EnterForm(SentForm):
    """The choice of a version of an own bot, of another contest that it enters, and of its bot's name there."""

    version = forms.TypedChoiceField(label=gettext_lazy("Version"), coerce=int)
    contest = forms.ChoiceField(label=gettext_lazy("Contest"))
    name = TextField(label=gettext_lazy("Name of the bot there"), max_length=40, validators=[validate_bot_name])

    def __init__(self, *args: Any, versions: Iterable[BotVersion], contests: Iterable[Contest], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices_set(self, "version", [(version.pk, f"v{version.number}") for version in versions])
        choices_set(self, "contest", contests_grouped(contests))
        self.fields["name"].widget.attrs["autocomplete"] = "off"


class UploadForm(SentForm):
    """The upload of a bot: contest, name, a file or a pasted program, and the language (optional)."""

    contest = forms.ChoiceField(label=gettext_lazy("Contest"))
    name = TextField(label=gettext_lazy("Name of the bot"), max_length=40, validators=[validate_bot_name])
    upload = forms.FileField(label=gettext_lazy("File"), max_length=120, required=False)
    program = forms.CharField(
        label=gettext_lazy("Program"),
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
        required=False,
        strip=False,
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)

    def __init__(self, *args: Any, contests: Iterable[Contest], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = [(known.name, str(known)) for known in languages_all()]
        choices_set(self, "contest", contests_grouped(contests))
        choices_set(self, "language", [("", _("by the file names")), *languages])
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields["upload"].widget.attrs |= {
            "accept": ",".join((*ARCHIVE_SUFFIXES, *SOURCE_SUFFIXES)),
            "data-max-bytes": settings.UPLOAD_MAX_BYTES,
            "data-too-large": upload_too_large(),
        }

        self.fields["program"].widget.attrs |= {
            "data-max-bytes": settings.DATA_UPLOAD_MAX_MEMORY_SIZE * 3 // 4,  # the rest is for the other fields
            "data-too-large": _("The pasted program is too long. Please save it in a file and choose that."),
        }

    def clean(self) -> dict[str, Any]:
        """Validate the form, and turn a pasted program into an uploaded file."""
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


class BoardFilterForm(forms.Form):
    """Filters the bots of a board; an empty field matches all."""

    name = TextField(label=gettext_lazy("Bot"), max_length=40, required=False)
    owner = TextField(label=gettext_lazy("Owner"), max_length=150, required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    league = forms.TypedChoiceField(label=gettext_lazy("League"), required=False, coerce=int, empty_value=None)

    def __init__(self, *args: Any, has_leagues: bool = True, **kwargs: Any) -> None:
        """Offer the leagues, unless the contest has none."""
        super().__init__(*args, **kwargs)
        if not has_leagues:
            self.fields["league"].widget = forms.HiddenInput()
        languages = [(known.name, known.title) for known in languages_shown()]
        leagues = [(str(number), _(name)) for number, name in reversed(list(enumerate(LEAGUES)))]
        choices_set(self, "language", [("", _("all")), *languages])
        choices_set(self, "league", [("", _("all")), *leagues])

    def chosen(self) -> BoardFilter:
        """Return the chosen filter; an invalid field matches all bots."""
        self.full_clean()
        return BoardFilter(**self.cleaned_data)


ANNOUNCEMENT_FIELDS = ("text", "level", "contest", "shown_from", "shown_until")


class AnnouncementForm(forms.ModelForm, EditForm):  # type: ignore[type-arg]  # takes no argument when it runs
    """An announcement in the administration, where two administrators may edit the same one."""

    text = TextField(widget=forms.Textarea, max_length=Announcement._meta.get_field("text").max_length)

    class Meta:
        model = Announcement
        fields = ANNOUNCEMENT_FIELDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Put a mark of the stored values that the form shows into it, by which ``clean`` notices later changes."""
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["read"] = edit_mark(row=self.instance, names=ANNOUNCEMENT_FIELDS)

    def clean(self) -> dict[str, Any]:
        """Refuse to overwrite what another administrator has saved since; lock the row until the transaction ends."""
        found = Announcement.objects.select_for_update(no_key=True).filter(pk=self.instance.pk).first()
        if found:
            try:
                edit_check(row=found, names=ANNOUNCEMENT_FIELDS, mark=self.cleaned_data["read"])
            except EditedError as error:
                self.edited_add(error)
        return self.cleaned_data


class ContestAnnouncementForm(forms.Form):
    """An announcement on the pages of one contest."""

    text = TextField(label=gettext_lazy("Text"), widget=forms.Textarea(attrs={"rows": 3}), max_length=1_000)
    level = forms.ChoiceField(label=gettext_lazy("Level"), choices=Announcement.Level.choices)
    shown_until = LocalMomentField(
        label=gettext_lazy("Shown until"), required=False, help_text=gettext_lazy("Empty: until you delete it.")
    )

    def clean_shown_until(self) -> datetime | None:
        """Refuse an end in the past."""
        until: datetime | None = self.cleaned_data["shown_until"]
        if until is not None and until <= timezone.now():
            raise forms.ValidationError(_("This time has passed already. Please choose a later one."))
        return until
