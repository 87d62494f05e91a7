"""Reads TRF files back, to compare them with what was written."""

from __future__ import annotations

from formats.model import Decided, Entrant, Outcome, Pairing
from formats.trf import NAME, RATING, RESULTS, ROUND

BYES = {"U": 1.0, "F": 1.0, "H": 0.5, "Z": 0.0}
POINTS = {"1": 1.0, "W": 1.0, "+": 1.0, "=": 0.5, "D": 0.5, "0": 0.0, "L": 0.0, "-": 0.0}


def trf_read(text: str) -> tuple[list[Entrant], list[Decided]]:
    """Return the entrants and the decided pairings of a TRF file, as stage 0.

    Pairings of a round are numbered by the better starting rank at each. Who misses all rounds from some on has left; a
    single missed round before others is a bye without points.

    Raises:
        ValueError: a line of an entrant does not have the columns that it should have.
    """
    entrants, decided = [], []
    results: dict[int, list[tuple[int, str, str]]] = {}
    for line in text.splitlines():
        if line.startswith("001 "):
            number = int(line[4:8])
            results[number] = [
                (int(part[:4].strip() or 0), part[5:6], part[7:8].upper())
                for part in (line[at : at + ROUND - 2] for at in range(RESULTS, len(line.rstrip()), ROUND))
            ]
            missed = len(results[number])
            while missed and results[number][missed - 1][2] == "Z":
                missed -= 1
            left = (0, missed + 1) if missed < len(results[number]) else None
            del results[number][missed:]
            entrants.append(Entrant(number, line[NAME].strip(), float(line[RATING].strip() or 0), left))
    for number, played in sorted(results.items()):
        for round_, (opponent, colour, letter) in enumerate(played, start=1):
            pairing = Pairing(stage=0, round=round_, number=number, entrants=(number,))
            if letter in BYES:
                decided.append(Decided(pairing, points=(BYES[letter],), outcome=Outcome.BYE))
            elif number < opponent:
                seats = (number, opponent) if colour == "w" else (opponent, number)
                letters = {number: letter, opponent: results[opponent][round_ - 1][2]}
                decided.append(
                    Decided(
                        Pairing(stage=0, round=round_, number=number, entrants=seats),
                        points=tuple(POINTS[letters[each]] for each in seats),
                        outcome=Outcome.FORFEIT if letter in "+-" else Outcome.PLAYED,
                    )
                )
    return sorted(entrants, key=lambda entrant: entrant.number), decided
