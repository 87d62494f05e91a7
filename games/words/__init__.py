"""Makes sentences of messages (``core.message``), in the reader's language.

A table has the sentences of one language in the format Fluent (https://projectfluent.org): ``<language>.ftl`` in this
folder for what referee, sandbox and workers say in all games, in ``tournaments/`` for what tournaments say, and in
``games/<game>/words/`` for a game's own: its ``title``, those of its rulesets and options, its events and its refusals
of answers. English alone is enough: what a language lacks is read in English.
The viewer reads the same tables, without those of tournaments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from fluent.runtime import FluentBundle, FluentResource

from core.message import TEXT, Message
from games.registry import folder_of, game_named, game_names

ENGLISH = "en"
FOLDER = Path(__file__).resolve().parent
TOURNAMENTS = FOLDER / "tournaments"
"""The tables of what tournaments say. The viewer of a match does not get them: it would load them in vain."""


class Words:
    """The sentences of a game, and of what all games share, in one language and in English."""

    def __init__(self, tables: Sequence[tuple[str, str]]) -> None:
        """Read tables: pairs of a language and the table's content; an earlier table goes before a later one."""
        self._bundles = []
        for language, content in tables:
            bundle = FluentBundle([language], use_isolating=False)
            bundle.add_resource(FluentResource(content))
            self._bundles.append(bundle)

    def sentence(self, message: Message | Mapping[str, Any], bots: Sequence[str] = ()) -> str:
        """Return the sentence of a message.

        Args:
            message: a message, or an event of a replay, which has a ``kind`` and ``args`` as well. The bot on its
                ``seat``, if it has one, is the value ``bot`` of the sentence.
            bots: names of the bots by seat.

        Returns:
            The sentence; for a message that no table has, its kind and values.
        """
        given = msgspec.structs.asdict(message) if isinstance(message, Message) else message
        kind, args = given["kind"], given.get("args") or {}
        if kind == TEXT:
            return str(args.get("text", ""))
        values = {name: self._value(value, bots) for name, value in args.items()}
        if given.get("seat") is not None:
            values["bot"] = _name(given["seat"], bots)
        for bundle in self._bundles:
            if bundle.has_message(kind) and (pattern := bundle.get_message(kind).value) is not None:
                return str(bundle.format_pattern(pattern, values)[0])
        return " ".join([kind, *(f"{name}={value}" for name, value in values.items())])

    def has(self, kind: str) -> bool:
        """Return whether a table has a sentence for messages of a kind."""
        return any(bundle.has_message(kind) for bundle in self._bundles)

    def _value(self, value: Any, bots: Sequence[str]) -> str | int | float:
        if isinstance(value, dict):
            return self.sentence(value, bots) if "kind" in value else _name(value.get("seat"), bots)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _name(seat: Any, bots: Sequence[str]) -> str:
    """Return the name of the bot on a seat; its number if the name is not known."""
    return bots[seat] if isinstance(seat, int) and 0 <= seat < len(bots) else str(seat)


@cache
def words_of(game: str, language: str) -> Words:
    """Return the sentences of a game, and of what all games share, in the reader's language, with English as a reserve.

    ``language`` is a code such as ``ja`` or ``pt-br``. If ``game`` is empty, or the key of a game that is not installed
    here, only the shared sentences are there.
    """
    return Words([*tables(game, language), *_tables_in([TOURNAMENTS], language)])


def title_of(game: str, language: str) -> str:
    """Return the title of a game in the reader's language: the sentence ``title`` of its tables.

    Without that sentence it is the ``title`` of the game's class; for a game that is not installed here, the key.
    """
    if game not in game_names():
        return game
    words = words_of(game, language)
    return words.sentence(Message("title")) if words.has("title") else game_named(game).title


def ruleset_title(game: str, ruleset: str, language: str) -> str:
    """Return the title of a ruleset in the reader's language: the sentence ``ruleset-<name>``, else the plain name."""
    return _titled(game, f"ruleset-{ruleset}", ruleset, language)


def option_title(game: str, option: str, language: str) -> str:
    """Return the title of an option in the reader's language: the sentence ``option-<name>``, else the plain name."""
    return _titled(game, f"option-{option}", option, language)


def _titled(game: str, kind: str, name: str, language: str) -> str:
    words = words_of(game, language)
    return words.sentence(Message(kind)) if words.has(kind) else name


def tables(game: str, language: str) -> list[tuple[str, str]]:
    """Return the tables for a game's matches: pairs of a language and the content of a table, as ``Words`` takes them.

    They are the game's own, then those of all games, first in the reader's language and last in English. A game that
    is not installed here has no tables of its own.
    """
    own = folder_of(game)
    return _tables_in([FOLDER] if own is None else [own / "words", FOLDER], language)


def _tables_in(folders: Sequence[Path], language: str) -> list[tuple[str, str]]:
    wanted = dict.fromkeys((language, language.partition("-")[0], ENGLISH))
    paths = [(name, folder / f"{name}.ftl") for name in wanted for folder in folders]
    return [(name, path.read_text(encoding="utf-8")) for name, path in paths if path.is_file()]
