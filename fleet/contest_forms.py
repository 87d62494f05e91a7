"""The form of a contest: all that its organiser sets, with the rules that its game knows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

import msgspec
from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from common.edits import edit_mark
from common.errors import FieldsError
from common.forms import EditForm, LocalMomentField, TextField
from contests.models import FINAL_GAMES, SLUG_LENGTH_MAX, Contest
from contests.selectors.contests import LIMIT_NAMES, limits_installed, tables_of
from contests.validation import (
    BOTS_MAX,
    DATES,
    FIELDS,
    FINAL_GAMES_MAX,
    REPLAYS_MAX,
    SHARE_MAX,
    TABLES_EACH_MAX,
    ContestFields,
)
from core.game import plain
from core.variants import Option, options_of
from games.registry import game_named
from games.words import ENGLISH, option_title, ruleset_title
from jobs.selectors.languages import languages_all
from ladder.models import Announcement
from wire.jobs import BotLimits

LIMIT_TITLES: dict[str, Promise] = {
    "memory_mib": gettext_lazy("Memory (MiB)"),
    "pids_max": gettext_lazy("Processes and threads"),
    "open_files_max": gettext_lazy("Open files"),
    "file_mib": gettext_lazy("Largest file (MiB)"),
    "tmp_mib": gettext_lazy("Temporary files (MiB)"),
    "start_cpu_ms": gettext_lazy("CPU time of the start (ms)"),
    "time_percent": gettext_lazy("Time of each answer (percent of the game's)"),
}


class Section:
    """Some fields of the form under a heading."""

    def __init__(self, title: str, text: str, fields: list[forms.BoundField], *, fault: str = "") -> None:
        self.title = title
        self.text = text
        self.fields = fields
        self.fault = fault
        """What is wrong with the fields together."""


class ContestForm(EditForm):
    """Makes a contest of a game, or changes one. Fields that change no more are shown and cannot be set."""

    slug = TextField(
        label=gettext_lazy("Name in urls"),
        max_length=SLUG_LENGTH_MAX,
        help_text=gettext_lazy("Small letters a-z, digits and hyphens, such as spring-cup. It never changes."),
    )
    title = TextField(label=gettext_lazy("Title"), max_length=100)
    description = TextField(
        label=gettext_lazy("Description"),
        widget=forms.Textarea(attrs={"rows": 6}),
        max_length=20_000,
        required=False,
        help_text=gettext_lazy(
            "Its page begins with it. Markdown, such as **bold** and [a link](https://example.org)."
        ),
    )
    prizes = TextField(label=gettext_lazy("Prizes"), max_length=500, required=False)
    opens_at = LocalMomentField(
        label=gettext_lazy("It opens by itself"),
        required=False,
        help_text=gettext_lazy("Empty: when you open it."),
    )
    entries_until = LocalMomentField(
        label=gettext_lazy("Bots are taken until"),
        required=False,
        help_text=gettext_lazy("Matches go on after it. Empty: no deadline."),
    )
    frozen_at = LocalMomentField(
        label=gettext_lazy("It freezes by itself"),
        required=False,
        help_text=gettext_lazy(
            "Then the last uploads are built, the final matches are played, and its board is signed. Empty: when you"
            " freeze it."
        ),
    )
    final_games = forms.IntegerField(
        label=gettext_lazy("Games of each bot before the board is signed"),
        min_value=0,
        max_value=FINAL_GAMES_MAX,
        required=False,
        help_text=gettext_lazy("Who has fewer when it freezes gets them as final matches. Empty: 20; 0: none."),
    )
    final_by = LocalMomentField(
        label=gettext_lazy("Its board is signed at the latest"),
        required=False,
        help_text=gettext_lazy("As it is then. Empty: when all final matches have been played."),
    )
    visibility = forms.ChoiceField(label=gettext_lazy("Who sees it"))
    mail_domain = TextField(
        label=gettext_lazy("Domain of e-mail addresses"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Who has a verified address in it may join without an invitation, such as example.org."),
    )
    other_hosts = forms.BooleanField(
        label=gettext_lazy("Machines of others may play it although it is private"),
        required=False,
        help_text=gettext_lazy("Their operators can read the programs that they build and play."),
    )
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=gettext_lazy("None chosen: all that this arena has."),
    )
    bots_max = forms.IntegerField(
        label=gettext_lazy("Bots a participant"),
        min_value=1,
        max_value=BOTS_MAX,
        required=False,
        help_text=gettext_lazy("A team is one participant. Empty: as many as this arena allows a user."),
    )
    tables_each = forms.IntegerField(
        label=gettext_lazy("Open tables a participant"),
        min_value=1,
        max_value=TABLES_EACH_MAX,
        required=False,
        help_text=gettext_lazy(
            "At how many tables each of them may play against its bots at a time. Empty: as many as this arena allows"
            " a user."
        ),
    )
    has_house_bots = forms.BooleanField(
        label=gettext_lazy("House bots that can play its rules take part"), required=False
    )
    honours_house_bots = forms.TypedChoiceField(
        label=gettext_lazy("House bots stand beside its winners"),
        choices=[
            ("", gettext_lazy("as usual: yes, in a private contest no")),
            ("true", gettext_lazy("yes")),
            ("false", gettext_lazy("no")),
        ],
        required=False,
        coerce=lambda word: word == "true",
        empty_value=None,
        help_text=gettext_lazy("They win nothing: the first places are those of people."),
    )
    has_leagues = forms.BooleanField(label=gettext_lazy("Its bots are placed in leagues"), required=False)
    replays_kept = forms.IntegerField(
        label=gettext_lazy("Replays of each pair that stay in the archive"),
        min_value=1,
        max_value=REPLAYS_MAX,
        required=False,
        help_text=gettext_lazy("The newest ones. Empty: all."),
    )

    def __init__(self, data: QueryDict | None = None, *, game: str, contest: Contest | None) -> None:
        self.game, self.contest = game, contest
        self.rules = game_named(game)
        self.options = options_of(self.rules)
        self.faults: dict[str, str] = {}
        shown = contest or Contest(game=game, has_house_bots=True)
        read = edit_mark(row=contest, names=FIELDS) if contest else ""
        super().__init__(data, initial={**_initial(shown), "read": read}, label_suffix="")
        self._rules_add(shown)
        self._limits_add(shown)
        self._choices_set(shown)
        if contest is not None:
            self._fields_fix(contest)

    def clean_final_games(self) -> int:
        """Return the number of final games, the usual one if none was typed."""
        typed: int | None = self.cleaned_data["final_games"]
        return FINAL_GAMES if typed is None else typed

    def chosen(self) -> ContestFields:
        """Return the fields of the contest that were typed. Those that cannot be set now are not among them."""
        sent = self.cleaned_data
        names = ContestFields.__annotations__
        fields = {name: sent[name] for name in names if name in self.fields and not self.fields[name].disabled}
        if not self.fields["ruleset"].disabled:
            options = {option.name: sent[f"option_{option.name}"] for option in self.options}
            fields["options"] = {name: value for name, value in options.items() if value not in ("", None)}
            shares = {str(size): sent[f"table_{size}"] for size in sorted(self.rules.players)}
            fields["tables"] = {size: share for size, share in shares.items() if share}
        limits = {name: sent[f"limit_{name}"] for name in LIMIT_NAMES}
        fields["limits"] = {name: limit for name, limit in limits.items() if limit is not None}
        return cast("ContestFields", fields)

    def faults_add(self, error: FieldsError) -> None:
        """Show the sentences of a service at their fields, or at the headings above several of them."""
        for name, sentence in error.fields.items():
            if name in self.fields:
                self.add_error(name, sentence)
            elif name in ("options", "tables", "limits"):
                self.faults[name] = sentence
            else:
                self.add_error(None, sentence)

    def sections(self) -> Iterator[Section]:
        """Yield the fields under their headings."""
        named = [name for name in ("slug", "title", "description", "prizes") if name in self.fields]
        yield Section(_("What it is"), "", [self[name] for name in named])
        locked = _rules_locked(self.contest)
        rules = ["ruleset", *(f"option_{option.name}" for option in self.options)]
        yield Section(_("Rules"), locked, [self[name] for name in rules], fault=self.faults.get("options", ""))
        if len(self.rules.players) > 1:
            text = _(
                "The shares of its matches by the number of bots at a table; 0 or empty: none. All give one rating."
            )
            sizes = [self[f"table_{size}"] for size in sorted(self.rules.players)]
            yield Section(_("Table sizes"), text, sizes, fault=self.faults.get("tables", ""))
        dates = [self[name] for name in (*DATES[:-1], "final_games", DATES[-1]) if name in self.fields]
        yield Section(_("When"), _("Times are in the zone that is chosen beside them."), dates)
        who = ("visibility", "mail_domain", "other_hosts")
        yield Section(_("Who"), "", [self[name] for name in who if name in self.fields])
        bots = ("languages", "bots_max", "tables_each", "has_house_bots", "honours_house_bots", "has_leagues")
        yield Section(_("Its bots"), "", [self[name] for name in (*bots, "replays_kept")])
        text = _("For matches that are handed out from now on. An empty field is as the installation has it.")
        limits = [self[f"limit_{name}"] for name in LIMIT_NAMES]
        yield Section(_("Limits of its bots"), text, limits, fault=self.faults.get("limits", ""))

    def _rules_add(self, contest: Contest) -> None:
        language = get_language() or ENGLISH
        titles = [(name, ruleset_title(self.game, name, language)) for name in self.rules.rulesets]
        first = next(iter(self.rules.rulesets))
        self.fields["ruleset"] = forms.ChoiceField(
            label=_("Ruleset"), choices=titles, initial=contest.ruleset or first, required=False
        )
        for option in self.options:
            field = _option_field(option)
            field.label = option_title(self.game, option.name, language)
            field.initial = contest.options.get(option.name)
            self.fields[f"option_{option.name}"] = field
        stored = {int(size): float(share) for size, share in contest.tables.items()}
        typed = stored or tables_of(contest=contest)
        for size in sorted(self.rules.players):
            self.fields[f"table_{size}"] = forms.FloatField(
                label=_("%(size)d bots") % {"size": size},
                min_value=0,
                max_value=SHARE_MAX,
                required=False,
                initial=plain(typed[size]) if size in typed else None,
            )

    def _limits_add(self, contest: Contest) -> None:
        installed = limits_installed(game=self.game)
        described = cast(msgspec.inspect.StructType, msgspec.inspect.type_info(BotLimits)).fields
        for field in described:
            bounds = cast(msgspec.inspect.IntType, field.type)
            self.fields[f"limit_{field.name}"] = forms.IntegerField(
                label=str(LIMIT_TITLES.get(field.name, field.name)),
                min_value=bounds.ge,
                max_value=bounds.le,
                required=False,
                initial=contest.limits.get(field.name),
                widget=forms.NumberInput(attrs={"placeholder": getattr(installed, field.name)}),
                help_text=_("from %(least)d to %(most)d") % {"least": bounds.ge, "most": bounds.le},
            )

    def _choices_set(self, contest: Contest) -> None:
        known = {language.name: language.title for language in languages_all()}
        known = {**{name: name for name in contest.languages}, **known}
        cast(forms.ChoiceField, self.fields["languages"]).choices = list(known.items())
        says = {
            Contest.Visibility.PUBLIC: _("Public: everybody; it is listed"),
            Contest.Visibility.UNLISTED: _("Unlisted: everybody who has its url"),
            Contest.Visibility.PRIVATE: _("Private: its members alone"),
        }
        cast(forms.ChoiceField, self.fields["visibility"]).choices = [(str(key), text) for key, text in says.items()]

    def _fields_fix(self, contest: Contest) -> None:
        """Leave out or fix the fields that do not change any more (``contests.validation``)."""
        del self.fields["slug"]
        if contest.state != Contest.State.DRAFT:
            del self.fields["opens_at"]
        if contest.is_over:
            del self.fields["frozen_at"]
        if contest.is_over and not contest.is_in_finals:
            del self.fields["final_games"], self.fields["final_by"]
        if contest.is_open_contest:
            del self.fields["visibility"], self.fields["mail_domain"], self.fields["other_hosts"]
            self.fields["title"].required = False
        if _rules_locked(contest):
            for name, field in self.fields.items():
                field.disabled = field.disabled or name == "ruleset" or name.startswith(("option_", "table_"))


def _initial(contest: Contest) -> dict[str, Any]:
    initial = {name: getattr(contest, name) for name in ContestFields.__annotations__}
    chosen = contest.honours_house_bots
    return {**initial, "honours_house_bots": "" if chosen is None else str(chosen).lower()}


def _rules_locked(contest: Contest | None) -> str:
    if contest is None:
        return ""
    if contest.is_open_contest:
        return _("The open contest of a game is played by the game's first ruleset.")
    return _("Matches have been played by these rules, so they stay.") if contest.has_matches else ""


def _option_field(option: Option) -> forms.Field:
    """Return the form field of an option; an empty value means its default."""
    default = (
        _("as the game has it") if option.default is None else _("as usual: %(value)s") % {"value": option.default}
    )
    match option.kind:
        case "whole":
            least, most = (None if bound is None else int(bound) for bound in (option.least, option.most))
            number = forms.NumberInput(attrs={"placeholder": default})
            return forms.IntegerField(min_value=least, max_value=most, required=False, widget=number)
        case "number":
            number = forms.NumberInput(attrs={"placeholder": default})
            return forms.FloatField(min_value=option.least, max_value=option.most, required=False, widget=number)
        case "switch":
            usual = {True: _("yes"), False: _("no")}.get(option.default)
            default = _("as the game has it") if usual is None else _("as usual: %(value)s") % {"value": usual}
            choices = [("", default), ("true", _("yes")), ("false", _("no"))]
            return forms.TypedChoiceField(
                choices=choices, required=False, coerce=lambda word: word == "true", empty_value=None
            )
        case "choice":
            kinds = {str(choice): choice for choice in option.choices}
            return forms.TypedChoiceField(
                choices=[("", default), *((word, word) for word in kinds)],
                required=False,
                coerce=kinds.__getitem__,
                empty_value=None,
            )
        case "text":
            typed = forms.TextInput(attrs={"placeholder": default})
            return TextField(
                max_length=200, required=False, widget=typed, help_text=", ".join(map(str, option.choices))
            )
        case _:
            rows = forms.Textarea(attrs={"rows": 3, "placeholder": default})
            return forms.JSONField(required=False, widget=rows, help_text=_("as JSON"))


class AnnouncementForm(forms.Form):
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


class DisqualifyForm(forms.Form):
    """A bot to disqualify, and the reason, which its owner reads."""

    bot = forms.IntegerField(widget=forms.HiddenInput)
    reason = TextField(label=gettext_lazy("Reason, for its owner to read"), max_length=500)
