"""What the desk tells an organiser: what comes next, who stands where, what was done, and what a plan means."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from accounts.services.audit import audit_write
from core.message import stored
from formats.model import Format, Stage
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import make_round, make_tournament, make_versions, queue_matches
from tournaments.models import Table, Tournament
from tournaments.selectors.desk import (
    AUDIT_SHOWN,
    NextStep,
    desk_audit,
    desk_standings,
    desk_tables,
    next_step,
    points_steps,
    round_hidden,
)
from tournaments.selectors.loading import Told, tournament_told, tournament_whole
from tournaments.selectors.pairings import by_hand_problem, table_of_match
from tournaments.selectors.plan import stages_plan
from tournaments.selectors.tournaments import draw_preview

pytestmark = pytest.mark.django_db

SWISS = [{"format": "swiss", "rounds": 3}]
ROBIN, SWISS_FORMAT, SINGLE, DOUBLE = Format


def told(tournament: Tournament) -> Told:
    return tournament_whole(tournament=Tournament.objects.get(pk=tournament.pk))


def step(tournament: Tournament, *, can_draw: bool = True) -> NextStep:
    return next_step(told=told(tournament), can_draw=can_draw)


# --- What comes next -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "act", "button"),
    [
        ("draft", "open", "Announce"),
        ("open", "draw", "Draw the first round"),
        ("drawn", "start", "Start"),
        ("running", "", ""),
        ("paused", "resume", "Go on"),
        ("finished", "release", "Release all results"),
        ("released", "", ""),
    ],
)
def test_each_state_has_its_next_act(state: str, act: str, button: str) -> None:
    found = step(make_tournament(state))
    assert (found.act, found.button if found.act else "") == (act, button)
    assert found.sentence.endswith(".")


@pytest.mark.parametrize(
    ("state", "is_final"), [("draft", False), ("drawn", True), ("paused", False), ("finished", True)]
)
def test_an_act_that_nobody_can_undo_says_so(state: str, is_final: bool) -> None:
    assert bool(step(make_tournament(state)).sure) is is_final


def test_a_draw_that_cannot_be_made_has_no_button() -> None:
    assert step(make_tournament("open"), can_draw=False).act == ""


@pytest.mark.parametrize(
    ("entry", "word"), [("sign_up", "Owners enter"), ("board", "best of the board"), ("list", "Enter the bots below")]
)
def test_an_open_tournament_says_how_its_bots_get_in(entry: str, word: str) -> None:
    assert word in step(make_tournament("open", entry=entry, entrants_max=8)).sentence


@pytest.mark.parametrize("state", ["running", "finished"])
def test_a_hidden_round_that_is_played_is_released_before_all_else(state: str) -> None:
    tournament = make_tournament(state, results="by_round")
    hidden = round_hidden(told=told(tournament))
    assert hidden is not None
    found = step(tournament)
    assert (found.act, found.button, found.round) == ("release-round", "Release round 1", hidden.pk)
    tournament.rounds.update(released_at=hidden.drawn_at)
    assert round_hidden(told=told(tournament)) is None
    assert step(tournament).act == ("release" if state == "finished" else "")


def test_a_round_that_is_being_played_is_not_released_yet() -> None:
    tournament = make_tournament("running", stages=SWISS, results="by_round")
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), None])
    assert step(tournament).act == ""


# --- Tables and standings --------------------------------------------------------------------------------------------


def test_undecided_tables_come_first() -> None:
    tournament = make_tournament("running", stages=SWISS, entrants=6)
    row = make_round(tournament, (1, 4), (2, 5), (3, 6), points=[(1, 0), None, (1, 0)])
    queue_matches(row.tables.get(number=2))
    tables = desk_tables(told=told(tournament), round_=told(tournament).rounds[-1])
    assert [(table.row.number, table.is_open) for table in tables] == [(2, True), (1, False), (3, False)]
    assert [len(table.seen.matches) for table in tables] == [2, 2, 2]


def test_a_table_says_why_its_bots_meet() -> None:
    tournament = make_tournament("running", stages=SWISS)
    why = {"kind": "tournament-match-forfeit", "args": {}}
    make_round(tournament, (1, 3), why=why)
    [table] = desk_tables(told=told(tournament), round_=told(tournament).rounds[-1])
    assert table.why is not None
    assert stored(table.why) == why


@pytest.mark.parametrize(
    ("seats", "steps", "points"), [(1, 1, [1, 0]), (2, 2, [1, 0.5, 0]), (3, 4, None), (4, 6, None)]
)
def test_points_by_hand_are_those_that_a_table_can_give(seats: int, steps: int, points: list[float] | None) -> None:
    """One step for a tie and two for each opponent that was beaten."""
    assert points_steps(seats) == steps
    if points:
        tournament = make_tournament("running", stages=SWISS)
        make_round(tournament, tuple(range(1, seats + 1)))
        [table] = desk_tables(told=told(tournament), round_=told(tournament).rounds[-1])
        assert [value for _number, value in table.choices] == points


def test_standings_are_those_of_the_newest_stage_with_a_result() -> None:
    stages = [{"format": "swiss", "rounds": 1, "goes_on": 2}, {"format": "single_elimination"}]
    tournament = make_tournament("running", stages=stages, results="at_end")
    assert desk_standings(told=told(tournament)) == []
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (0, 1)])
    assert [row.entrant for row in desk_standings(told=told(tournament))][:2] == [1, 4]
    make_round(tournament, (1, 4), stage=1, number=1)
    assert len(desk_standings(told=told(tournament))) == 4
    table = Table.objects.get(round__stage=1)
    Table.objects.filter(pk=table.pk).update(outcome="by_hand", winner=4, decided_at=table.round.drawn_at)
    assert {row.entrant for row in desk_standings(told=told(tournament))} == {1, 4}


# --- What was done ---------------------------------------------------------------------------------------------------


def test_the_audit_log_of_a_tournament_has_its_own_acts_alone() -> None:
    make_contest("spring")
    tournament = make_tournament("open", contest="spring", slug="final")
    actor = make_user("oda")
    for target in ("spring/final", "spring/final: Moat", "spring/final-2", "spring/finals: Moat", "autumn/final"):
        audit_write(actor=actor, act="entrant_enter", target=target)
    assert [entry.target for entry in desk_audit(tournament=tournament)] == ["spring/final: Moat", "spring/final"]
    for number in range(AUDIT_SHOWN + 5):
        audit_write(actor=actor, act="tournament_change", target=f"spring/final: {number}")
    assert len(desk_audit(tournament=tournament)) == AUDIT_SHOWN


def test_acts_on_an_earlier_tournament_of_that_name_are_not_told() -> None:
    make_contest("spring")
    audit_write(actor=None, act="tournament_delete", target="spring/final")
    tournament = make_tournament("draft", contest="spring", slug="final")
    assert list(desk_audit(tournament=tournament)) == []


# --- Deciding by hand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ("drawn", "has not begun"),
        ("running", ""),
        ("paused", ""),
        ("finished", "public"),
        ("released", "over"),
    ],
)
def test_tables_are_decided_by_hand_while_nothing_was_made_from_them(state: str, word: str) -> None:
    tournament = make_tournament(state)
    newest = tournament.rounds.order_by("number").last()
    assert newest is not None
    problem = by_hand_problem(table=newest.tables.get(number=1), tournament=tournament)
    assert (word in problem) if word else problem == ""


def test_hidden_results_of_a_finished_tournament_can_still_be_decided_otherwise() -> None:
    tournament = make_tournament("finished", results="at_end")
    final = Table.objects.get(round__number=2)
    assert by_hand_problem(table=final, tournament=tournament) == ""
    semi = Table.objects.filter(round__number=1)[0]
    assert "closed" in by_hand_problem(table=semi, tournament=tournament)


def test_a_bye_has_nothing_to_decide() -> None:
    tournament = make_tournament("running", stages=SWISS, entrants=3)
    make_round(tournament, (1, 2), (3,), points=[None, (1,)])
    bye = Table.objects.get(number=2)
    assert "bye" in by_hand_problem(table=bye, tournament=tournament)


def test_the_table_of_a_match_is_found_and_other_matches_have_none() -> None:
    tournament = make_tournament("running")
    final = Table.objects.get(round__number=2)
    match = final.matches.all()[0].match
    assert table_of_match(match=match) == final
    final.matches.all().delete()
    assert table_of_match(match=match) is None
    assert tournament.rounds.count() == 2


# --- Plans and previews ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stages", "entrants", "expected"),
    [
        ([Stage(ROBIN)], 4, [(4, 3, 12, False)]),
        ([Stage(ROBIN, groups=2, cycles=2)], 8, [(8, 6, 48, False)]),
        ([Stage(SWISS_FORMAT, rounds=3)], 5, [(5, 3, 18, False)]),
        ([Stage(SINGLE, third_place=True)], 8, [(8, 3, 16, True)]),
        ([Stage(SINGLE, best_of=3)], 8, [(8, 3, 42, True)]),
        ([Stage(SWISS_FORMAT, rounds=5, goes_on=4), Stage(SINGLE)], 16, [(16, 5, 80, False), (4, 2, 6, True)]),
    ],
)
def test_a_plan_says_rounds_and_matches_of_each_stage(
    stages: list[Stage], entrants: int, expected: list[tuple[int, int, int, bool]]
) -> None:
    plans = stages_plan(stages=stages, entrants=entrants)
    assert [(plan.entrants, plan.rounds, plan.matches, plan.is_most) for plan in plans] == expected


@pytest.mark.parametrize("entry", ["list", "board"])
def test_a_preview_is_the_draw_and_writes_nothing(entry: str) -> None:
    versions = make_versions(4)
    tournament = make_tournament("open", entry=entry, entrants_max=4, entrants=[] if entry == "board" else versions)
    preview = draw_preview(tournament=tournament)
    assert [(entrant.number, entrant.bot.name) for entrant in preview.entrants] == [
        (1, "Moat"),
        (2, "Keep"),
        (3, "Tower"),
        (4, "Gate"),
    ]
    assert [entrant.rating for entrant in preview.entrants] == [1900, 1890, 1880, 1870]
    assert preview.draw is not None
    assert [table.entrants for table in preview.draw.pairings] == [(1, 4), (2, 3)]
    assert (preview.problems, preview.left_out) == ([], [])
    assert not tournament.entrants.filter(number__isnull=False).exists()
    assert not tournament.rounds.exists()


@pytest.mark.parametrize(
    ("fields", "entrants"),
    [({"stages": []}, 4), ({}, 1), ({"stages": [{"format": "round_robin", "groups": 4}]}, 4)],
)
def test_a_draw_that_cannot_be_made_is_told_in_sentences(fields: dict[str, Any], entrants: int) -> None:
    preview = draw_preview(tournament=make_tournament("open", entrants=entrants, **fields))
    assert preview.draw is None
    assert preview.faults
    assert all(sentence.endswith(".") for sentence in preview.faults)


def test_a_reader_who_is_no_organiser_gets_no_hidden_standings() -> None:
    tournament = make_tournament("finished", results="at_end")
    reader: User = make_user("eve")
    assert desk_standings(told=tournament_told(tournament=tournament, reader=reader)) == []
