"""Words for formats and tie-breaks, in the reader's language."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from formats.model import Format, TieBreak

FORMAT_TITLES: dict[Format, Promise] = {
    Format.ROUND_ROBIN: gettext_lazy("Round robin"),
    Format.SWISS: gettext_lazy("Swiss"),
    Format.SINGLE_ELIMINATION: gettext_lazy("Single elimination"),
    Format.DOUBLE_ELIMINATION: gettext_lazy("Double elimination"),
}
TIE_BREAK_TITLES: dict[TieBreak, Promise] = {
    TieBreak.DIRECT_ENCOUNTER: gettext_lazy("Direct encounter"),
    TieBreak.BUCHHOLZ: gettext_lazy("Buchholz"),
    TieBreak.MEDIAN_BUCHHOLZ: gettext_lazy("Median Buchholz"),
    TieBreak.SONNEBORN_BERGER: gettext_lazy("Sonneborn-Berger"),
    TieBreak.WINS: gettext_lazy("Wins"),
    TieBreak.GAME_DIFFERENCE: gettext_lazy("Difference of match points"),
}
TIE_BREAK_SHORT: dict[TieBreak, str] = {
    TieBreak.DIRECT_ENCOUNTER: "DE",
    TieBreak.BUCHHOLZ: "BH",
    TieBreak.MEDIAN_BUCHHOLZ: "MBH",
    TieBreak.SONNEBORN_BERGER: "SB",
    TieBreak.WINS: "W",
    TieBreak.GAME_DIFFERENCE: "±",
}
"""At the head of a column: the signs of the field, the same in all languages."""
TIE_BREAK_SENTENCES: dict[TieBreak, Promise] = {
    TieBreak.DIRECT_ENCOUNTER: gettext_lazy("Points in the tables that the tied bots played among themselves."),
    TieBreak.BUCHHOLZ: gettext_lazy("Sum of the points of all opponents."),
    TieBreak.MEDIAN_BUCHHOLZ: gettext_lazy("Buchholz without its highest and its lowest summand."),
    TieBreak.SONNEBORN_BERGER: gettext_lazy(
        "Points of the opponents that were beaten, and half of the points of those with a draw."
    ),
    TieBreak.WINS: gettext_lazy("Tables won in matches: neither byes nor forfeits."),
    TieBreak.GAME_DIFFERENCE: gettext_lazy("Match points won minus match points lost."),
}


def points_words(points: float) -> str:
    """Return points as the reader's language writes them, with at most two decimals: 2, 1.5, 0.67."""
    rounded = round(points, 2)
    return str(number_format(int(rounded) if rounded == int(rounded) else rounded)).replace("-", "−")
