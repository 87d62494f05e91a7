"""Tags and filters for pages that show matches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.template import Context
from django.template.defaultfilters import floatformat
from django.templatetags.static import static
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from common.times import timed
from common.words.messages import game_title
from contests.models import Contest
from core.game import Game
from core.text import ending
from games.registry import game_named, game_names
from jobs.arena_key import arena_public_key
from ladder.models import Bot, BotVersion, Rating
from ladder.selectors.bots import bot_is_own
from matches.models import Match
from matches.selectors import opponents
from matches.selectors.desk import FAULT_DAYS, desk_faults, desk_queue, desk_running
from matches.selectors.final_boards import VERIFY
from matches.selectors.finals import final_progress
from matches.selectors.matches import place_names, places
from matches.selectors.probations import probation_advices, probation_faults
from matches.selectors.rank_waits import match_pace
from matches.selectors.replays_kept import thinning_of
from matches.selectors.tables import matches_recent
from matches.verdicts import VERDICTS
from matches.viewer import FLUENT, VIEWER_MODULES

STDERR_TAIL_LINES = 40

register = template.Library()
register.simple_tag(final_progress)
register.simple_tag(match_pace)


@register.inclusion_tag("matches/_table.html")
def recent_matches(
    contest: str | None = None, versions: Sequence[BotVersion] | None = None, limit: int = 10
) -> dict[str, Any]:
    """Show the newest matches of a contest or of some versions as a table; without ``contest`` the rows name it."""
    return {
        "matches": matches_recent(contest=contest or "", versions=versions, limit=limit),
        "with_contest": contest is None,
    }


@register.inclusion_tag("matches/_final_board.html")
def final_board(contest: Contest) -> dict[str, Any]:
    """Show the signed final board of a contest that is over."""
    return {
        "contest": contest,
        "signed_at": timed(contest.board_signed_at),
        "verify": VERIFY,
        "key": arena_public_key(),
    }


@register.inclusion_tag("matches/_final_notice.html")
def final_notice(contest: Contest) -> dict[str, Any]:
    """Show how far the finals of a frozen contest are."""
    return {"contest": contest, "progress": final_progress(contest=contest)}


@register.simple_tag
def desk_matches(contest: Contest) -> dict[str, Any]:
    """Return what the desk of a contest shows of its matches: its queue and its faults (4 queries)."""
    return {
        "queue": desk_queue(contest=contest.slug),
        "running": desk_running(contest=contest.slug),
        "faults": desk_faults(contest=contest.slug),
        "fault_days": FAULT_DAYS,
    }


@register.simple_tag
def replays_rule(contest: Contest) -> str:
    """Say which replays stay once a contest is archived, and how many will be deleted, if they have been counted."""
    kept = contest.replays_kept or 0
    if contest.replays_thinned_at:
        return _("The newest %(kept)d of each pair of bots are kept, and two records.") % {"kept": kept}
    rule = _("Once it is archived, the newest %(kept)d of each pair of bots stay, and two records.") % {"kept": kept}
    found = thinning_of(contest=contest) if contest.is_over else None
    if found is None or not found.replays:
        return rule
    words = _("%(replays)d are deleted, about %(mebibytes).1f MiB.")
    return f"{rule} {words % {'replays': found.replays, 'mebibytes': found.mebibytes}}"


@register.inclusion_tag("matches/_opponents.html", takes_context=True)
def opponents_met_most(context: Context, bot: Bot, rating: Rating | None, limit: int = 8) -> dict[str, Any]:
    """Show a bot's tallies against the opponents that it has met most often."""
    rows = opponents.opponents_met_most(bot=bot, rating=rating.rating if rating else None, limit=limit)
    return {"bot": bot, "rows": rows, "user": context["user"]}


@register.inclusion_tag("matches/_probation.html", takes_context=True)
def probation(context: Context, version: BotVersion) -> dict[str, Any]:
    """Show the faults of a version on probation, and to its owner the button that ends the probation."""
    faults = probation_faults(version=version)
    return {
        "version": version,
        "faults": faults,
        "advices": probation_advices(version=version, faults=faults),
        "is_owner": bot_is_own(bot=version.bot, reader=context["user"]),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("matches/_viewer_preloads.html")
def viewer_preloads(viewer: dict[str, Any]) -> dict[str, Any]:
    """Make the browser fetch all modules of the viewer at once, not one after the other as they import each other."""
    modules = [static(f"matches/viewer/{name}.js") for name in VIEWER_MODULES]
    return {"modules": [*modules, static(FLUENT), viewer["module"]], "replay_json": viewer["replay_json"]}


@register.simple_tag
def viewer_json(viewer: dict[str, Any]) -> SafeString:
    """Put the viewer's context into the page. No letter is escaped: that would take six bytes of each."""
    return json_script(viewer, "viewer-page", encoder=_PlainEncoder)


class _PlainEncoder(DjangoJSONEncoder):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"ensure_ascii": False})


@register.filter
def match_title(match: Match) -> str:
    """Return the title of a match for tabs and link previews: bots, game, number."""
    bots = reduce(lambda met, bot: _("{bots} against {bot}").format(bots=met, bot=bot), place_names(match=match))
    return f"{bots} · {game_title(match.game)} · {_('Match %(pk)s') % {'pk': match.pk}}"


@register.filter
def match_heading(match: Match) -> SafeString:
    """Return the bots of a match as HTML, each name in a ``bdi`` so that its direction does not affect the words."""
    names = [format_html("<bdi>{}</bdi>", name) for name in place_names(match=match)]
    return reduce(lambda met, bot: format_html(_("{bots} against {bot}"), bots=met, bot=bot), names)


@register.filter
def match_outcome(match: Match) -> str:
    """Return ranks, bots and scores of a match, the best bot first; its state if it has no result."""
    named = zip(places(match=match), place_names(match=match), strict=True)
    bots = [
        f"{seat.rank}. {name} {floatformat(seat.score)}"
        for seat, name in sorted(named, key=lambda pair: (pair[0].rank or 0, pair[0].index))
        if seat.rank is not None and seat.score is not None
    ]
    return ", ".join(bots) or str(match.get_state_display())


@register.filter
def points_moved(change: float) -> str:
    """Return a change of rating in whole points, with its sign."""
    return f"{round(change):+d}".replace("-", "−")


@register.filter
def seat_letter(index: int, game: str) -> str:
    """Return the letter of a seat on the board of a game."""
    letters = game_named(game).seat_letters if game in game_names() else Game.seat_letters
    return letters[index]


@register.filter
def tail(text: str) -> str:
    """Return the last ``STDERR_TAIL_LINES`` lines of a text: the end of standard error tells why a bot died."""
    return ending(text, len("".join(text.splitlines(keepends=True)[:-STDERR_TAIL_LINES])))


@register.filter
def outgrows_tail(text: str) -> bool:
    """Tell whether ``tail`` leaves lines out: a Java stack trace names the error in its first line."""
    return len(text.splitlines()) > STDERR_TAIL_LINES


@register.filter
def verdict_title(verdict: str) -> str:
    """Return the translated title of a verdict."""
    return str(VERDICTS.get(verdict, verdict))
