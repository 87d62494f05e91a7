"""Tests that other libraries read our TRF files, pair and rank as we do, and that we read them back."""

from __future__ import annotations

import random

import pytest
from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.model import DUEL, Decided, Entrant, Format, Outcome, Pairing, Stage
from formats.rounds import next_round
from formats.standings import standings
from formats.trf import ascii_of, trf_write
from tests.formats.against_gacrux import tournament_random
from tests.formats.trf_reading import trf_read

SWISS = Stage(Format.SWISS, rounds=3)


def decided_of(round_: int, *entrants: int, points: tuple[float, ...], outcome: Outcome = Outcome.PLAYED) -> Decided:
    """Return a decided pairing of the first stage."""
    return Decided(Pairing(stage=0, round=round_, number=1, entrants=entrants), points=points, outcome=outcome)


def test_columns_are_those_of_the_format() -> None:
    """Every field stands where the format says; names lose what does not fit."""
    entrants = [
        Entrant(1, "Ünïcode \N{FACE WITH TEARS OF JOY} bot", rating=1987.6),
        Entrant(2, "将棋\nbot\t" + "x" * 40, rating=-5),
        Entrant(3, "将棋", left=(0, 2)),
    ]
    decided = [
        decided_of(1, 2, 1, points=(0.5, 0.5)),
        decided_of(1, 3, points=(1.0,), outcome=Outcome.BYE),
        decided_of(2, 1, 3, points=(1.0, 0.0), outcome=Outcome.FORFEIT),
        decided_of(2, 2, points=(1.0,), outcome=Outcome.BYE),
    ]
    text = trf_write(name="Final\n2026 – 決勝", stages=[SWISS], stage=0, entrants=entrants, decided=decided)
    assert text.splitlines() == [
        "012 Final 2026",
        "062 3",
        "092 Individual: Swiss-System",
        "142 3",
        "XXR 3",
        "212 PTS,BH,BH/M1,SB,DE,WON",
        "001    1      Unicode bot                       1988                             1.5    1     2 b =     3 w +",
        "001    2      bot xxxxxxxxxxxxxxxxxxxxxxxxxxxxx    0                             1.5    2     1 w =  0000 - U",
        "001    3      Bot 3                                0                             1.0    3  0000 - U     1 b -"
        "  0000 - Z",
    ]


@settings(max_examples=200)
@given(st.text())
def test_no_name_breaks_the_columns(name: str) -> None:
    """Any text becomes one line of printable ASCII of at most the column's width."""
    plain = ascii_of(name, 33)
    assert plain.isascii()
    assert plain == plain.strip()
    assert len(plain) <= 33
    assert plain.isprintable()
    text = trf_write(name=name, stages=[SWISS], stage=0, entrants=[Entrant(1, name)], decided=[])
    assert text.splitlines()[-1] == f"001    1      {plain or 'Bot 1':33}    0{0.0:32.1f}    1"


def test_written_tournaments_are_read_back() -> None:
    """Entrants and pairings of random tournaments come back, but for the games and the numbers of pairings."""
    for seed in range(40):
        stage, entrants, decided = tournament_random(random.Random(seed))  # noqa: S311 - results to write
        found, pairings = trf_read(trf_write(name="t", stages=[stage], stage=0, entrants=entrants, decided=decided))
        assert [(each.number, each.name) for each in found] == [(each.number, each.name) for each in entrants]
        assert {results(one) for one in pairings if one.pairing.entrants[1:] or one.points[0]} == {
            results(one) for one in decided
        }
        if stage.format == Format.SWISS:
            again = standings(stages=[stage], stage=0, entrants=found, decided=pairings)
            before = standings(stages=[stage], stage=0, entrants=entrants, decided=decided)
            assert [row.entrant for row in again] == [row.entrant for row in before]


def results(one: Decided) -> tuple[int, tuple[tuple[int, float], ...], Outcome]:
    """Return a pairing's round, who scored what on which seat, and how it was decided."""
    return one.pairing.round, tuple(zip(one.pairing.entrants, one.points, strict=True)), one.outcome


def test_a_later_stage_is_numbered_by_who_goes_on() -> None:
    """Starting ranks begin at 1 in each stage and group."""
    stages = [Stage(Format.ROUND_ROBIN, groups=2, goes_on=2), SWISS]
    entrants = [Entrant(number, f"bot {number}") for number in range(1, 5)]
    decided = [decided_of(1, 4, 1, points=(1.0, 0.0)), decided_of(1, 2, 3, points=(0.0, 1.0))]
    group = trf_write(name="t", stages=stages, stage=0, entrants=entrants, decided=decided, group="B")
    assert [line[:30].split() for line in group.splitlines()[-2:]] == [
        ["001", "1", "bot", "2"],
        ["001", "2", "bot", "3"],
    ]
    final = trf_write(name="t", stages=stages, stage=1, entrants=entrants, decided=decided)
    assert [line[:30].split() for line in final.splitlines()[-2:]] == [
        ["001", "1", "bot", "3"],
        ["001", "2", "bot", "4"],
    ]


def test_another_library_reads_the_field() -> None:
    """Names, ratings and places arrive."""
    stage, entrants, decided = tournament_random(random.Random(3))  # noqa: S311 - results to write
    reader = trf2json()
    reader.parse_file(trf_write(name="t", stages=[stage], stage=0, entrants=entrants, decided=decided), False)
    rows = standings(stages=[stage], stage=0, entrants=entrants, decided=decided)
    there = {each["cid"]: (float(each["gamePoints"]), each["rank"]) for each in reader.get_tournament(1)["competitors"]}
    assert there == {row.entrant: (row.points, row.place) for row in rows}


def test_a_pairing_engine_makes_our_next_round_from_the_file() -> None:
    """Results, seats, byes and who has left arrive, so the engine pairs the same tables as we do."""
    chance = random.Random(5)  # noqa: S311 - tournaments to pair
    compared = 0
    for count in range(10, 26, 3):
        stage = Stage(Format.SWISS, rounds=5)
        entrants = [
            Entrant(number, f"bot {number}", left=(0, chance.randint(2, 5)) if chance.random() < 0.1 else None)
            for number in range(1, count + 1)
        ]
        decided: list[Decided] = []
        while draw := next_round(stages=[stage], entrants=entrants, decided=decided, lots=0, sizes=(2,)):
            text = trf_write(name="t", stages=[stage], stage=0, entrants=entrants, decided=decided)
            assert {pairing.entrants for pairing in draw.pairings} == paired(text, draw.round)
            compared += 1
            for pairing in draw.pairings:
                own = chance.choice((0.0, 0.5, 1.0))
                result = Decided(pairing, points=(own, 1 - own))
                is_bye = len(pairing.entrants) < DUEL
                decided.append(Decided(pairing, points=(1.0,), outcome=Outcome.BYE) if is_bye else result)
    assert compared == 6 * 5


def paired(text: str, round_: int) -> set[tuple[int, ...]]:
    """Return the pairings that the engine makes from a file; one alone has a bye."""
    reader = trf2json()
    reader.parse_file(text, False)
    options = {"experimental": [], "verbose": 0, "top_color": "w"}
    brackets = pairing_dutch(reader.get_tournament(1), round_, options).compute_pairing(False)
    pairs = [(pair["w"], pair["b"]) for bracket in brackets for pair in bracket["pairs"]]
    return {tuple(number for number in pair if number) for pair in pairs}


def test_knockouts_have_no_file() -> None:
    """The format has no brackets."""
    with pytest.raises(ValueError, match="Swiss and round robin"):
        trf_write(name="t", stages=[Stage(Format.SINGLE_ELIMINATION)], stage=0, entrants=[], decided=[])
