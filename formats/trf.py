"""Writes the FIDE Tournament Report File (TRF16, Handbook C.04.A.2) of Swiss and round robin stages.

Pairing engines and tie-break checkers read it. Only tables of two can be written.

A line ``001`` is an entrant: its columns have fixed places and widths, so names are reduced to ASCII. The starting rank
is an entrant's position among those that play the stage, which in the first stage is its seed number. White sits on the
first seat. The letters of results:

=========  ===========================================================================================================
``1 = 0``  Won, drawn, lost: who has more points in the pairing. Of one that an organiser decided by hand with other
           points than 1, 1/2 and 0, only that is written.
``+ -``    Won or lost by forfeit.
``U``      A bye that the pairing gave: the points of a win.
``Z``      No pairing in this round: the entrant has left, or rests in an odd round robin.
=========  ===========================================================================================================

The lines ``142`` and ``XXR`` both give the number of rounds: the first is TRF25, the second what older programs read.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from formats.model import DUEL, Decided, Entrant, Format, Outcome, Stage, TieBreak
from formats.standings import groups_of, stage_entrants, standings, tie_breaks_of

NAME = slice(14, 47)
RATING = slice(48, 52)
RATING_MAX = 9999
RESULTS = 91
"""Where the first round begins; each has ten columns."""
ROUND = 10
TYPES = {Format.SWISS: "Individual: Swiss-System", Format.ROUND_ROBIN: "Individual: Round-Robin"}
TIE_BREAKS = {
    TieBreak.DIRECT_ENCOUNTER: "DE",
    TieBreak.BUCHHOLZ: "BH",
    TieBreak.MEDIAN_BUCHHOLZ: "BH/M1",
    TieBreak.SONNEBORN_BERGER: "SB",
    TieBreak.WINS: "WON",
}
"""The tie-breaks' codes in TRF25; it has none for the difference of games."""


def trf_write(
    *,
    name: str,
    stages: Sequence[Stage],
    stage: int,
    entrants: Sequence[Entrant],
    decided: Sequence[Decided],
    group: str = "",
) -> str:
    """Return a stage as a TRF file, in ASCII.

    Entrants that have left miss the next round, too, so that a pairing engine does not pair them. ``name`` is the
    tournament's; ``group`` names the group to write, empty if the stage has no groups. The other arguments are those
    of ``standings.standings``, but ``decided`` has whole rounds only.

    Raises:
        ValueError: the stage is a knockout, or has larger tables.
    """
    this = stages[stage]
    if this.format not in TYPES or this.table_size != DUEL:
        raise ValueError("A TRF file has room for Swiss and round robin stages with tables of two only.")
    numbers = stage_entrants(stages=stages, stage=stage, entrants=entrants, decided=decided)
    members = groups_of(stage=this, numbers=numbers)[group]
    ranks = {number: rank for rank, number in enumerate(members, start=1)}
    rows = {row.entrant: row for row in standings(stages=stages, stage=stage, entrants=entrants, decided=decided)}
    known = {entrant.number: entrant for entrant in entrants}
    results: dict[int, dict[int, str]] = defaultdict(dict)
    played = 0
    for one in decided:
        if one.pairing.stage == stage and ranks.keys() >= set(one.pairing.entrants):
            played = max(played, one.pairing.round)
            for seat, number in enumerate(one.pairing.entrants):
                results[number][one.pairing.round] = _result(one, seat, ranks)
    rounds = this.rounds if this.format == Format.SWISS else max(played, this.cycles * (len(members) - 1 | 1))
    codes = [TIE_BREAKS[each] for each in tie_breaks_of(this) if each in TIE_BREAKS]
    lines = [
        f"012 {ascii_of(name, len(name)) or 'Tournament'}",
        f"062 {len(members)}",
        f"092 {TYPES[this.format]}",
        f"142 {rounds}",
        f"XXR {rounds}",
        f"212 {','.join(['PTS', *codes])}",
    ]
    for number in members:
        row, entrant = rows[number], known[number]
        line = f"001 {ranks[number]:4}      {_name(entrant)} {min(RATING_MAX, max(0, round(entrant.rating))):4}"
        line = f"{line}{row.points:>32.1f} {row.place:4}"
        for round_ in range(1, min(played + 1, rounds) + 1):
            absent = round_ <= played or not entrant.plays(stage, round_)
            line += f"  {results[number].get(round_, '0000 - Z' if absent else ''):8}"
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def _result(one: Decided, seat: int, ranks: dict[int, int]) -> str:
    """Return the eight columns of a pairing for the entrant at a seat."""
    if len(one.pairing.entrants) == 1:
        return "0000 - U"
    opponent, own, other = ranks[one.pairing.entrants[1 - seat]], one.points[seat], one.points[1 - seat]
    letter = "=" if own == other else "1" if own > other else "0"
    if one.outcome == Outcome.FORFEIT:
        letter = "+" if own else "-"
    elif own == other == 0:
        letter = "0"
    return f"{opponent:4} {'wb'[seat]} {letter}"


def ascii_of(text: str, width: int) -> str:
    """Return text as at most ``width`` printable ASCII characters; letters lose their accents, others go."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = "".join(sign if sign.isprintable() else " " for sign in plain).split()
    return " ".join(words)[:width].rstrip()


def _name(entrant: Entrant) -> str:
    """Return a name of exactly the column's width."""
    width = NAME.stop - NAME.start
    return (ascii_of(entrant.name, width) or f"Bot {entrant.number}").ljust(width)
