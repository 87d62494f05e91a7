"""The guides to the games: pages with the rules, the protocol and the limits of a game, in several languages.

The text of a guide lies in ``games/<game>/guide/<language>.html``. Drawings, numbers and the example conversation with
the referee are computed by the game's own rules (``games/<game>/guide/__init__.py``), so that they are right in all
languages. Tests play the example bot in ``games/<game>/guide/bot.txt``.
"""

from __future__ import annotations

from functools import cache

from django.utils.safestring import SafeString

from games.guide.conversation import Exchange, conversation
from games.guide.drawing import Figure
from games.guide.material import Material
from games.registry import game_named, game_part
from ladder.guides.svg import figure_html

ENGLISH = "en"
LANGUAGES = (ENGLISH, "ja", "ru")
"""Languages of the guides; readers of other languages get English."""


@cache
def guide_material(game: str) -> Material:
    """Return the drawings, the conversation and the numbers of a game's guide."""
    material: Material = game_part(game, "guide").MATERIAL
    return material


def guide_language(wanted: str | None) -> str:
    """Return the language of the guide for a reader's language, such as ``ja``, ``ja-jp`` or ``zh-hans``."""
    wanted = wanted or ""
    return next((each for each in (wanted, wanted.partition("-")[0]) if each in LANGUAGES), ENGLISH)


@cache
def guide_figure(game: str, name: str) -> Figure:
    """Return a drawing of a game's guide.

    Raises:
        KeyError: the game has no drawing of this name.
    """
    return guide_material(game).figures[name]()


@cache
def guide_drawing(game: str, name: str, alt: str) -> SafeString:
    """Return a drawing of a game's guide as HTML (``figure_html``), cached for ever."""
    return figure_html(guide_figure(game, name), alt)


@cache
def guide_conversation(game: str) -> tuple[Exchange, ...]:
    """Return the first exchanges of a match between the referee and the bot on the first seat."""
    return conversation(game_named(game), guide_material(game).script)
