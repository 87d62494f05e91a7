"""The form of a tournament: presets for its stages, an editor for chained stages, and all that its organiser sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

import msgspec
from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.forms import Section, SettingsForm, TextField, settings_field
from formats.model import DUEL, KNOCKOUTS, Format, Stage, TieBreak
from formats.stages import ENTRANTS_MAX
from tournaments.models import SLUG_LENGTH_MAX, Tournament
from tournaments.validation import FIELDS
from tournaments.words import FORMAT_TITLES, TIE_BREAK_WORDS

OWN = "own"
"""The preset for stages that the organiser chains one by one."""
GROUPS_KNOCKOUT = "groups_knockout"
PRESETS: dict[str, tuple[Format, ...]] = {
    "round_robin": (Format.ROUND_ROBIN,),
    "swiss": (Format.SWISS,),
    "single_elimination": (Format.SINGLE_ELIMINATION,),
    "double_elimination": (Format.DOUBLE_ELIMINATION,),
    GROUPS_KNOCKOUT: (Format.ROUND_ROBIN, Format.SINGLE_ELIMINATION),
    OWN: (),
}
"""The presets that an organiser can choose, and the formats of the stages of each."""
STAGES_SHOWN = 4
"""How many stages the editor offers; more if a tournament has more."""
TIE_BREAKS_SHOWN = 3
GROUPS_OFFERED = 4
"""How many groups the form offers for the first stage, before anything is typed."""
GO_ON_OFFERED = 16
"""The form offers that half of this number go on from the first stage, a quarter from the second, and so on."""
NUMBER_MAX = 1_000
ENTRANTS_PLANNED = 16
"""For how many entrants the plan counts rounds and matches, if nothing else is known."""

PRESET_WORDS: dict[str, tuple[Promise, Promise]] = {
    "round_robin": (
        FORMAT_TITLES[Format.ROUND_ROBIN],
        gettext_lazy("Everybody meets everybody. The fairest order of all bots, with the most matches."),
    ),
    "swiss": (
        FORMAT_TITLES[Format.SWISS],
        gettext_lazy("A fixed number of rounds. Bots with about equal points meet, and nobody is out."),
    ),
    "single_elimination": (
        FORMAT_TITLES[Format.SINGLE_ELIMINATION],
        gettext_lazy("A bot that loses is out. The fewest matches, and a final at the end."),
    ),
    "double_elimination": (
        FORMAT_TITLES[Format.DOUBLE_ELIMINATION],
        gettext_lazy("A bot that has lost twice is out. Finds the best bot most often, with a final at the end."),
    ),
    GROUPS_KNOCKOUT: (
        gettext_lazy("Groups, then knockout"),
        gettext_lazy("Round robin in groups. The best of each group play a knockout with a final."),
    ),
    OWN: (gettext_lazy("Stages of your own"), gettext_lazy("Chain up to four stages, each with its own format.")),
}
_USED: dict[Format, frozenset[str]] = {
    Format.ROUND_ROBIN: frozenset(("groups", "cycles", "table_size", "best_of")),
    Format.SWISS: frozenset(("rounds", "table_size", "best_of")),
    Format.SINGLE_ELIMINATION: frozenset(("table_size", "best_of", "extra_max", "third_place")),
    Format.DOUBLE_ELIMINATION: frozenset(("best_of", "extra_max")),
}
"""The fields of a stage that its format uses, besides ``goes_on`` and the tie-breaks."""


def _number(*, least: int, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(min_value=least, max_value=NUMBER_MAX, required=False, **options)


class StageForm(forms.Form):
    """One stage. It shows the fields of all formats; those that the chosen format does not use are ignored."""

    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)
    rounds = _number(label=gettext_lazy("Rounds"), least=1, initial=5)
    groups = _number(label=gettext_lazy("Groups"), least=1)
    cycles = _number(label=gettext_lazy("How often each two meet"), least=1, initial=1)
    table_size = forms.TypedChoiceField(label=gettext_lazy("Bots at a table"), coerce=int, required=False)
    best_of = _number(
        label=gettext_lazy("Best of"),
        least=1,
        initial=1,
        help_text=gettext_lazy("Seeds of the game at a table. Each is played once from every seat."),
    )
    extra_max = _number(
        label=gettext_lazy("More seeds if a table is tied"),
        least=0,
        initial=2,
        help_text=gettext_lazy("At most. Then the better seed number goes on."),
    )
    goes_on = _number(label=gettext_lazy("How many go on to the next stage"), least=2)
    third_place = forms.BooleanField(label=gettext_lazy("A match for the third place"), required=False)

    def __init__(self, data: QueryDict | None, *, number: int, stage: Stage | None, sizes: Sequence[int]) -> None:
        self.number = number
        offered = {"groups": GROUPS_OFFERED if number == 1 else 1, "goes_on": max(2, GO_ON_OFFERED >> number)}
        initial = offered if stage is None else {name: getattr(stage, name) for name in self.base_fields}
        super().__init__(data, prefix=f"stage{number}", initial=initial, label_suffix="")
        cast(forms.ChoiceField, self.fields["format"]).choices = [
            *([] if number == 1 else [("", _("No further stage"))]),
            *((str(key), title) for key, title in FORMAT_TITLES.items()),
        ]
        self._size = sizes[0]
        if len(sizes) > 1:
            cast(forms.ChoiceField, self.fields["table_size"]).choices = [(size, str(size)) for size in sorted(sizes)]
        else:
            del self.fields["table_size"]
        self._tie_breaks_add(stage.tie_breaks if stage else ())

    def _tie_breaks_add(self, chosen: Sequence[TieBreak]) -> None:
        titles = (_("First tie-break"), _("Second tie-break"), _("Third tie-break"))
        choices = [("", _("As usual")), *((str(key), words.title) for key, words in TIE_BREAK_WORDS.items())]
        for index in range(max(TIE_BREAKS_SHOWN, len(chosen))):
            label = titles[index] if index < len(titles) else _("Further tie-break")
            initial = chosen[index] if index < len(chosen) else ""
            field = forms.ChoiceField(label=label, choices=choices, initial=initial, required=False)
            self.fields[f"tie_break_{index + 1}"] = field

    @property
    def plain_fields(self) -> list[tuple[forms.BoundField, str]]:
        """The fields besides the format and the tie-breaks, each with its classes: the formats that use it."""
        plain = [field for field in self if field.name != "format" and not field.name.startswith("tie_break_")]
        return [
            (field, " ".join(f"for-{name}" for name, used in _USED.items() if field.name in used) or "for-next")
            for field in plain
        ]

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """The fields of the tie-breaks in their order."""
        return [field for field in self if field.name.startswith("tie_break_")]

    @property
    def has_tie_breaks(self) -> bool:
        """Whether a tie-break is chosen."""
        return any(field.value() for field in self.tie_break_fields)

    def stage(self, format_: Format, *, has_next: bool, has_groups: bool) -> Stage | None:
        """Return the stage that was typed, with the format ``format_``; None if a field that this format uses is wrong.

        ``has_next`` says that another stage follows, so that it must be typed how many go on; ``has_groups`` says that
        groups may be chosen.
        """
        used = _USED[format_] - (frozenset() if has_groups else {"groups"}) | ({"goes_on"} if has_next else frozenset())
        ties = {field.name for field in self.tie_break_fields} if format_ not in KNOCKOUTS else set()
        for name in [*self.errors]:
            if name not in used | ties:
                del self.errors[name]
        missing = {"rounds": _("Please say how many rounds are played."), "goes_on": _("Please say how many go on.")}
        for name, sentence in missing.items():
            if name in used and name not in self.errors and self.cleaned_data.get(name) is None:
                self.add_error(name, sentence)
        if self.errors:
            return None
        sent = {name: value for name in used if (value := self.cleaned_data.get(name)) not in (None, "")}
        if "table_size" in used:
            sent.setdefault("table_size", self._size)
        chosen = [self.cleaned_data[name] for name in sorted(ties) if self.cleaned_data[name]]
        return Stage(format_, tie_breaks=tuple(TieBreak(name) for name in dict.fromkeys(chosen)), **sent)


class TournamentForm(SettingsForm):
    """Makes a tournament of a contest, or changes one. Fields that change no more are disabled or left out."""

    headings = ("stages",)
    slug = TextField(
        label=gettext_lazy("Name in urls"),
        max_length=SLUG_LENGTH_MAX,
        help_text=gettext_lazy("Small letters a-z, digits and hyphens, such as final. It never changes."),
    )
    entry = forms.ChoiceField(
        label=gettext_lazy("How bots get in"),
        widget=forms.RadioSelect,
        choices=[
            (Tournament.Entry.SIGN_UP, gettext_lazy("Owners enter their bots")),
            (
                Tournament.Entry.BOARD,
                gettext_lazy("The best of the board play: as many as “Most entrants” says, when the draw is made"),
            ),
            (Tournament.Entry.LIST, gettext_lazy("You choose them, by name")),
        ],
    )
    preset = forms.ChoiceField(
        label=gettext_lazy("Format"),
        widget=forms.RadioSelect,
        choices=[(name, words[0]) for name, words in PRESET_WORDS.items()],
        initial="swiss",
    )
    planned = forms.IntegerField(
        label=gettext_lazy("Counted for this many entrants"), min_value=DUEL, max_value=NUMBER_MAX, required=False
    )
    results = forms.ChoiceField(
        label=gettext_lazy("When results are told"),
        widget=forms.RadioSelect,
        choices=[
            (Tournament.Results.AT_ONCE, gettext_lazy("At once: everybody watches the matches live")),
            (
                Tournament.Results.BY_ROUND,
                gettext_lazy("Round by round: you release each round, for instance in front of an audience"),
            ),
            (
                Tournament.Results.AT_END,
                gettext_lazy("At the end: you release all at once, after the last round"),
            ),
        ],
    )

    class Meta:
        model = Tournament
        fields = [name for name in FIELDS if name != "stages"]
        formfield_callback = partial(settings_field, bounds={"entrants_max": (DUEL, ENTRANTS_MAX)})
        labels = {
            "title": gettext_lazy("Title"),
            "description": gettext_lazy("Description"),
            "prizes": gettext_lazy("Prizes"),
            "entrants_max": gettext_lazy("Most entrants"),
            "entries_until": gettext_lazy("Entries until"),
            "starts_at": gettext_lazy("It starts by itself"),
        }
        help_texts = {
            "description": gettext_lazy(
                "Its page begins with it. Markdown, such as **bold** and [a link](https://example.org)."
            ),
            "entrants_max": gettext_lazy(
                "Of more that are entered, the best of the board play. Empty: no limit of its own."
            ),
            "entries_until": gettext_lazy("Empty: until the draw."),
            "starts_at": gettext_lazy("It is drawn then, if it is not yet. Empty: when you start it at its desk."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 5})}

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        tournament: Tournament | None,
        sizes: Sequence[int],
        planned: int = ENTRANTS_PLANNED,
    ) -> None:
        self.tournament = tournament
        stages = tournament.stages_read() if tournament else ()
        initial = {"preset": preset_of(stages)} if stages else {}
        super().__init__(data, row=tournament or Tournament(), names=FIELDS, planned=planned, **initial)
        self.stages = [
            StageForm(data, number=number, stage=stages[number - 1] if number <= len(stages) else None, sizes=sizes)
            for number in range(1, max(STAGES_SHOWN, len(stages)) + 1)
        ]
        if tournament is not None:
            self._fields_fix(tournament)

    @property
    def wrong(self) -> bool:
        """Whether a service or the form, its stages included, refused what was sent."""
        return super().wrong or any(stage.is_bound and stage.errors for stage in self.stages)

    def _fields_fix(self, tournament: Tournament) -> None:
        """Leave out or fix the fields that do not change any more."""
        del self.fields["slug"]
        if tournament.is_drawn:
            for name in ("entry", "entrants_max", "entries_until", "preset", "results"):
                self.fields[name].disabled = True
            for stage in self.stages:
                for field in stage.fields.values():
                    field.disabled = True
        if tournament.started_at:
            del self.fields["starts_at"]

    def is_valid(self) -> bool:
        """Return whether all fields that are used can be read; the service checks what they mean."""
        valid = super().is_valid()
        return bool(self.read_stages()) and valid

    def read_stages(self) -> tuple[Stage, ...]:
        """Return the stages that were typed, or those of a drawn tournament; empty if a field of them is at fault."""
        if self.tournament is not None and self.tournament.is_drawn:
            return self.tournament.stages_read()
        self.errors  # noqa: B018 - reads the fields
        preset = self.cleaned_data.get("preset", "")
        formats: Sequence[Format] = PRESETS.get(preset, ())
        forms_: list[StageForm] = self.stages[: len(formats)]
        if preset == OWN:
            forms_ = [form for form in self.stages if form["format"].value()]
            if not forms_:
                self.stages[0].add_error("format", _("Please choose the format of the first stage."))
                return ()
            known = [str(form["format"].value()) for form in forms_]
            if unknown := [form for form, name in zip(forms_, known, strict=True) if name not in [*Format]]:
                unknown[0].is_valid()
                return ()
            formats = [Format(name) for name in known]
        last = len(formats) - 1
        read = [
            form.stage(format_, has_next=index < last, has_groups=preset in (OWN, GROUPS_KNOCKOUT))
            for index, (form, format_) in enumerate(zip(forms_, formats, strict=True))
        ]
        return () if None in read else tuple(stage for stage in read if stage is not None)

    def stages_offered(self) -> tuple[Stage, ...]:
        """Return the stages that a form shows at first: those of its tournament, else those of its first preset."""
        stored = self.tournament.stages_read() if self.tournament else ()
        return stored or (Stage(Format.SWISS, rounds=self.stages[0].fields["rounds"].initial),)

    def planned_entrants(self) -> int:
        """Return the number of entrants for which the plan counts rounds and matches."""
        typed = self.cleaned_data.get("planned") if self.is_bound and not self.errors.get("planned") else None
        return typed or self.initial["planned"] or ENTRANTS_PLANNED

    def chosen(self) -> dict[str, Any]:
        """Return the typed settings by their names in ``FIELDS``, without those that cannot be set now."""
        sent = {name: self.cleaned_data[name] for name in FIELDS if name in self.fields}
        if self.tournament is None or not self.tournament.is_drawn:
            return {**sent, "stages": msgspec.to_builtins(self.read_stages())}
        return {name: value for name, value in sent.items() if not self.fields[name].disabled}

    def presets(self) -> Iterator[tuple[Any, Promise]]:
        """Yield each choice of a preset with its explanation."""
        for choice in self["preset"]:
            yield choice, PRESET_WORDS[choice.data["value"]][1]

    def sections(self) -> Iterator[Section]:
        """Yield the fields under their headings; the stages have a template of their own."""
        yield Section(_("What it is"), self.shown("title", "slug", "description", "prizes"))
        yield Section(_("Who plays"), self.shown("entry", "entrants_max", "entries_until"))
        is_drawn = self.tournament is not None and self.tournament.is_drawn
        text = _("It is drawn, so its format stays. Take the draw back to change it.") if is_drawn else ""
        fault = self.faults.get("stages", "")
        yield Section(_("How it is played"), (), text, fault, template="tournaments/_stages.html")
        yield Section(_("Start and results"), self.shown("starts_at", "results"))


def preset_of(stages: Sequence[Stage]) -> str:
    """Return the key in ``PRESETS`` under which the form shows ``stages``; ``OWN`` if no other one fits."""
    formats = tuple(stage.format for stage in stages)
    found = next((name for name, each in PRESETS.items() if each == formats), OWN)
    return OWN if found == "round_robin" and stages[0].groups != 1 else found
