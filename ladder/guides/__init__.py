"""The pages of the games: rules, protocol and limits, in the reader's language.

Words stand in ``templates/ladder/guides/<language>/<game>.html``, once a language. What is the same in all of them, and
must be true, is made by the core: drawings, the conversation with the referee, numbers (``guides/<game>.py``), and the
whole bot in ``templates/ladder/guides/<game>_bot.txt``, which the tests let play.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.utils.safestring import SafeString

import core
from ladder.guides import attack25, back_to_the_code, kakomimasu, puyo, wondev_woman
from ladder.guides.conversation import Exchange, conversation
from ladder.guides.drawing import Figure, figure_html
from ladder.guides.material import Material

ENGLISH = "en"
LANGUAGES = (ENGLISH, "ja", "ru")
"""That the pages are written in; whoever reads none of them gets the first."""

MATERIALS: Mapping[str, Material] = {
    "attack25": attack25.MATERIAL,
    "back_to_the_code": back_to_the_code.MATERIAL,
    "kakomimasu": kakomimasu.MATERIAL,
    "puyo": puyo.MATERIAL,
    "wondev_woman": wondev_woman.MATERIAL,
}
"""By game."""


def guide_language(wanted: str | None) -> str:
    """Return the language of the page for a reader of a language such as ``ja``, ``ja-jp`` or ``zh-hans``."""
    wanted = wanted or ""
    return next((each for each in (wanted, wanted.partition("-")[0]) if each in LANGUAGES), ENGLISH)


@cache
def guide_figure(game: str, name: str) -> Figure:
    """Return a drawing.

    Raises:
        KeyError: the game has none of this name.
    """
    return MATERIALS[game].figures[name]()


@cache
def guide_drawing(game: str, name: str, alt: str) -> SafeString:
    """Return a drawing as HTML, see ``figure_html``: made once, since it is the same in every request."""
    return figure_html(guide_figure(game, name), alt)


@cache
def guide_conversation(game: str) -> tuple[Exchange, ...]:
    """Return how a match of a game begins, as its first seat hears it."""
    return conversation(core.game(game), MATERIALS[game].script)
