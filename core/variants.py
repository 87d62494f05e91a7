"""Variants of a game: a ruleset, options over it, and a table size; what a contest's form and command lines need.

Titles of rulesets and options are in the game's words, see ``games.words.ruleset_title``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import msgspec
from msgspec import inspect
from msgspec.structs import fields

from core.game import BadOptions, Game, JsonObject, read_options

_SEEDS = (0, 1, 2)
"""Seeds of the boards that are set up to check options: what a game refuses may depend on the board."""

Kind = Literal["whole", "number", "switch", "choice", "text", "data"]


class Option(msgspec.Struct, frozen=True):
    """An option of a game that a contest may set, as a form shows it."""

    name: str
    kind: Kind
    """``whole`` and ``number`` have limits, ``choice`` has choices, ``data`` is any JSON; a ``text`` may suggest some
    texts as its choices."""
    default: Any
    """The value in a contest that does not set the option; None: the game decides."""
    choices: tuple[Any, ...] = ()
    least: float | None = None
    most: float | None = None


def table_sizes(game: Game[Any], ruleset: str) -> tuple[int, ...]:
    """Return the numbers of players that can play a ruleset of a game, the usual one first."""
    return game.ruleset_players.get(ruleset, game.players)


def fixed_options(game: Game[Any]) -> frozenset[str]:
    """Return the names of options that tell the rulesets of a game apart: they are chosen with the ruleset alone."""
    return frozenset(name for options in game.rulesets.values() for name in options)


def options_of(game: Game[Any]) -> tuple[Option, ...]:
    """Return the options that may be set over any ruleset of a game; none if the game does not describe them."""
    if game.options_type is None:
        return ()
    described = cast(inspect.StructType, inspect.type_info(game.options_type)).fields
    free = [field for field in described if field.name not in fixed_options(game)]
    defaults = game.options_type()
    return tuple(_option(field, defaults) for field in free)


def options_check(game: Game[Any], ruleset: str, options: Mapping[str, Any] | None, players: int) -> JsonObject:
    """Return all options of matches of a variant, those of the ruleset included, to be given to ``Game.reset``.

    Numbers and booleans that are given as text become such, and options at their defaults are left out, so that equal
    variants have equal options.

    Args:
        game: the rules.
        ruleset: the name of one of the game's rulesets.
        options: options over the ruleset, None like {}.
        players: the table size.

    Raises:
        BadOptions: the game cannot play the variant. The text is a whole sentence for the user.
    """
    if ruleset not in game.rulesets:
        raise BadOptions(f"{game.title} has no ruleset {ruleset!r}; choose one of: {', '.join(game.rulesets)}.")
    sizes = table_sizes(game, ruleset)
    if players not in sizes:
        raise BadOptions(
            f"{game.title} with the ruleset {ruleset} is played by {sizes_text(sizes)} players, not by {players}."
        )
    if fixed := [name for name in options or {} if name in fixed_options(game)]:
        raise BadOptions(f"The option {fixed[0]} is part of the rulesets: choose a ruleset, and leave the option out.")
    merged = {**game.rulesets[ruleset], **options_read(game, options)}
    try:
        game.reset(_SEEDS, players, merged)
    except BadOptions:
        raise
    except Exception as error:  # a package's game may refuse options by any error: no match could begin
        raise BadOptions(f"No match can begin with these options: {type(error).__name__}: {error}.") from error
    return merged


def options_read(game: Game[Any], options: Mapping[str, Any] | None) -> JsonObject:
    """Return the options that differ from their defaults, as values that can be written as JSON.

    Raises:
        BadOptions: an option is unknown or has a wrong value.
    """
    if game.options_type is None:
        return dict(options or {})
    chosen = read_options(options, game.options_type)
    defaults = game.options_type()
    names = [field.name for field in fields(game.options_type)]
    differing = [name for name in names if getattr(chosen, name) != getattr(defaults, name)]
    return {name: msgspec.to_builtins(getattr(chosen, name)) for name in differing}


def ruleset_of(game: Game[Any], options: Mapping[str, Any]) -> str:
    """Return the name of the ruleset of a match, given all its options (see ``options_check``).

    Of the rulesets whose options all are among these it is the one that has most; if there is none, the first ruleset.
    """
    fitting = [name for name, chosen in game.rulesets.items() if chosen.items() <= options.items()]
    return max(fitting, key=lambda name: len(game.rulesets[name]), default=next(iter(game.rulesets)))


def sizes_text(sizes: Sequence[int]) -> str:
    """Return table sizes for a sentence: ``2``, ``2 or 3``, ``2, 3 or 4``."""
    *others, last = map(str, sorted(sizes))
    return f"{', '.join(others)} or {last}" if others else last


def _option(field: inspect.Field, defaults: msgspec.Struct) -> Option:
    """Return what a form shows of an option. Of a union, the first type counts; None stands for the default."""
    alternatives = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
    first = next(kind for kind in alternatives if not isinstance(kind, inspect.NoneType))
    default = getattr(defaults, field.name)
    more: Mapping[str, Any] = {}
    if isinstance(first, inspect.Metadata):
        more, first = first.extra_json_schema or {}, first.type
    match first:
        case inspect.LiteralType(values=values):
            return Option(field.name, "choice", default, tuple(values))
        case inspect.BoolType():
            return Option(field.name, "switch", default)
        case inspect.IntType(ge=least, le=most):
            return Option(field.name, "whole", default, (), more.get("minimum", least), more.get("maximum", most))
        case inspect.FloatType(ge=least, le=most):
            return Option(field.name, "number", default, (), least, most)
        case inspect.StrType():
            return Option(field.name, "text", default, tuple(more.get("examples", ())))
    return Option(field.name, "data", default)
