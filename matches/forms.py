"""Forms of the pages of matches."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from accounts.access import Reader
from common.forms import TextField
from common.text import ROW_NUMBER_MAX
from common.times import zone_names
from contests.selectors.contests import contest_choices
from contests.selectors.visibility import public_keys
from jobs.selectors.languages import languages_shown
from ladder.forms import choices_set
from matches.models import Match
from matches.selectors.filters import ANY_FAULT, KINDS_LISTED, WATCHABLE, MatchFilter, keys_named
from matches.verdicts import VERDICTS


def _faults() -> list[tuple[str, str]]:
    titles = [(verdict, str(title)) for verdict, title in VERDICTS.items()]
    return [("", str(_("whatever happened"))), (ANY_FAULT, str(_("any fault"))), *titles]


class Day(forms.DateInput):
    """An input for a day, with the browser's calendar."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "date"}, format="%Y-%m-%d")


LINKED = {
    "bot_id": _("Only of the bot %(name)s"),
    "version": _("Only of the version %(name)s"),
    "against": _("Only against the bot %(name)s"),
    "trial": _("Only of the private test %(name)s"),
}
"""The fields that only links to the list fill in, each with a sentence that says what it chooses."""


def _key() -> forms.IntegerField:
    return forms.IntegerField(min_value=1, max_value=ROW_NUMBER_MAX, required=False, widget=forms.HiddenInput)


class MatchFilterForm(forms.Form):
    """The filter of the list of matches; an empty field is no condition. Its HTML is cached under ``typed``."""

    contest = forms.ChoiceField(label=_("Contest"), required=False)
    bot = TextField(label=_("Bot"), max_length=40, required=False)
    state = forms.ChoiceField(
        label=_("State"),
        choices=[(WATCHABLE, _("to watch")), ("", _("all states")), *Match.State.choices],
        required=False,
    )
    owner = TextField(label=_("Owner of the bot"), max_length=150, required=False)
    language = forms.ChoiceField(label=_("Language of the bot"), required=False)
    fault = forms.ChoiceField(label=_("Fault of the bot"), choices=_faults, required=False)
    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS_LISTED, required=False)
    since = forms.DateField(label=_("Paired from (UTC)"), widget=Day, required=False)
    until = forms.DateField(label=_("Paired until (UTC)"), widget=Day, required=False)

    zone = TextField(max_length=60, required=False, widget=forms.HiddenInput)
    """IANA name of the time zone in which the days begin, filled in by ``times.js``; an unknown name means UTC."""
    bot_id = _key()
    version = _key()
    against = _key()
    trial = _key()

    always = ("contest", "bot", "state")
    """The fields that are always visible; the others are in a part that can be opened, or in ``linked``."""

    def __init__(self, *args: Any, reader: Reader | None = None, **kwargs: Any) -> None:
        """Offer the contests that lists show to a reader, and the one that the url names if the reader may see it.

        A url without any condition means matches to watch. Older links name an open contest by ``game``.
        """
        super().__init__(*args, **kwargs)
        if "game" in self.data and "contest" not in self.data:  # links of before name the game of an open contest
            self.data = {**dict(self.data.items()), "contest": self.data["game"]}
        self.reader: Reader = reader or AnonymousUser()
        if not any(self.data.get(name) for name in self.fields) and "state" not in self.data:
            self.data = {"state": WATCHABLE}  # a visitor who chooses nothing comes to watch
        contests = contest_choices(named=self.data.get("contest", ""), reader=self.reader)
        public = set(public_keys())
        self.names_hidden = any(slug not in public for slug, _title in contests)
        # Lists: a function would be called again for each use of the choices.
        choices_set(self, "contest", [("", str(_("all contests"))), *contests])
        languages = [("", str(_("all languages"))), *((known.name, known.title) for known in languages_shown())]
        choices_set(self, "language", languages)

    def clean(self) -> dict[str, Any]:
        """Add an error if the last day is before the first."""
        chosen: dict[str, Any] = super().clean() or {}
        since, until = chosen.get("since"), chosen.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first. Please exchange them."))
        return chosen

    def chosen(self) -> MatchFilter:
        """Return the filter that the fields give; a field with an error is no condition."""
        self.full_clean()
        chosen = dict(self.cleaned_data)
        name = chosen.pop("zone", "")
        zone = ZoneInfo(name) if name in zone_names() else UTC
        days = _begin(chosen.pop("since", None), zone), _begin(chosen.pop("until", None), zone, after=True)
        filled = {name: value for name, value in chosen.items() if value}
        return MatchFilter(**filled, since=days[0], until=days[1])

    @property
    def typed(self) -> str:
        """The values of its fields as text, with the reader's key if the form may name what others must not see.

        Other parameters of the url are left out.

        The attack: a guest sends the same filter just after a member of a private contest, and reads its title among
        the choices.
        """
        return repr([*(self.data.get(name, "") for name in self.fields), self.reader.pk if self.names_hidden else ""])

    @property
    def is_wide(self) -> bool:
        """Whether a field of the part that can be opened is filled in or has an error: then the part is open."""
        wide = [field.name for field in self.visible_fields() if field.name not in self.always]
        return any(self.data.get(name) or name in self.errors for name in wide)

    @property
    def linked(self) -> list[tuple[BoundField, str]]:
        """The fields that a link has filled in, with sentences; they stay until unchecked (2 queries at most)."""
        keys = {name: key for name, key in self.cleaned_data.items() if key and name in LINKED}
        names = keys_named(chosen=MatchFilter(**keys), reader=self.reader)
        return [(self[name], LINKED[name] % {"name": names.get(name, f"#{key}")}) for name, key in keys.items()]


def _begin(day: date | None, zone: tzinfo, *, after: bool = False) -> datetime | None:
    """Return the moment at which a day begins in a time zone; with ``after``, at which the following day begins.

    None without a day, or if that moment lies outside the calendar in UTC.
    """
    if day is None:
        return None
    try:
        return datetime.combine(day + timedelta(days=after), time.min, zone).astimezone(UTC)
    except OverflowError:
        return None
