"""The context that a page hands to the replay viewer's scripts: urls of the data, links of the seats, words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.game import Game
from games.registry import game_named, game_names, rules_versions
from games.viewers import viewer_module, viewer_style, viewer_tables
from games.words import ENGLISH
from ladder.models import BotVersion
from matches.models import Match, Seat
from matches.selectors.matches import places

VIEWER_MODULES = (
    *("main", "live", "messages", "replay", "words", "shell", "answers", "canvas", "commentary", "controls"),
    *("fullscreen", "graph", "links", "ownlog", "player", "scoreboard", "textboard", "seats", "cells"),
)
"""The scripts that every replay needs, besides the viewer module of its game and the library below."""
FLUENT = "matches/vendor/fluent-bundle-0.19.1/fluent-bundle.min.js"

_WORDS = {
    "turn": _("Turn {turn} of {turns}"),
    "turn_short": _("Turn {turn}."),
    "play": _("Play"),
    "pause": _("Pause"),
    "copied": _("Link copied."),
    "not_copied": _("Please copy the address from the address bar."),
    "old_rules": _(
        "Played by version {then} of the rules; here they are at version {now}. The replay shows what happened"
        " then, but the match cannot be played or judged again."
    ),
    "gif_begun": _("The animation is being made…"),
    "gif_made": _("The animation is made."),
    "no_events": _("Nothing special happened in this match."),
    "version": _("version {version}"),
    "rank": _("Place {rank}"),
    "cpu_now": _("{ms} ms CPU"),
    "cpu_limited": _("{ms} of {limit} ms CPU"),
    "limit": _("limit: {ms} ms"),
    "not_asked": _("not asked"),
    "no_answer": _("No answer in this turn."),
    "fault": _("Out since turn {turn}. {sentence}"),
    "stderr": _("Standard error"),
    "asked": _("Asked"),
    "answered": _("Answered"),
    "log_none": _("Nothing of your bots is kept of this turn."),
    "drawings": _("Drawings"),
    "drawings_cut": _("More was written in this turn than is kept: some drawings may be missing."),
    "not_drawn": _("Not drawn: {line}"),
    "log_failed": _("The log could not be loaded. Please show another turn to try again."),
    "live_ended": _("The match has ended."),
    "live_result": _("Show its result"),
    "connection": _("The replay could not be loaded because the connection failed. Please load the page again."),
    "refused": _("The replay could not be loaded: {reason}"),
    "unknown_format": _("This site cannot show replays of format {format}. Please download the file."),
    "damaged": _("The replay is damaged and cannot be shown. Please tell the administrators."),
}
"""The sentences that the scripts show; the scripts fill in the {braces}."""


def viewer_of_match(match: Match, *, has_log: bool = False) -> dict[str, Any] | None:
    """Return the viewer's context for a match with its result and seats, to be put into the page as JSON (no query).

    ``has_log`` if the match has a turn log that the reader may see. None for a match that has no result and is not
    being played, for a table of a game that hides something while it is played, and for a match whose replay its
    contest does not keep: there is nothing to show.
    """
    links = [
        reverse("ladder:bot", args=[seat.version.bot_id]) if isinstance(seat, Seat) else ""
        for seat in places(match=match)
    ]
    name = f"match-{match.pk}"
    if hasattr(match, "result"):
        if not match.result.replay_digest:
            return None
        replay_json = reverse("matches:replay_json", args=[match.pk])
        file = reverse("matches:replay", args=[match.pk])
        viewer = _viewer(match.game, match.rules_version, name=name, replay_json=replay_json, file=file, links=links)
        viewer["log_json"] = reverse("matches:match_log_json", args=[match.pk]) if has_log else ""
        viewer["embed"] = "" if match.audience == "private" else reverse("matches:embed", args=[match.pk])
        return viewer
    if match.state == Match.State.RUNNING and not _is_in_fog(match):
        live = reverse("matches:live", args=[match.pk])
        return _viewer(match.game, match.rules_version, name=name, live=live, links=links)
    return None


def _is_in_fog(match: Match) -> bool:
    """Return whether nobody but its players may watch a match live, since its game hides something from them."""
    if match.kind != Match.Kind.EXHIBITION:
        return False
    rules = _rules_here(match.game, match.rules_version)
    return bool(rules) and game_named(match.game, rules).hides


def viewer_of_check(version: BotVersion) -> dict[str, Any]:
    """Return the viewer's context for a version's check match, to be put into the page as JSON (no query)."""
    replay_json = reverse("matches:check_replay_json", args=[version.pk])
    file = reverse("matches:check_replay_file", args=[version.pk])
    name = f"check-{version.pk}"
    viewer = _viewer(version.bot.game, name=name, replay_json=replay_json, file=file)
    viewer["log_json"] = reverse("matches:check_log_json", args=[version.pk]) if version.check_log_digest else ""
    return viewer


def viewer_at_table(game: str, rules: str, *, name: str, links: Sequence[str]) -> dict[str, Any]:
    """Return the viewer's context for a table, whose page adds what a seat needs.

    ``rules`` is a version of the game's rules. The names of saved pictures begin with ``name``. ``links`` has a url for
    each seat, empty for a seat without a page.
    """
    tables = viewer_tables(game, rules, get_language() or ENGLISH, plays=True)
    return _viewer(game, rules, name=name, links=links) | {"tables": tables}


def viewer_of_tries(game: str, rules: str) -> dict[str, Any]:
    """Return the viewer's context for the workshop, whose scripts fill in the urls of one try after the other.

    ``rules`` is a version of the game's rules.
    """
    return _viewer(game, rules, name="try")


def viewer_at_home() -> dict[str, Any]:
    """Return the viewer's template context, in which ``banzuke watch`` replaces the values in capitals."""
    viewer = _viewer("GAME", replay_json="/replay.json", file="/match.replay")
    filled_in = {key: key.upper() for key in ("module", "style", "rules", "letters", "tables", "log_json")}
    return viewer | filled_in


def _rules_here(game: str, rules: str) -> str:
    """Return a version of a game's rules if it is installed, else the newest one; empty without the game."""
    known = rules_versions(game) if game in game_names() else ("",)
    return rules if rules in known else known[0]


def _viewer(
    game: str,
    rules: str = "",
    *,
    name: str = "match",
    replay_json: str = "",
    file: str = "",
    live: str = "",
    links: Sequence[str] = (),
) -> dict[str, Any]:
    rules_here = _rules_here(game, rules)
    style = viewer_style(game, rules)
    return {
        "game": game,
        "name": name,
        "replay_json": replay_json,
        "replay_file": file,
        "live": live,
        "module": static(viewer_module(game, rules)),
        "style": static(style) if style else "",
        "rules": rules_here,
        "letters": game_named(game, rules_here).seat_letters if rules_here else Game.seat_letters,
        "autoplay": True,
        "links": links,
        "words": {name: str(words) for name, words in _WORDS.items()},
        "tables": viewer_tables(game, rules, get_language() or ENGLISH),
    }
