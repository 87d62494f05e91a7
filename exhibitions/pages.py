"""The context that the page of a table hands to its scripts (``exhibitions/static/exhibitions/table.js``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from exhibitions.selectors.tables import seats_of
from games.viewers import input_module
from matches.models import Match, RemoteSeat
from matches.viewer import FLUENT, VIEWER_MODULES, viewer_at_table, viewer_of_match

TABLE_MODULES = ("table", "clock", "list", "typed")
"""The scripts of a table, besides those of the viewer and the input module of its game."""

_WORDS = {
    "begins": _("The table is being set."),
    "your_turn": _("Your turn."),
    "waiting": _("Waiting for {names}."),
    "in_line": _("All tables are taken. Your place in line: {place}."),
    "sent": _("Your answer is on its way."),
    "not_sent": _("Your answer did not reach the site. Please send it again."),
    "too_often": _("You have sent too many answers in a short time. Please wait a few seconds and send it again."),
    "refused": _("{reason} Please answer again. Tries left: {tries}."),
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
_NO_RESULT = _("This table has ended without a result.")


def viewer_of_table(seat: RemoteSeat) -> dict[str, Any]:
    """Return the viewer's context for the player of ``seat`` at a table that waits or is played (2 queries).

    The seat has its match loaded.
    """
    match = seat.match
    return table_page(
        match.game,
        match.rules_version,
        seat=seat.index,
        seconds=seat.clock_seconds,
        events=reverse("exhibitions:table_events", args=[match.pk]),
        answer=reverse("exhibitions:table_answer", args=[match.pk]),
        links=_links(seat),
        name=f"match-{match.pk}",
    )


def viewer_after_table(seat: RemoteSeat) -> dict[str, Any] | None:
    """Return the viewer's context for a table that is over, with its replay (a few queries); None if there is none."""
    viewer = viewer_of_match(seat.match)
    return viewer and viewer | {"links": _links(seat), "autoplay": False}


def after_table(seat: RemoteSeat) -> dict[str, Any]:
    """Return the context of ``exhibitions/_after.html``, which leads on from a table that is over (2 queries)."""
    match = seat.match
    sitting = seats_of(match=match)
    bot = next((each.bot for each in sitting if each.bot), None)
    again = reverse("exhibitions:play_contest", args=[match.contest])
    is_void = match.state == Match.State.VOID
    return {
        "replay": "" if is_void else reverse("matches:match", args=[match.pk]),
        "again": f"{again}?bot={bot}" if bot else again,
        "guide": reverse("ladder:guide", args=[match.contest]),
        "take_over": "" if is_void else reverse("exhibitions:table_take_over", args=[match.pk]),
        "seats": [{"index": each.seat, "name": each.name, "is_own": each.seat == seat.index} for each in sitting],
        "turns": match.result.turns if hasattr(match, "result") else 1,
    }


def result_of(seat: RemoteSeat) -> str:
    """Return in a sentence how a table that is over has ended for the player of ``seat`` (1 query)."""
    if seat.rank is None:
        return str(_NO_RESULT)
    if seat.rank > 1:
        return str(_WORDS["lost"])
    match = seat.match
    firsts = match.seats.filter(rank=1).count() + match.remote_seats.filter(rank=1).count()
    return str(_WORDS["drawn" if firsts > 1 else "won"])


def _links(seat: RemoteSeat) -> list[str]:
    """Return the url of each seat's bot, in the order of the seats; empty for players."""
    return [reverse("ladder:bot", args=[each.bot]) if each.bot else "" for each in seats_of(match=seat.match)]


def table_page(
    game: str, rules: str, *, seat: int, seconds: int, events: str, answer: str, links: Sequence[str], name: str
) -> dict[str, Any]:
    """Return the viewer's context for a table, with what the player of a seat needs besides.

    Args:
        game: name of the game.
        rules: version of its rules.
        seat: index of the player's seat.
        seconds: wall time for an answer; 0: half an hour.
        events: url of the seat's events.
        answer: url that takes answers.
        links: the url of a page for each seat; empty for a seat that has none.
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
