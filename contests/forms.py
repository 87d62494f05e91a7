"""The forms of contests: all that an organiser sets, with the rules that its game knows, and who takes part."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, cast

import msgspec
from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from common.errors import InputError
from common.forms import Section, SentForm, SettingsForm, TextField, settings_field
from contests.models import FINAL_GAMES, SLUG_LENGTH_MAX, Contest, Member
from contests.selectors.contests import LIMIT_NAMES, limits_installed, tables_of
from contests.selectors.facts import LIMIT_TITLES
from contests.services.invitations import INVITATION_DAYS_MAX, INVITATION_USES_MAX
from contests.services.rosters import RosterError
from contests.validation import BOUNDS, DATES, FIELDS, RULES, SHARE_MAX
from core.game import plain
from core.variants import Option, options_of
from games.registry import game_named
from games.words import ENGLISH, option_title, ruleset_title
from jobs.selectors.languages import languages_all
from wire.jobs import BotLimits


class ContestForm(SettingsForm):
    """Makes a contest of a game, or changes one. Fields that change no more are disabled or left out."""

    headings = ("options", "tables", "limits")
    slug = TextField(
        label=gettext_lazy("Name in urls"),
        max_length=SLUG_LENGTH_MAX,
        help_text=gettext_lazy("Small letters a-z, digits and hyphens, such as spring-cup. It never changes."),
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who sees it"),
        choices=[
            (Contest.Visibility.PUBLIC, gettext_lazy("Public: everybody; it is listed")),
            (Contest.Visibility.UNLISTED, gettext_lazy("Unlisted: everybody who has its url")),
            (Contest.Visibility.PRIVATE, gettext_lazy("Private: its members alone")),
        ],
    )
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=gettext_lazy("None chosen: all that this arena has."),
    )

    class Meta:
        model = Contest
        fields = [name for name in FIELDS if name not in (*RULES, "limits")]
        formfield_callback = partial(settings_field, bounds=BOUNDS)
        labels = {
            "title": gettext_lazy("Title"),
            "description": gettext_lazy("Description"),
            "prizes": gettext_lazy("Prizes"),
            "opens_at": gettext_lazy("It opens by itself"),
            "entries_until": gettext_lazy("Bots are taken until"),
            "frozen_at": gettext_lazy("It freezes by itself"),
            "final_games": gettext_lazy("Games of each bot before the board is signed"),
            "final_by": gettext_lazy("Its board is signed at the latest"),
            "mail_domain": gettext_lazy("Domain of e-mail addresses"),
            "other_hosts": gettext_lazy("Machines of others may play it although it is private"),
            "bots_max": gettext_lazy("Bots a participant"),
            "tables_each": gettext_lazy("Open tables a participant"),
            "has_house_bots": gettext_lazy("House bots that can play its rules take part"),
            "honours_house_bots": gettext_lazy("House bots stand beside its winners"),
            "has_leagues": gettext_lazy("Its bots are placed in leagues"),
            "replays_kept": gettext_lazy("Replays of each pair that stay in the archive"),
        }
        help_texts = {
            "description": gettext_lazy(
                "Its page begins with it. Markdown, such as **bold** and [a link](https://example.org)."
            ),
            "opens_at": gettext_lazy("Empty: when you open it."),
            "entries_until": gettext_lazy("Matches go on after it. Empty: no deadline."),
            "frozen_at": gettext_lazy(
                "Then the last uploads are built, the final matches are played, and its board is signed. Empty: when"
                " you freeze it."
            ),
            "final_games": gettext_lazy(
                "Who has fewer when it freezes gets them as final matches. Empty: 20; 0: none."
            ),
            "final_by": gettext_lazy("As it is then. Empty: when all final matches have been played."),
            "mail_domain": gettext_lazy(
                "Who has a verified address in it may join without an invitation, such as example.org."
            ),
            "other_hosts": gettext_lazy("Their operators can read the programs that they build and play."),
            "bots_max": gettext_lazy("A team is one participant. Empty: as many as this arena allows a user."),
            "tables_each": gettext_lazy(
                "At how many tables each of them may play against its bots at a time. Empty: as many as this arena"
                " allows a user."
            ),
            "honours_house_bots": gettext_lazy("They win nothing: the first places are those of people."),
            "replays_kept": gettext_lazy("The newest ones. Empty: all."),
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 6}),
            "honours_house_bots": forms.Select(
                choices=[
                    ("", gettext_lazy("as usual: yes, in a private contest no")),
                    (True, gettext_lazy("yes")),
                    (False, gettext_lazy("no")),
                ]
            ),
        }

    def __init__(self, data: QueryDict | None = None, *, game: str, contest: Contest | None) -> None:
        self.game, self.contest = game, contest
        self.rules = game_named(game)
        self.options = options_of(self.rules)
        shown = contest or Contest(game=game, has_house_bots=True)
        super().__init__(data, row=shown, names=FIELDS)
        self.fields["title"].required = not shown.is_open_contest
        self.fields["final_games"].required = False
        self._rules_add(shown)
        self._limits_add(shown)
        known = {name: name for name in shown.languages}
        known |= {language.name: language.title for language in languages_all()}
        cast(forms.ChoiceField, self.fields["languages"]).choices = list(known.items())
        if contest is not None:
            self._fields_fix(contest)

    def clean_final_games(self) -> int:
        """Return the number of final games, the usual one if none was typed."""
        typed: int | None = self.cleaned_data["final_games"]
        return FINAL_GAMES if typed is None else typed

    def chosen(self) -> dict[str, Any]:
        """Return the typed settings by their names in ``FIELDS``, without those that cannot be set now."""
        sent = self.cleaned_data
        fields = {name: sent[name] for name in FIELDS if name in self.fields and not self.fields[name].disabled}
        if not self.fields["ruleset"].disabled:
            options = {option.name: sent[f"option_{option.name}"] for option in self.options}
            fields["options"] = {name: value for name, value in options.items() if value not in ("", None)}
            shares = {str(size): sent[f"table_{size}"] for size in sorted(self.rules.players)}
            fields["tables"] = {size: share for size, share in shares.items() if share}
        limits = {name: sent[f"limit_{name}"] for name in LIMIT_NAMES}
        return {**fields, "limits": {name: limit for name, limit in limits.items() if limit is not None}}

    def sections(self) -> Iterator[Section]:
        """Yield the fields under their headings."""
        fault = self.faults.get
        yield Section(_("What it is"), self.shown("slug", "title", "description", "prizes"))
        rules = self.shown("ruleset", *(f"option_{option.name}" for option in self.options))
        yield Section(_("Rules"), rules, _rules_locked(self.contest), fault("options", ""))
        if len(self.rules.players) > 1:
            text = _(
                "The shares of its matches by the number of bots at a table; 0 or empty: none. All give one rating."
            )
            sizes = self.shown(*(f"table_{size}" for size in sorted(self.rules.players)))
            yield Section(_("Table sizes"), sizes, text, fault("tables", ""))
        dates = self.shown(*DATES[:-1], "final_games", DATES[-1])
        yield Section(_("When"), dates, _("Times are in the zone that is chosen beside them."))
        yield Section(_("Who"), self.shown("visibility", "mail_domain", "other_hosts"))
        bots = ("languages", "bots_max", "tables_each", "has_house_bots", "honours_house_bots", "has_leagues")
        yield Section(_("Its bots"), self.shown(*bots, "replays_kept"))
        text = _("For matches that are handed out from now on. An empty field is as the installation has it.")
        limits = self.shown(*(f"limit_{name}" for name in LIMIT_NAMES))
        yield Section(_("Limits of its bots"), limits, text, fault("limits", ""))

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
        if _rules_locked(contest):
            for name, field in self.fields.items():
                field.disabled = field.disabled or name == "ruleset" or name.startswith(("option_", "table_"))


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


class TeamForm(SentForm):
    """The name of a team."""

    refused_at = "name"
    name = TextField(label=gettext_lazy("Name of the team"), max_length=40)


class PersonForm(forms.Form):
    """The account that organisers add to a contest, and its role."""

    name = TextField(label=gettext_lazy("User name"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Member.Role.choices, initial=Member.Role.PARTICIPANT)


class InvitationForm(forms.Form):
    """How long an invitation to a contest holds, and for how many people."""

    days = forms.IntegerField(
        label=gettext_lazy("Holds for days"), min_value=1, max_value=INVITATION_DAYS_MAX, initial=14
    )
    uses_max = forms.IntegerField(
        label=gettext_lazy("Holds for people"), min_value=1, max_value=INVITATION_USES_MAX, initial=30
    )


class RosterForm(SentForm):
    """A list of participants, and how their one-time passwords are given out."""

    list = forms.FileField(label=gettext_lazy("List of participants (CSV)"), max_length=200)
    answer = forms.ChoiceField(
        label=gettext_lazy("Show the passwords"),
        choices=[("page", gettext_lazy("as a page to print")), ("csv", gettext_lazy("as a CSV file"))],
    )
    by_mail = forms.BooleanField(label=gettext_lazy("Mail them to those with an address"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["list"].widget.attrs["accept"] = ".csv,text/csv"

    def refused(self, error: InputError) -> None:
        """Show the sentences of an error at the field ``list``; those of a ``RosterError`` name the rows."""
        for sentence in error.sentences if isinstance(error, RosterError) else [str(error)]:
            self.add_error("list", sentence)
