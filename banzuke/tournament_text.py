"""Rounds, standings, cross tables, brackets and places of a tournament as texts for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from banzuke.text import table
from banzuke.tournament import Plan
from formats.model import DUEL, KNOCKOUTS, TABLE_MAX, Decided, Draw, Format, Outcome, Standing, TieBreak
from formats.standings import places, standings, tie_breaks_of

TITLES = {
    Format.ROUND_ROBIN: "Round robin",
    Format.SWISS: "Swiss",
    Format.SINGLE_ELIMINATION: "Single elimination",
    Format.DOUBLE_ELIMINATION: "Double elimination",
}

HEADS = {
    TieBreak.DIRECT_ENCOUNTER: "direct",
    TieBreak.BUCHHOLZ: "Buchholz",
    TieBreak.MEDIAN_BUCHHOLZ: "median",
    TieBreak.SONNEBORN_BERGER: "S-B",
    TieBreak.WINS: "wins",
    TieBreak.GAME_DIFFERENCE: "difference",
}
"""Heads of columns, short enough for a terminal."""
LEFT = 1 + 2 * TABLE_MAX
"""The most columns of a table of words: all of them are aligned to the left."""


class Report:
    """Makes the texts of one tournament, the one that ``plan`` describes."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._names = {entrant.number: entrant.name for entrant in plan.entrants}

    def round(self, draw: Draw, decided: Sequence[Decided]) -> str:
        """Return the pairings of a round that has ended, with their results; ``decided`` are these pairings."""
        rows = [[_label(each), *self._result(each)] for each in decided]
        return f"{self._title(draw.stage)}, round {draw.round}\n{table(rows, left=LEFT)}"

    def stage(self, stage: int, decided: Sequence[Decided]) -> str:
        """Return the standings of a stage, given by its number from 0, with its cross table or bracket.

        ``decided`` has the decided pairings of this stage and of all before it.
        """
        plan, kind = self._plan, self._plan.stages[stage]
        rows = standings(stages=plan.stages, stage=stage, entrants=plan.entrants, decided=decided)
        tables = [each for each in decided if each.pairing.stage == stage]
        groups = [[row for row in rows if row.group == group] for group in dict.fromkeys(row.group for row in rows)]
        parts = [self._standings(stage, group) for group in groups]
        if kind.format in KNOCKOUTS:
            parts.append("\n".join(self._bracket(tables)))
        elif kind.format == Format.ROUND_ROBIN and kind.table_size == DUEL:
            parts += [self._cross_table(group, tables) for group in groups]
        return f"{self._title(stage)}, standings\n" + "\n\n".join(parts)

    def places(self, decided: Sequence[Decided]) -> str:
        """Return the places of all entrants in the whole tournament, whose decided pairings are given."""
        rows = places(stages=self._plan.stages, entrants=self._plan.entrants, decided=decided)
        return "Places\n" + table([[str(row.place), self._names[row.entrant]] for row in rows], left=LEFT)

    def _title(self, stage: int) -> str:
        title = TITLES[self._plan.stages[stage].format]
        return f"Stage {stage + 1}: {title}" if len(self._plan.stages) > 1 else title

    def _result(self, decided: Decided) -> list[str]:
        """Return as cells who met in a pairing and their points in it, with those in its matches in brackets."""
        names = [self._names[number] for number in decided.pairing.entrants]
        points, games = ([_number(each) for each in values] for values in (decided.points, decided.games))
        if decided.outcome == Outcome.BYE:
            return [names[0], "has a bye"]
        if len(names) == DUEL:
            result = [names[0], f"{points[0]} : {points[1]}", names[1], f"({games[0]} : {games[1]})"]
        else:
            result = [f"{name} {own} ({its})" for name, own, its in zip(names, points, games, strict=True)]
        if decided.winner and decided.points.count(max(decided.points)) > 1:
            result.append(f"{self._names[decided.winner]} goes on")
        return result

    def _standings(self, stage: int, rows: Sequence[Standing]) -> str:
        heads = [HEADS[each] for each in tie_breaks_of(self._plan.stages[stage])]
        group = rows[0].group
        head = [f"group {group}" if group else "bot", "points", *heads, "w-d-l", "in matches"]
        lines = [
            [
                f"{row.place} {self._names[row.entrant]}",
                *(_number(each) for each in (row.points, *row.tie_breaks)),
                f"{row.wins}-{row.draws}-{row.losses}",
                f"{_number(row.games)} of {row.games_played}",
            ]
            for row in rows
        ]
        return table([head, *lines])

    def _cross_table(self, rows: Sequence[Standing], decided: Sequence[Decided]) -> str:
        """Return the points that each entrant has taken from each other one in their matches, by place."""
        taken: dict[tuple[int, int], float] = {}
        for each in decided:
            pair = each.pairing.entrants
            for own, other, points in zip(pair, pair[::-1], each.games, strict=False):
                taken[own, other] = taken.get((own, other), 0.0) + points
        numbers = [row.entrant for row in rows]
        head = ["points in matches against", *(str(row.place) for row in rows)]
        lines = [
            [
                f"{row.place} {self._names[row.entrant]}",
                *(_number(taken[row.entrant, other]) if (row.entrant, other) in taken else "-" for other in numbers),
            ]
            for row in rows
        ]
        return table([head, *lines])

    def _bracket(self, decided: Sequence[Decided]) -> Iterator[str]:
        """Yield the lines of a tree: under each table those whose winners met there."""
        by_place = {(each.pairing.round, each.pairing.number): each for each in decided}
        below = {
            place: [
                source
                for number, source in zip(each.pairing.entrants, each.pairing.sources, strict=False)
                if source in by_place and by_place[source].winner == number
            ]
            for place, each in by_place.items()
        }
        inner = {source for sources in below.values() for source in sources}

        def lines(place: tuple[int, int], first: str, others: str) -> Iterator[str]:
            found = by_place[place]
            yield f"{first}round {found.pairing.round}, table {_label(found)}: {' '.join(self._result(found))}"
            for source in below[place]:
                is_last = source == below[place][-1]
                yield from lines(source, others + ("└ " if is_last else "├ "), others + ("  " if is_last else "│ "))

        for place in sorted(by_place.keys() - inner, key=lambda place: (-place[0], place[1])):
            yield from lines(place, "", "")


def _label(decided: Decided) -> str:
    """Return the number of a table, with its group."""
    return f"{decided.pairing.number} {decided.pairing.group}".strip()


def _number(value: float) -> str:
    return f"{round(value, 2):g}"
