"""Words for formats and tie-breaks, in the reader's language."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from formats.model import Format, TieBreak

FORMAT_TITLES: dict[Format, Promise] = {
    Format.ROUND_ROBIN: _("Round robin"),
    Format.SWISS: _("Swiss"),
    Format.SINGLE_ELIMINATION: _("Single elimination"),
    Format.DOUBLE_ELIMINATION: _("Double elimination"),
}


class TieBreakWords(NamedTuple):
    """The words for a tie-break."""

    short: str
    """Its abbreviation for the head of a column, the same in all languages."""
    title: Promise
    sentence: Promise
    """What the tie-break counts."""


TIE_BREAK_WORDS: dict[TieBreak, TieBreakWords] = {
    TieBreak.DIRECT_ENCOUNTER: TieBreakWords(
        "DE", _("Direct encounter"), _("Points in the tables that the tied bots played among themselves.")
    ),
    TieBreak.BUCHHOLZ: TieBreakWords("BH", _("Buchholz"), _("Sum of the points of all opponents.")),
    TieBreak.MEDIAN_BUCHHOLZ: TieBreakWords(
        "MBH", _("Median Buchholz"), _("Buchholz without its highest and its lowest summand.")
    ),
    TieBreak.SONNEBORN_BERGER: TieBreakWords(
        "SB",
        _("Sonneborn-Berger"),
        _("Points of the opponents that were beaten, and half of the points of those with a draw."),
    ),
    TieBreak.WINS: TieBreakWords("W", _("Wins"), _("Tables won in matches: neither byes nor forfeits.")),
    TieBreak.GAME_DIFFERENCE: TieBreakWords(
        "±", _("Difference of match points"), _("Match points won minus match points lost.")
    ),
}


def points_words(points: float) -> str:
    """Return points as the reader's language writes them, with at most two decimals: 2, 1.5, 0.67."""
    rounded = round(points, 2)
    return str(number_format(int(rounded) if rounded == int(rounded) else rounded)).replace("-", "−")
