"""Tests tie-breaks on the worked pairings that FIDE's Technical Commission published.

The pairings and answers are those of M. Held, *Exercises in Tie-Breaking* (FIDE TEC, March 2024), exercises 4, 12, 14,
23, 25, 26 and 28. Its answers follow the rules of 2023. Where the bound of the dummy opponent of March 2026 (article
16.4) changes an answer, both stand here.
"""

from __future__ import annotations

from formats.model import Format, Stage, Standing, TieBreak
from formats.standings import standings
from tests.formats.trf_reading import trf_read

SWISS_5 = """
9w1 13b= 2w= 15b1 4w=
10b1 7w1 1b= 16w1 3b=
11w= 6b1 8w1 4b= 2w=
12b1 0-H 13w1 3w= 1b=
13w0 15b0 11w1 7b= 10w1
14b0 3w0 0-U 10w1 8b1
15w1 2b0 16b0 5w= 11b0
16b= 14w1 3b0 13w1 6w0
1b0 10w0 0-H 11b- 0-U
2w0 9b1 15w0 6b0 5b0
3b= 16w0 5b0 9w+ 7w1
4w0 0-U 14w+ 0-Z 0-Z
5b1 1w= 4b0 8b0 14w0
6w1 8b0 12b- 0-Z 13b1
7b0 5w1 10b1 1w0 16b0
8w= 11b1 7w1 2b0 15w1
"""
SWISS_9 = """
9w1 13b= 2w= 15b1 4w= 6b= 3b= 16w= 8b1
10b1 7w1 1b= 16w1 3b1 4w= 6w0 15b= 5w=
11w= 6b1 8w1 4b= 2w0 16b1 1w= 14w1 10b1
12b1 0-H 13w1 3w= 1b= 2b= 16w= 6b= 15w1
13w0 15b0 11w1 7b= 10w1 14b0 9b1 8w0 2b=
14b0 3w0 0-U 10w1 8b1 1w= 2b1 4w= 16b1
15w1 2b0 16b0 5w= 11b0 10b0 13w1 9w1 14b1
16b= 14w1 3b0 13w1 6w0 11b= 15w= 5b1 1w0
1b0 10w0 0-H 11b- 0-U 13b1 5w0 7b0 12w=
2w0 9b1 15w0 6b0 5b0 7w1 12b1 11w1 3w0
3b= 16w0 5b0 9w+ 7w1 8w= 14b0 10b0 13w=
4w0 0-U 14w+ 0-Z 0-Z 15b0 10w0 13b= 9b=
5b1 1w= 4b0 8b0 14w0 9w0 7b0 12w= 11b=
6w1 8b0 12b- 0-Z 13b1 5w1 11w1 3b0 7w0
7b0 5w1 10b1 1w0 16b0 12w1 8b= 2w= 4b0
8w= 11b1 7w1 2b0 15w1 3w0 4b= 1b= 6w0
"""
ROUND_ROBIN = """
5w= 2w1 3b1 4w0 6b1
6w1 1b0 5w1 3w= 4b1
4w1 6b1 1w0 2b= 5w1
3b0 5b0 6w= 1b1 2w0
1b= 4w1 2b0 6w- 3b0
2b0 3w0 4b= 5b+ 1w0
"""


def trf_of(rounds: str) -> str:
    """Return a TRF file of a pairing: a line is an entrant, a word its opponent, colour and result in a round."""
    lines = []
    for number, line in enumerate(rounds.strip().splitlines(), start=1):
        results = "".join(f"  {word[:-2]:>4} {word[-2]} {word[-1]}" for word in line.split())
        lines.append(f"001 {number:4}{results:>{81 + len(results)}}")
    return "\n".join(lines)


def pairing_of(rounds: str, form: Format, *tie_breaks: TieBreak) -> dict[int, Standing]:
    """Return the standings of a published pairing by entrant."""
    entrants, decided = trf_read(trf_of(rounds))
    stage = Stage(form, rounds=9, tie_breaks=tie_breaks)
    rows = standings(stages=[stage], stage=0, entrants=entrants, decided=decided)
    return {row.entrant: row for row in rows}


def values_of(rounds: str, form: Format, tie_break: TieBreak) -> list[float]:
    """Return the value of a tie-break of each entrant, in the order of their numbers."""
    rows = pairing_of(rounds, form, tie_break)
    return [rows[number].tie_breaks[0] for number in sorted(rows)]


def ranks_of(rounds: str, form: Format) -> list[int]:
    """Return the rank of each entrant by points and direct encounter; those still tied share the better one."""
    rows = pairing_of(rounds, form, TieBreak.DIRECT_ENCOUNTER)
    keys = {number: (row.points, row.tie_breaks) for number, row in rows.items()}
    return [1 + sum(key > keys[number] for key in keys.values()) for number in sorted(keys)]


def changed(values: list[float], new: dict[int, float]) -> list[float]:
    """Return values of entrants 1, 2 .. with some replaced."""
    return [new.get(number, value) for number, value in enumerate(values, start=1)]


def test_points() -> None:
    """Byes and forfeits give points."""
    points = [row.points for _, row in sorted(pairing_of(SWISS_5, Format.SWISS, TieBreak.WINS).items())]
    assert points == [3.5, 4, 3.5, 3.5, 2.5, 3, 1.5, 2.5, 1.5, 1, 2.5, 2, 1.5, 2, 2, 3.5]


def test_buchholz() -> None:
    """Entrants 4, 6 and 11 had a bye or a forfeit won, whose dummy opponent got a bound in 2026."""
    rules_of_2023 = [12.5, 13, 15.5, 15, 8.5, 12, 14.5, 13.5, 9, 13, 13.5, 11.5, 14, 11, 12, 12.5]
    found = values_of(SWISS_5, Format.SWISS, TieBreak.BUCHHOLZ)
    assert found == changed(rules_of_2023, {4: 14, 6: 11.5, 11: 12.5})


def test_sonneborn_berger() -> None:
    """As Buchholz; in a round robin a forfeit counts as played."""
    rules_of_2023 = [8, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4, 4.25, 4.5, 3.5, 7.25]
    found = values_of(SWISS_5, Format.SWISS, TieBreak.SONNEBORN_BERGER)
    assert found == changed(rules_of_2023, {4: 9.25, 6: 6, 11: 4.75})
    assert values_of(ROUND_ROBIN, Format.ROUND_ROBIN, TieBreak.SONNEBORN_BERGER) == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]


def test_wins() -> None:
    """Byes and forfeits are no wins."""
    found = values_of(SWISS_5, Format.SWISS, TieBreak.WINS)
    assert found == [2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3]


def test_direct_encounter() -> None:
    """In Swiss it decides only what no missing pairing could change; in a round robin it is applied again."""
    swiss_5 = ranks_of(SWISS_5, Format.SWISS)
    assert {swiss_5[number - 1] for number in (1, 3, 4, 16)} == {2}
    assert {swiss_5[number - 1] for number in (5, 8, 11)} == {7}
    assert ranks_of(SWISS_9, Format.SWISS) == [3, 5, 1, 3, 9, 2, 6, 6, 14, 9, 13, 14, 16, 9, 9, 6]
    assert ranks_of(ROUND_ROBIN, Format.ROUND_ROBIN) == [1, 2, 2, 6, 5, 4]
