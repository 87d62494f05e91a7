"""The context that a page hands to the replay viewer's scripts: urls of the data, links of the seats, sentences."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from common.words.sentences import viewer_sentences
from games.registry import game_named, game_names
from ladder.models import BotVersion
from matches.models import Match

VIEWER_MODULES = (
    *("main", "live", "replay", "sentences", "words", "shell", "answers", "canvas", "commentary", "controls"),
    *("graph", "links", "ownlog", "player", "scoreboard", "textboard", "seats", "cells"),
)
"""The scripts that every replay needs, besides the viewer module of its game."""

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
    "walls": _("Walls"),
    "areas": _("Areas"),
    "wall": _("wall of"),
    "area": _("area of"),
    "agent": _("agent"),
    "neutral": _("neutral"),
    "back_left": _("BACK left"),
    "chips": _("Chips"),
    "bid": _("Bid"),
    "panel": _("panel of"),
    "choice": _("may be taken by"),
    "height": _("height"),
    "closed": _("closed"),
    "no_cell": _("no cell"),
    "unit": _("unit"),
    "hidden": _("hidden"),
    "legal_actions": _("Legal actions"),
    "garbage_waits": _("Garbage to come"),
    "chain": _("Chain"),
    "empty": _("empty"),
    "garbage": _("garbage"),
    "red": _("red"),
    "yellow": _("yellow"),
    "green": _("green"),
    "blue": _("blue"),
    "purple": _("purple"),
    "stderr": _("Standard error"),
    "asked": _("Asked"),
    "answered": _("Answered"),
    "log_none": _("Nothing of your bots is kept of this turn."),
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
    """Return the viewer's context for a match, to be put into the page as JSON (no query).

    Args:
        match: comes with its result and seats.
        has_log: whether the match has a turn log that the reader may see.

    Returns:
        None for a match that has no result and is not being played: there is nothing to show.
    """
    links = [reverse("ladder:bot", args=[seat.version.bot_id]) for seat in match.seats.all()]
    name = f"match-{match.pk}"
    if hasattr(match, "result"):
        replay_json = reverse("matches:replay_json", args=[match.pk])
        file = reverse("matches:replay", args=[match.pk])
        viewer = _viewer(game=match.game, name=name, replay_json=replay_json, file=file, links=links)
        viewer["log_json"] = reverse("matches:match_log_json", args=[match.pk]) if has_log else ""
        viewer["embed"] = "" if match.kind == Match.Kind.TRIAL else reverse("matches:embed", args=[match.pk])
        return viewer
    if match.state == Match.State.RUNNING:
        return _viewer(game=match.game, name=name, live=reverse("matches:live", args=[match.pk]), links=links)
    return None


def viewer_of_check(version: BotVersion) -> dict[str, Any]:
    """Return the viewer's context for a version's check match, to be put into the page as JSON (no query)."""
    replay_json = reverse("matches:check_replay_json", args=[version.pk])
    file = reverse("matches:check_replay_file", args=[version.pk])
    name = f"check-{version.pk}"
    viewer = _viewer(game=version.bot.game, name=name, replay_json=replay_json, file=file, links=[])
    viewer["log_json"] = reverse("matches:check_log_json", args=[version.pk]) if version.check_log_digest else ""
    return viewer


def viewer_at_home() -> dict[str, Any]:
    """Return the viewer's context for ``banzuke watch``, which fills in ``GAME`` and ``RULES``."""
    viewer = _viewer(game="GAME", replay_json="/replay.json", file="/match.replay", links=[])
    return viewer | {"rules": "RULES"}


def _viewer(
    *, game: str, links: list[str], name: str = "match", replay_json: str = "", file: str = "", live: str = ""
) -> dict[str, Any]:
    return {
        "game": game,
        "name": name,
        "replay_json": replay_json,
        "replay_file": file,
        "live": live,
        "module": static(f"games/{game}/viewer.js"),
        "rules": game_named(game).rules_version if game in game_names() else "",
        "autoplay": True,
        "links": links,
        "words": {name: str(words) for name, words in _WORDS.items()},
        **viewer_sentences(game),
    }
