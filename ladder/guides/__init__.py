"""The pages of the games: rules, protocol and limits, in the reader's language.

Words stand in ``games/<game>/guide/<language>.html``. What is the same in all languages, and must be true, is made by
the core: drawings, the conversation with the referee and numbers (``games/<game>/guide/__init__.py``). The whole bot in
``games/<game>/guide/bot.txt`` is played by the tests.
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
"""That the pages are written in; whoever reads none of them gets the first."""


@cache
def guide_material(game: str) -> Material:
    """Return drawings, conversation and numbers of a game's page."""
    material: Material = game_part(game, "guide").MATERIAL
    return material


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
    return guide_material(game).figures[name]()


@cache
def guide_drawing(game: str, name: str, alt: str) -> SafeString:
    """Return a drawing as HTML, see ``figure_html``: made once, since it is the same in every request."""
    return figure_html(guide_figure(game, name), alt)


@cache
def guide_conversation(game: str) -> tuple[Exchange, ...]:
    """Return how a match of a game begins, as its first seat hears it."""
    return conversation(game_named(game), guide_material(game).script)
