"""Translates the English sentences of the rules, the sandbox and the workers into the reader's language.

Those layers know no languages: their English sentences are stored in replays and reports. This module repeats each
sentence as a translatable pattern, with its variable parts in {braces}; a sentence that matches no pattern is shown in
English. A part named in ``COUNTED`` is a number with its noun, one named in ``NESTED`` is a sentence that is translated
in turn, and of any other part only the format of a number changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_noop as _

TITLES = (_("Kakomimasu"), _("Attack 25"), _("Wondev Woman"), _("Back to the Code"), _("Puyo Puyo"))
"""Names of the games; some have another name in other languages."""

COMMENTARY: dict[str, tuple[str, ...]] = {
    "attack25": (
        _("Attack Chance: who takes this panel also makes one empty."),
        _("{panels} turn over."),
        _("{panels} turn over, the most so far."),
        _("Panel {number}, {seat}'s before, is empty again."),
        # In replays of version 1 of the rules.
        _("Panel {number}, red before, is empty again."),
        _("Panel {number}, green before, is empty again."),
        _("Panel {number}, white before, is empty again."),
        _("Panel {number}, blue before, is empty again."),
        _("Panel {number}, just taken, is empty again."),
        _("The lead changes hands."),
        _("Its last panel is lost."),
        _("Its chips are spent."),
        _("Its answer is invalid: it counts as a bid of 0 (fault {number} of {most})."),
        _("Its answer is invalid: the rules pick for it (fault {number} of {most})."),
    ),
    "back_to_the_code": (
        _("The lead, with {cells}."),
        _("The ranking can no longer change: one more turn is played."),
        _("BACK: the match returns to round {round}; {cells} set free."),
        _("BACK in the first round: spent for nothing."),
        _("A ring closes: {cells}."),
    ),
    "kakomimasu": (
        _("A ring closes: {cells}, {points}."),
        _("A ring closes: {cells}, {points}, and the lead."),
        _("Area is lost: {cells}, {points}."),
        _("The lead changes hands."),
    ),
    "puyo": (
        _("A chain of {steps}: {points}."),
        _("All clear: the next chain sends 30 more."),
        _("{number} garbage puyos fall."),
        _("No room is left: the match is over."),
        _("There is hardly any room left."),
        _("The lead changes hands."),
    ),
    "wondev_woman": (
        _("A unit is pushed away."),
        _("A hidden unit is in the way: nothing is built."),
        _("On the top: {points}."),
        _("Out of the match with {points}."),
        _("The lead changes hands."),
        _("A single legal action is left."),
        _("No legal action is left."),
    ),
}
"""Comments on turns, shown to spectators; by game."""

ANSWERS: dict[str, tuple[str, ...]] = {
    "attack25": (),
    "back_to_the_code": (
        _("The answer is {answer}, but x y or BACK k is expected."),
        _("The answer is BACK {rounds}, but 1 to {most} are allowed."),
        _("The answer is a second BACK, but each seat has only one in a match."),
        _("The answer has x = {x}, but x must lie between 0 and {most}."),
        _("The answer has y = {y}, but y must lie between 0 and {most}."),
    ),
    "kakomimasu": (
        _("{count} lines were answered, but one for each of the {agents} agents is expected."),
        _("Line {line} of the answer is {answer}, but PUT x y, MOVE x y, REMOVE x y or NONE is expected."),
    ),
    "puyo": (
        _("The answer is {answer}, but a column and a rotation, such as 2 0, are expected."),
        _("The answer is {answer}, but columns go from 0 to {most} and rotations from 0 to 3."),
        _("With {answer} a part of the pair would lie beyond the edge of the field."),
        _("The pair cannot be brought to {answer}: the columns are {heights} high."),
    ),
    "wondev_woman": (
        _("The answer is {answer}, but an action such as MOVE&BUILD 0 N SW is expected."),
        _("There is no unit {unit}: the first one is 0."),
        _("{action} is not legal. {sentence}"),
        _("This league has no PUSH&BUILD."),
        _("There is no cell to move to."),
        _("The cell to move to is more than one level higher."),
        _("The cell to move to has height 4 and is out of play."),
        _("A unit stands on the cell to move to."),
        _("There is no cell to build on."),
        _("The cell to build on has height 4 and is out of play."),
        _("A unit stands on the cell to build on."),
        _("A push goes straight on or to one side of that, to a cell at most one level higher and in play."),
        _("Nobody is there to be pushed."),
        _("A unit of the own team cannot be pushed."),
        _("A unit stands on the cell to push to."),
    ),
}
"""For each game the sentences on faults of a bot's answer."""

FAULTS = (
    _("Out of the match: no answer could help any more."),
    _("{count} lines were answered, but one is expected."),
    _("The answer has fewer lines than the {count} asked for."),
    _("The answer has more lines than the {count} asked for."),
    _("The answer is longer than {most} characters."),
    _("It was killed for a forbidden system call."),
    _("It was killed by signal {signal}."),
    _("It ended with exit code {code} before it had answered."),
    _("It ended with exit code {code}. {sentence}"),
    _("The last line of its answer does not end with a line break."),
    _("Its answer has fewer lines than were asked for."),
    _("It was killed at its memory limit of {limit} MiB."),
    # The longer sentence first: the pattern of the shorter one would match it, too.
    _("It used {used} ms of CPU time; the limit for {what} is {limit} ms, and its bank of overrun held {bank} ms."),
    _("It used {used} ms of CPU time; the limit for {what} is {limit} ms."),
    _("It did not finish {what} within {limit} ms though it used only {used} ms of CPU time: it waited for something."),
    _(
        "It did not finish {what} within {limit} ms though it used only {used} ms of CPU time: the last line of its "
        "answer does not end with a line break."
    ),
    _(
        "It did not finish {what} within {limit} ms though it used only {used} ms of CPU time: its answer has fewer "
        "lines than were asked for."
    ),
    _("It waited for something for more than {limit} ms in all its turns; compute, or answer at once."),
    _("this turn"),
    _("its start"),
    _("this step"),
    _("It closed its standard output and lived on."),
    _("It wrote to its standard output before it was asked."),
    _("It had written more than its answer when it was asked again."),
    _("Its answer is not text in UTF-8."),
    _("Its answer is not text: it holds a NUL character."),
    _("It wrote more than {limit} bytes without completing its answer."),
)
"""Faults that bots of all games may commit in a match, and reasons why a bot left without a fault."""

BUILDS = (
    _("The build: {sentence}"),
    _(
        "In turn {turn} of the check match: {sentence} The ladder plays {game} by the rules {ruleset}, not by "
        "{others}: compare what your program reads and writes with the game's page."
    ),
    _("In turn {turn} of the check match: {sentence}"),
    _("The language {name} is not known here. Known are: {known}."),
    _("{names} could each be the program. Leave one of them, or tell the language."),
    _(
        "{names} could each be the program, since each has a main function. Let only the one that plays be named "
        "{entry}."
    ),
    _("No program was found at the top of the upload, which holds {names}. Looked for, {wanted}."),
    _("No program was found at the top of the upload. Looked for, {wanted}."),  # of older versions
    _("This arena has no {language}."),
    _("The program is no valid {language}."),
    _("The program is written in {older}, and this is {language}."),
    _(
        "All sources beside {entry} make one program with it, and {names} may define the same once more. Leave backups "
        "out of the upload."
    ),
    _("The compiler's stack is full ({size} MiB unless it takes more): the program nests something too deeply."),
    _("The compiler would write a file larger than the {size} MiB that it may."),
    _("The step wrote more than it may leave."),
    _("What the step left cannot be taken: {reason}"),
    _("The build has made more than {most} files. Leave only what your program needs."),
    _("The build has made {name}, which is a link or no regular file. Leave only what your program needs."),
    _("Our platform failed {times} times; it is not your bot's fault. The last time: {sentence}"),
    _("An administrator has withdrawn this version. Why: {reason}"),
    _("An administrator has withdrawn this version."),
    _("The worker that built this version is not trusted any more; it was built again as v{number}."),
    _("What was built of this version is missing from the store; it was built again as v{number}."),
)
"""Reasons why a version cannot play."""

VOIDED = (
    _("Our platform failed {times} times, so this match does not count. The last time: {sentence}"),
    _("The worker that played it is not trusted any more: {reason}"),
)
"""Reasons why a match does not count. A reason that an administrator typed is not translated."""

COUNTED: dict[str, Callable[[int], str]] = {
    "cells": lambda count: ngettext("{count} cell", "{count} cells", count),
    "panels": lambda count: ngettext("{count} panel", "{count} panels", count),
    "points": lambda count: ngettext("{count} point", "{count} points", count),
}
"""Names of parts that are a number with its noun: the plural noun. Each function returns the translated pattern."""

NESTED = ("sentence", "what")
"""Names of parts that are sentences or phrases of this module themselves."""

_PLACE = re.compile(r"\{(\w+)\}")
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
_EXAMPLES = {"one": 1, "few": 2, "many": 5, "other": 5}
"""A number for each plural category of ``Intl.PluralRules``, by which browsers choose a plural form."""


def translated(text: str) -> str:
    """Return a sentence in the reader's language; unchanged if it matches no pattern."""
    if get_language() == "en" or not text:
        return text
    for pattern, matcher in _MATCHERS:
        if match := matcher.fullmatch(text):
            parts = {name: _part(name, part) for name, part in match.groupdict().items()}
            return _filled(gettext(pattern), parts)
    return gettext(text)


def viewer_sentences(game: str) -> dict[str, Any]:
    """Return the data with which the viewer translates the sentences of a game's replays (``viewer/sentences.js``).

    Args:
        game: key of the game.

    Returns:
        ``sentences``: pairs of a pattern and its translation; ``counted``: by noun and plural category, the translated
        pattern of a number with this noun. Both are empty for readers of English.
    """
    if get_language() == "en":
        return {"sentences": [], "counted": {}}
    patterns = (*COMMENTARY.get(game, ()), *ANSWERS.get(game, ()), *FAULTS)
    counted = {
        noun: {name: count(example) for name, example in _EXAMPLES.items()}
        for noun, count in COUNTED.items()
        if any(f"{{{noun}}}" in pattern for pattern in patterns)
    }
    return {"sentences": [[pattern, gettext(pattern)] for pattern in patterns], "counted": counted}


def _matcher(pattern: str) -> re.Pattern[str]:
    """Return the regular expression that matches the sentences of a pattern, with a group for each part."""
    literals = [re.escape(literal) for literal in _PLACE.split(pattern)[::2]]
    places = [
        rf"(?P<{name}>[\d,]+ {name}?)" if name in COUNTED else f"(?P<{name}>.+?)" for name in _PLACE.findall(pattern)
    ]
    pieces = [piece for pair in zip(literals, [*places, ""], strict=True) for piece in pair]
    return re.compile("".join(pieces), re.DOTALL)


def _part(name: str, text: str) -> str:
    """Return a variable part of a sentence in the reader's language."""
    if name in NESTED:
        return translated(text)
    if name in COUNTED:
        count = int(text.partition(" ")[0].replace(",", ""))
        return COUNTED[name](count).format(count=_number(count))
    return _number(int(text.replace(",", ""))) if _GROUPED.fullmatch(text) else text


def _number(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)


def _filled(pattern: str, parts: dict[str, str]) -> str:
    # Not `str.format`: a bot's text may contain braces, and a mistake in a translation must not break the page.
    return _PLACE.sub(lambda place: parts.get(place[1], place[0]), pattern)


def _all() -> Iterable[str]:
    """Yield all patterns; those that contain another sentence first, or the pattern of that one would match them."""
    for group in (BUILDS, VOIDED, *COMMENTARY.values(), *ANSWERS.values(), FAULTS):
        yield from group


_MATCHERS = [(pattern, _matcher(pattern)) for pattern in dict.fromkeys(_all())]
