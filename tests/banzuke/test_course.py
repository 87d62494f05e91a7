"""The course of a tournament at home, and its texts for the terminal, without any match being played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banzuke.bots import Bot
from banzuke.pool import Setting
from banzuke.text import UserError
from banzuke.tournament import Course, Fixture, Plan
from banzuke.tournament_folder import OTHER_FOLDER, folder_opened
from banzuke.tournament_text import Report
from formats.model import Decided, Entrant, Format, Pairing, Stage, TieBreak
from tests.banzuke.makers import GAME

NAMES = ("ring", "wall", "moat", "番付", "gate", "keep")
Ranks = Callable[[Fixture], tuple[int, ...]]


def plan(*stages: Stage, bots: int = 4) -> Plan:
    entrants = tuple(Entrant(number, name) for number, name in enumerate(NAMES[:bots], 1))
    return Plan(stages, entrants, lots=7, sizes=(2, 3, 4))


def stage(kind: Format, **fields: Any) -> Stage:
    return Stage(kind, **fields)


def stronger(fixture: Fixture) -> tuple[int, ...]:
    """Return the ranks by seat of a match that the better seed numbers win."""
    return tuple(1 + sum(other < own for other in fixture.seats) for own in fixture.seats)


def drawn(fixture: Fixture) -> tuple[int, ...]:
    return (1,) * len(fixture.seats)


def played(plan: Plan, ranks: Ranks = stronger) -> tuple[Course, list[Fixture]]:
    """Play a tournament to its end; return its course and all matches."""
    course, fixtures = Course(plan), list[Fixture]()
    while wanted := course.take():
        for fixture in wanted:
            fixtures.append(fixture)
            course.record(fixture, ranks(fixture))
    return course, fixtures


SINGLE = plan(stage(Format.SINGLE_ELIMINATION, third_place=True))


def test_each_encounter_is_played_from_all_seats_on_one_board() -> None:
    course = Course(plan(stage(Format.ROUND_ROBIN, best_of=2), bots=2))
    fixtures = course.take()
    seats = fixtures[0].seats
    assert [(each.encounter, each.rotation, each.number, each.seats) for each in fixtures] == [
        (1, 0, 1, seats),
        (1, 1, 2, seats[::-1]),
        (2, 0, 3, seats),
        (2, 1, 4, seats[::-1]),
    ]
    assert fixtures[0].seed == fixtures[1].seed != fixtures[2].seed == fixtures[3].seed
    assert course.take() == [], "each match is wanted once"


def test_a_round_begins_when_the_last_match_of_the_one_before_has_ended() -> None:
    course = Course(SINGLE)
    first = course.take()
    for fixture in first[:-1]:
        course.record(fixture, stronger(fixture))
        assert course.take() == []
    assert (course.draw and course.draw.round, len(course.rounds)) == (1, 0)
    course.record(first[-1], stronger(first[-1]))
    assert (course.draw and course.draw.round, len(course.rounds)) == (2, 1)
    assert {each.pairing.group for each in course.take()} == {"", "third"}


def test_the_strongest_wins_where_the_better_number_always_wins() -> None:
    for kind in (stage(Format.SINGLE_ELIMINATION), stage(Format.DOUBLE_ELIMINATION)):
        course, _ = played(plan(kind, bots=6))
        assert course.draw is None
        assert course.decided[-1].winner == 1


def test_a_knockout_asks_for_no_more_encounters_than_it_needs() -> None:
    best_of_five = plan(stage(Format.SINGLE_ELIMINATION, best_of=5), bots=2)
    _, fixtures = played(best_of_five)
    assert max(each.encounter for each in fixtures) == 3
    course, fixtures = played(plan(stage(Format.SINGLE_ELIMINATION, extra_max=2), bots=2), drawn)
    assert max(each.encounter for each in fixtures) == 3, "one, and two more since they were equal"
    assert course.decided[0].winner == 1, "then the better seed number goes on"


def test_results_that_decide_nothing_any_more_are_left_out() -> None:
    course = Course(plan(stage(Format.ROUND_ROBIN), bots=3))
    first = course.take()
    for fixture in first:
        course.record(fixture, stronger(fixture))
    decided = course.decided
    course.record(first[0], (2, 1))
    assert course.decided == decided
    another = Fixture(Pairing(0, 9, 1, (1, 2)), 1, 0, 5, (1, 2))
    course.record(another, (1, 2))
    assert course.decided == decided


def test_equal_plans_and_results_make_equal_tournaments() -> None:
    kind = plan(stage(Format.SWISS, rounds=3), bots=6)
    once, again = played(kind), played(kind)
    assert once[1] == again[1]
    assert once[0].rounds == again[0].rounds
    other = Plan(kind.stages, kind.entrants, 8, kind.sizes)
    assert {each.seed for each in played(other)[1]}.isdisjoint(each.seed for each in once[1])


# --- Texts ----------------------------------------------------------------------------------------------------------


def test_a_round_is_a_table_of_words() -> None:
    course, _ = played(SINGLE)
    report = Report(SINGLE)
    assert report.round(*course.rounds[0]).split("\n") == [
        "Single elimination, round 1",
        "1  ring  1 : 0  番付  (2 : 0)",
        "2  wall  1 : 0  moat  (2 : 0)",
    ]
    assert report.round(*course.rounds[1]).split("\n")[1:] == [
        "1        ring  1 : 0  wall  (2 : 0)",
        "2 third  番付  0 : 1  moat  (0 : 2)",
    ]


def test_a_bracket_is_a_tree_under_its_final() -> None:
    course, _ = played(SINGLE)
    text = Report(SINGLE).stage(0, course.decided)
    assert text.startswith("Single elimination, standings\nbot")
    assert text.endswith(
        "round 2, table 1: ring 1 : 0 wall (2 : 0)\n"
        "├ round 1, table 1: ring 1 : 0 番付 (2 : 0)\n"
        "└ round 1, table 2: wall 1 : 0 moat (2 : 0)\n"
        "round 2, table 2 third: 番付 0 : 1 moat (0 : 2)"
    )
    assert Report(SINGLE).places(course.decided).split("\n")[1:] == ["1  ring", "2  wall", "3  moat", "4  番付"]


def test_a_round_robin_has_a_cross_table_of_each_group() -> None:
    groups = plan(stage(Format.ROUND_ROBIN, groups=2, tie_breaks=(TieBreak.WINS,)), bots=5)
    course, _ = played(groups)
    text = Report(groups).stage(0, course.decided)
    assert text.split("\n") == [
        "Round robin, standings",
        "group A  points  wins  w-d-l  in matches",
        "1 ring        2     2  2-0-0      4 of 4",
        "2 番付        1     1  1-0-1      2 of 4",
        "3 gate        0     0  0-0-2      0 of 4",
        "",
        "group B  points  wins  w-d-l  in matches",
        "1 wall        1     1  1-0-0      2 of 2",
        "2 moat        0     0  0-0-1      0 of 2",
        "",
        "points in matches against  1  2  3",
        "1 ring                     -  2  2",
        "2 番付                     0  -  2",
        "3 gate                     0  0  -",
        "",
        "points in matches against  1  2",
        "1 wall                     -  2",
        "2 moat                     0  -",
    ]


def test_byes_larger_tables_and_ties_of_knockouts_are_told() -> None:
    swiss = plan(stage(Format.SWISS, rounds=1), bots=3)
    course, _ = played(swiss)
    assert course.rounds[0][1][-1].pairing.entrants == (3,)
    assert Report(swiss).round(*course.rounds[0]).endswith("moat  has a bye")
    four = plan(stage(Format.ROUND_ROBIN, table_size=4))
    course, _ = played(four)
    line = Report(four).round(*course.rounds[0]).split("\n")[1]
    assert sorted(line.split("  ")[1:]) == sorted(["ring 1 (4)", "wall 0.67 (2.67)", "moat 0.33 (1.33)", "番付 0 (0)"])
    duel = plan(stage(Format.SINGLE_ELIMINATION, extra_max=0), bots=2)
    course, _ = played(duel, drawn)
    assert Report(duel).round(*course.rounds[0]).endswith("ring  0.5 : 0.5  wall  (1 : 1)  ring goes on")


def test_stages_are_numbered_where_there_are_several() -> None:
    two = plan(stage(Format.ROUND_ROBIN, goes_on=2), stage(Format.SINGLE_ELIMINATION))
    course, _ = played(two)
    titles = [Report(two).round(draw, decided).split("\n")[0] for draw, decided in course.rounds]
    assert titles[0] == "Stage 1: Round robin, round 1"
    assert titles[-1] == "Stage 2: Single elimination, round 1"


# --- The folder -----------------------------------------------------------------------------------------------------


def setting(*bots: str) -> Setting:
    return Setting(GAME, {"turns": 2}, tuple(Bot(name, f"digest of {name}", name) for name in bots), None)


def test_a_folder_is_found_again_and_holds_one_tournament(tmp_path: Path) -> None:
    kind, field = plan(stage(Format.ROUND_ROBIN), bots=2), setting("ring", "wall")
    (fixture, *_) = Course(kind).take()
    for _ in range(2):
        with folder_opened(tmp_path / "cup", field, kind) as folder:
            assert folder.replay(fixture) == tmp_path / "cup/replays/stage1_round1_table1_match1.replay"
            folder.write("stage1.trf", "012 Cup\n")
    assert (tmp_path / "cup/stage1.trf").read_text() == "012 Cup\n"
    others = [
        (field, plan(stage(Format.SWISS, rounds=1), bots=2), "another format"),
        (setting("wall", "ring"), kind, "other bots, or the same in another order, and bots that have been changed"),
        (Setting(GAME, {"turns": 3}, field.bots, None), kind, "another ruleset or other options"),
        (field, Plan(kind.stages, kind.entrants, 8, kind.sizes), "another --seed"),
    ]
    for other, its_plan, words in others:
        with pytest.raises(UserError, match=f"holds a tournament with {words}.*: name another folder by --out"):
            folder_opened(tmp_path / "cup", other, its_plan).__enter__()


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kind = plan(stage(Format.ROUND_ROBIN), bots=2)
    with folder_opened(None, setting("ring", "wall"), kind) as folder:
        folder.write("stage1.trf", "x")
        assert folder.replay(Course(kind).take()[0]) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"{", b'{"game": "chess"}', b"\xff"])
def test_a_folder_that_does_not_say_what_is_played_is_left_alone(content: bytes, tmp_path: Path) -> None:
    kind = plan(stage(Format.ROUND_ROBIN), bots=2)
    (tmp_path / "tournament.json").write_bytes(content)
    with pytest.raises(UserError, match=f"does not say what is played .*{OTHER_FOLDER}"):
        folder_opened(tmp_path, setting("ring", "wall"), kind).__enter__()
    assert (tmp_path / "tournament.json").read_bytes() == content


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=rf"The folder .*cup cannot be made: Not a directory\. {OTHER_FOLDER}"):
        folder_opened(tmp_path / "file" / "cup", setting("ring"), plan(stage(Format.SWISS))).__enter__()


def test_decided_pairings_include_those_of_the_round_that_is_played() -> None:
    course = Course(SINGLE)
    first = course.take()
    pairing = first[0].pairing
    for fixture in (each for each in first if each.pairing == pairing):
        course.record(fixture, stronger(fixture))
    assert [(each.pairing.number, each.winner) for each in course.decided] == [(1, 1)]
    assert isinstance(course.decided[0], Decided)
