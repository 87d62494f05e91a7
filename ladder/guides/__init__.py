"""The guides to the games: pages with the rules, the protocol and the limits of a game, in several languages.

The text of a guide lies in ``guide/<language>.html`` in the folder of a game. Drawings, numbers and the example
conversation with the referee are computed by the game's own rules (``guide/__init__.py``), so that they are right in
all languages. Tests play the example bot in ``guide/bot.txt``. A game may lack each of these: without any page of its
own, the numbers of players, rulesets, limits and starter kits are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from django.utils.safestring import SafeString

from core.playout import play_turn
from games.guide.conversation import Exchange, conversation
from games.guide.drawing import Figure
from games.guide.material import Material
from games.registry import folder_of, game_named, game_part
from ladder.guides.svg import figure_html

ENGLISH = "en"
LANGUAGES = (ENGLISH, "ja", "ru")
"""Languages in which this site explains what holds for all games; readers of other languages get English."""


@cache
def guide_material(game: str) -> Material:
    """Return the drawings, the conversation and the numbers of a game's guide; a game may have none of them."""
    if not (_folder(game) / "__init__.py").is_file():
        return Material()
    material: Material = game_part(game, "guide").MATERIAL
    return material


@cache
def guide_facts(game: str) -> Mapping[str, object]:
    """Return the numbers of a game's guide by name.

    ``first_cpu_ms`` and ``cpu_ms`` are the limits of CPU time for a bot's first answer and for later ones, in ms.
    """
    rules, rng = game_named(game), np.random.default_rng(0)
    state = rules.reset([0], rules.players[0], next(iter(rules.rulesets.values())))
    limits: list[int] = []
    """The time limits of the first seat's first two answers, in ms."""
    while len(limits) < 2 and not rules.over(state)[0]:
        seats = np.flatnonzero(rules.to_move(state)[0]).tolist()
        limits += [rules.cpu_ms(state, 0, seat) for seat in seats if seat == 0]
        state = play_turn(rules, state, {seat: rules.random_answer(state, 0, seat, rng) for seat in seats})
    return {"first_cpu_ms": limits[0], "cpu_ms": limits[-1], **guide_material(game).facts}


def guide_bot(game: str) -> str:
    """Return the source of the example bot of a game's guide, in Python; empty if it has none."""
    path = _folder(game) / "bot.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def guide_language(game: str, wanted: str | None) -> str:
    """Return the language of a game's guide for a reader's language, such as ``ja``, ``ja-jp`` or ``zh-hans``.

    It is English if the guide does not have the reader's language. A game without any page of its own has a guide in
    the languages of the site.
    """
    wanted = wanted or ""
    known = [each for each in LANGUAGES if (_folder(game) / f"{each}.html").is_file()] or LANGUAGES
    return next((each for each in (wanted, wanted.partition("-")[0]) if each in known), ENGLISH)


@cache
def guide_figure(game: str, name: str) -> Figure:
    """Return a drawing of a game's guide.

    Raises:
        KeyError: the game has no drawing of this name.
    """
    return guide_material(game).figures[name]()


@cache
def guide_drawing(game: str, name: str, alt: str) -> SafeString:
    """Return a drawing of a game's guide as HTML (``figure_html``), cached for ever; ``alt`` is its alternative text.

    Raises KeyError as ``guide_figure``.
    """
    return figure_html(guide_figure(game, name), alt)


@cache
def guide_conversation(game: str) -> tuple[Exchange, ...]:
    """Return the first exchanges of a match between the referee and the bot on the first seat; () without a script."""
    script = guide_material(game).script
    return conversation(game_named(game), script) if script else ()


def _folder(game: str) -> Path:
    """Return the folder of a game's guide, which need not exist.

    Raises:
        KeyError: the game is not installed.
    """
    folder = folder_of(game)
    if folder is None:
        raise KeyError(game)
    return folder / "guide"
