"""The context that the page of a table hands to its scripts (``exhibitions/static/exhibitions/table.js``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from games.viewers import input_module
from matches.viewer import FLUENT, VIEWER_MODULES, viewer_at_table

TABLE_MODULES = ("table", "clock", "list", "typed")
"""The scripts of a table, besides those of the viewer and the input module of its game."""

_WORDS = {
    "your_turn": _("Your turn."),
    "waiting": _("Waiting for {names}."),
    "in_line": _("All tables are taken. Your place in line: {place}."),
    "sent": _("Your answer is on its way."),
    "not_sent": _("Your answer did not reach the site. Please send it again."),
    "too_often": _("You have sent too many answers in a short time. Please wait a few seconds and send it again."),
    "refused": _("{reason} Please answer again; you have {tries} more tries."),
    "out": _("You are out of this match: {reason}"),
    "watching": _("You are out, and watch how the match goes on."),
    "won": _("You have won."),
    "lost": _("You have lost."),
    "drawn": _("A draw."),
    "rank": _("Place {rank} of {seats}."),
    "seconds_left": _("{seconds} seconds left."),
    "leave": _("Give up"),
    "leave_sure": _("Really give up?"),
    "answers": _("Legal answers"),
    "line": _("Line {line} of the answer"),
    "send": _("Send"),
}
"""The sentences that the scripts show; the scripts fill in the {braces}."""


def table_page(
    game: str, rules: str, *, seat: int, seconds: int, events: str, answer: str, links: Sequence[str], name: str
) -> dict[str, Any]:
    """Return the viewer's context for a table, with what a seat needs besides.

    Args:
        game: name of the game.
        rules: version of its rules.
        seat: the player's.
        seconds: wall time for an answer; 0: no limit.
        events: url of the seat's events.
        answer: url that takes answers.
        links: a page for each seat; empty for one without.
        name: begins the names of pictures that are saved.
    """
    module = input_module(game, rules)
    table = {
        "seat": seat,
        "seconds": seconds,
        "events": events,
        "answer": answer,
        "input": static(module) if module else "",
        "words": {word: str(sentence) for word, sentence in _WORDS.items()},
    }
    viewer = viewer_at_table(game, rules, name=name, links=links)
    ours = [f"exhibitions/{script}.js" for script in TABLE_MODULES]
    theirs = [f"matches/viewer/{script}.js" for script in VIEWER_MODULES if script != "main"]
    modules = [*map(static, [*ours, *theirs, FLUENT]), viewer["module"], *filter(None, [table["input"]])]
    return viewer | {"table": table, "modules": modules}
