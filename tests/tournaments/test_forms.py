"""The form of a tournament: presets and stages of one's own, what is shown of a stored one, and what it plans."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from formats.model import Format, Stage, TieBreak
from tests.tournaments.makers import make_tournament
from tournaments.forms import (
    ENTRANTS_PLANNED,
    GROUPS_KNOCKOUT,
    NUMBER_MAX,
    OWN,
    PRESET_WORDS,
    PRESETS,
    STAGES_SHOWN,
    TournamentForm,
    preset_of,
)
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ROBIN, SWISS, SINGLE, DOUBLE = Format
PAIRS, UP_TO_FOUR = (2,), (2, 3, 4)


def typed(**fields: str) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({"title": "Cup", "slug": "cup", "entry": "list", "results": "at_once", "preset": "swiss", **fields})
    return data


def form(tournament: Tournament | None = None, *, sizes: tuple[int, ...] = PAIRS, **fields: str) -> TournamentForm:
    """Return a form that was sent with some fields."""
    numbers = {f"stage{number}-best_of": "1" for number in range(1, STAGES_SHOWN + 1)}
    return TournamentForm(typed(**{**numbers, **fields}), tournament=tournament, sizes=sizes)


def stages(**fields: str) -> tuple[Stage, ...]:
    return form(**fields).read_stages()


# --- Reading stages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_name_and_a_sentence(preset: str) -> None:
    title, sentence = PRESET_WORDS[preset]
    assert str(title)
    assert str(sentence).endswith(".")
    assert set(PRESETS) == set(PRESET_WORDS)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"preset": "swiss", "stage1-rounds": "5"}, (Stage(SWISS, rounds=5),)),
        ({"preset": "round_robin", "stage1-cycles": "2"}, (Stage(ROBIN, cycles=2),)),
        ({"preset": "round_robin", "stage1-groups": "4"}, (Stage(ROBIN),)),
        ({"preset": "single_elimination", "stage1-best_of": "3"}, (Stage(SINGLE, best_of=3),)),
        ({"preset": "single_elimination", "stage1-third_place": "on"}, (Stage(SINGLE, third_place=True),)),
        ({"preset": "double_elimination", "stage1-extra_max": "0"}, (Stage(DOUBLE, extra_max=0),)),
        (
            {"preset": GROUPS_KNOCKOUT, "stage1-groups": "4", "stage1-goes_on": "8"},
            (Stage(ROBIN, groups=4, goes_on=8), Stage(SINGLE)),
        ),
        (
            {"preset": OWN, "stage1-format": "swiss", "stage1-rounds": "5", "stage1-goes_on": "4"}
            | {"stage2-format": "double_elimination"},
            (Stage(SWISS, rounds=5, goes_on=4), Stage(DOUBLE)),
        ),
    ],
)
def test_a_preset_reads_the_fields_of_its_formats(fields: dict[str, str], expected: tuple[Stage, ...]) -> None:
    assert stages(**fields) == expected


def test_fields_of_other_formats_are_ignored_also_if_they_are_nonsense() -> None:
    """They are hidden then, so nobody could correct them."""
    sent = {"stage1-rounds": "many", "stage1-groups": "-1", "stage2-rounds": "x"}
    assert stages(preset="single_elimination", **sent) == (Stage(SINGLE),)


@pytest.mark.parametrize(
    ("fields", "stage", "field"),
    [
        ({"preset": "swiss"}, 0, "rounds"),
        ({"preset": "swiss", "stage1-rounds": "0"}, 0, "rounds"),
        ({"preset": "swiss", "stage1-rounds": str(NUMBER_MAX + 1)}, 0, "rounds"),
        ({"preset": "swiss", "stage1-rounds": "3", "stage1-best_of": "0"}, 0, "best_of"),
        ({"preset": GROUPS_KNOCKOUT, "stage1-groups": "4"}, 0, "goes_on"),
        ({"preset": GROUPS_KNOCKOUT, "stage1-groups": "4", "stage1-goes_on": "1"}, 0, "goes_on"),
        ({"preset": OWN}, 0, "format"),
        ({"preset": OWN, "stage1-format": "ladder"}, 0, "format"),
        ({"preset": OWN, "stage1-format": "swiss", "stage1-rounds": "3", "stage2-format": "swiss"}, 0, "goes_on"),
        ({"preset": OWN, "stage2-format": "swiss"}, 1, "rounds"),
        ({"preset": "swiss", "stage1-rounds": "3", "stage1-tie_break_1": "weight"}, 0, "tie_break_1"),
    ],
)
def test_a_field_that_counts_is_told_at_its_stage(fields: dict[str, str], stage: int, field: str) -> None:
    sent = form(**fields)
    assert sent.read_stages() == ()
    assert not sent.is_valid()
    assert list(sent.stages[stage].errors) == [field]
    assert all(str(sentence).endswith(".") for sentence in sent.stages[stage].errors[field])
    assert sent.wrong


def test_tie_breaks_are_read_once_and_in_their_order() -> None:
    sent = {"stage1-tie_break_1": "wins", "stage1-tie_break_2": "", "stage1-tie_break_3": "buchholz"}
    [stage] = stages(**{"stage1-rounds": "3"}, **sent)
    assert stage.tie_breaks == (TieBreak.WINS, TieBreak.BUCHHOLZ)
    [stage] = stages(**{"stage1-rounds": "3", "stage1-tie_break_1": "wins", "stage1-tie_break_2": "wins"})
    assert stage.tie_breaks == (TieBreak.WINS,)
    [stage] = stages(preset="single_elimination", **sent)
    assert stage.tie_breaks == (), "a knockout has none"


@pytest.mark.parametrize(("sizes", "sent", "size"), [(PAIRS, "4", 2), (UP_TO_FOUR, "4", 4), (UP_TO_FOUR, "", 2)])
def test_a_table_has_a_size_that_the_game_allows(sizes: tuple[int, ...], sent: str, size: int) -> None:
    found = form(sizes=sizes, **{"stage1-rounds": "3", "stage1-table_size": sent})
    [stage] = found.read_stages()
    assert stage.table_size == size
    assert ("table_size" in found.stages[0].fields) is (len(sizes) > 1)


def test_a_size_that_the_game_does_not_allow_is_refused() -> None:
    found = form(sizes=(2, 4), **{"stage1-rounds": "3", "stage1-table_size": "3"})
    assert found.read_stages() == ()
    assert list(found.stages[0].errors) == ["table_size"]


# --- Showing a stored tournament -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "preset"),
    [
        ((Stage(SWISS, rounds=3),), "swiss"),
        ((Stage(ROBIN),), "round_robin"),
        ((Stage(ROBIN, groups=2),), OWN),
        ((Stage(ROBIN, groups=2, goes_on=4), Stage(SINGLE)), GROUPS_KNOCKOUT),
        ((Stage(SINGLE), Stage(SINGLE)), OWN),
    ],
)
def test_a_stored_tournament_is_shown_by_the_preset_that_says_all_of_it(stored: tuple[Stage, ...], preset: str) -> None:
    assert preset_of(stored) == preset


def test_what_was_stored_is_shown_and_sent_back_is_the_same() -> None:
    chosen = {"format": "swiss", "rounds": 7, "best_of": 3, "tie_breaks": ["wins"]}
    tournament = make_tournament("open", stages=[chosen])
    shown = TournamentForm(tournament=tournament, sizes=PAIRS)
    assert shown["preset"].value() == "swiss"
    fields = {field.html_name: str(field.value() or "") for stage in shown.stages for field in stage}
    assert (fields["stage1-rounds"], fields["stage1-best_of"], fields["stage1-tie_break_1"]) == ("7", "3", "wins")
    again = form(tournament, **{**fields, "preset": "swiss"})
    assert again.read_stages() == tournament.stages_read()


def test_the_key_never_changes_and_the_draw_fixes_the_rest() -> None:
    is_open = TournamentForm(tournament=make_tournament("open"), sizes=PAIRS)
    assert "slug" not in is_open.fields
    assert not is_open.fields["preset"].disabled
    drawn = TournamentForm(tournament=make_tournament("drawn", slug="drawn", entrants=0), sizes=PAIRS)
    disabled = {name for name, field in drawn.fields.items() if field.disabled}
    assert disabled == {"entry", "entrants_max", "entries_until", "preset", "results"}
    assert all(field.disabled for stage in drawn.stages for field in stage.fields.values())
    assert "starts_at" in drawn.fields
    running = TournamentForm(tournament=make_tournament("running", slug="running", entrants=0), sizes=PAIRS)
    assert "starts_at" not in running.fields


def test_fixed_fields_are_not_among_those_that_are_changed() -> None:
    """The attack: somebody sends what the form shows as fixed."""
    drawn = make_tournament("drawn")
    sent = form(drawn, title="Other", results="at_end", preset="round_robin")
    assert sent.is_valid(), sent.errors
    chosen: dict[str, Any] = sent.chosen()
    assert chosen["title"] == "Other"
    assert not {"results", "stages", "entry", "slug"} & set(chosen)
    assert sent.read_stages() == drawn.stages_read()


# --- The plan --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("planned", "expected"), [("8", 8), ("", ENTRANTS_PLANNED), ("1", ENTRANTS_PLANNED), ("x", ENTRANTS_PLANNED)]
)
def test_a_plan_counts_for_so_many_entrants(planned: str, expected: int) -> None:
    assert form(planned=planned).planned_entrants() in (expected, ENTRANTS_PLANNED)
    sent = form(planned=planned)
    sent.is_valid()
    assert sent.planned_entrants() == expected


def test_a_new_form_offers_a_plan_at_once() -> None:
    fresh = TournamentForm(tournament=None, sizes=PAIRS)
    [stage] = fresh.stages_offered()
    assert (stage.format, stage.rounds) == (SWISS, 5)
    stored = make_tournament("open")
    assert TournamentForm(tournament=stored, sizes=PAIRS).stages_offered() == stored.stages_read()
    assert len(fresh.stages) == STAGES_SHOWN
    assert len(list(fresh.presets())) == len(PRESETS)


def test_the_fields_of_a_stage_say_which_formats_use_them() -> None:
    stage = TournamentForm(tournament=None, sizes=UP_TO_FOUR).stages[0]
    classes = {field.name: set(names.split()) for field, names in stage.plain_fields}
    assert classes["rounds"] == {"for-swiss"}
    assert classes["goes_on"] == {"for-next"}
    assert classes["best_of"] == {f"for-{format_}" for format_ in Format}
    assert len(stage.tie_break_fields) == 3
    assert not stage.has_tie_breaks
