"""Words for formats and tie-breaks, in the reader's language."""

from __future__ import annotations

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
