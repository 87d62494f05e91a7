"""Checks the fields of a contest, and says by the field what to change."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from common.changes import columns_faults, settings_of
from contests.models import Contest
from contests.selectors.contests import LIMIT_NAMES, limits_installed
from core.game import BadOptions, Game
from core.numbers import whole_numbers
from core.variants import options_check, table_sizes
from games.registry import game_named, game_names
from jobs.selectors.languages import languages_all
from wire.jobs import BotLimits

SLUGS_RESERVED = frozenset(
    ("all", "api", "archive", "calendar", "create", "desk", "draft", "join", "list", "me", "mine", "new", "old", "team")
)
"""Keys that no contest may have, since other pages at the same place in urls have these names or may get them."""
SHARE_MAX = 1_000
BOTS_MAX = 1_000
LIMITS_MAX = {
    "memory_mib": 1_024,
    "pids_max": 64,
    "open_files_max": 256,
    "file_mib": 64,
    "tmp_mib": 128,
    "start_cpu_ms": 10_000,
    "time_percent": 200,
}
"""The highest limits that organisers who are no administrators may give; ``CONTEST_LIMITS_MAX`` may replace them."""
TABLES_EACH_MAX = 10
"""The most that ``tables_each`` may be. The attack: somebody makes contests to give himself all tables of the arena."""
REPLAYS_MAX = 1_000_000
RULES = ("ruleset", "options", "tables")
"""The fields that no change may touch once a match was made: its matches would not be of one kind any more."""
FINAL_GAMES_MAX = 1_000
BOUNDS = {
    "bots_max": (1, BOTS_MAX),
    "tables_each": (1, TABLES_EACH_MAX),
    "replays_kept": (1, REPLAYS_MAX),
    "final_games": (0, FINAL_GAMES_MAX),
}
"""The least and the most of each setting that is a whole number. All but ``final_games`` may be left empty."""
FIELDS = settings_of(Contest, without=("slug", "game", "state", "reason"))
"""The columns that an organiser sets."""
DATES = ("opens_at", "entries_until", "frozen_at", "final_by")
_DOMAIN = re.compile(r"(?=.{4,100}\Z)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")


def contest_faults(*, contest: Contest, before: Contest | None) -> dict[str, str]:
    """Return a sentence for each field of a contest that cannot be saved as it is; empty if all can.

    Rules, limits and languages are put into their stored form. ``before`` is the contest as it is stored; None: it is
    new. Only fields that differ from it can be at fault: what was right when it was set may be wrong now, such as a
    language that no worker has any more.
    """
    changed = [name for name in FIELDS if before is None or getattr(contest, name) != getattr(before, name)]
    faults = _columns_faults(contest, before, changed)
    if before is None:
        faults = {**_slug_fault(contest.slug), **faults}
    if "title" in changed and not contest.title.strip() and not contest.is_open_contest:
        faults.setdefault("title", _("Please give the contest a title."))
    if "mail_domain" in changed:
        faults |= _domain_fault(contest)
    if contest.game not in settings.GAMES:
        return {**faults, "game": _("This arena does not offer this game. Please choose one of the list.")}
    if set(RULES) & set(changed):
        faults |= _rules_locked(contest, changed) if before else {}
        faults |= {} if set(RULES) & set(faults) else _rules_faults(contest)
    if "limits" in changed:
        faults |= _limits_fault(contest)
    if "languages" in changed:
        faults |= _languages_fault(contest, before)
    if contest.is_open_contest and contest.visibility != Contest.Visibility.PUBLIC:
        faults["visibility"] = _("The open contest of a game is always public.")
    if {"has_leagues", "has_house_bots"} & set(changed) and contest.has_leagues and not contest.has_house_bots:
        faults["has_leagues"] = _("House bots divide the leagues: let them take part, or do without leagues.")
    return {**faults, **_dates_faults(contest, before, [name for name in DATES if name in changed])}


def _columns_faults(contest: Contest, before: Contest | None, changed: Iterable[str]) -> dict[str, str]:
    """Return a sentence for each changed column whose value its model field refuses, or which is out of ``BOUNDS``."""
    faults = {}
    for name in BOUNDS.keys() & set(changed):
        (least, most), value = BOUNDS[name], getattr(contest, name)
        if (value is not None or least == 0) and not (_is_whole(value) and least <= value <= most):
            optional = _("Please give a whole number from 1 to %(max)d, or leave it empty.")
            faults[name] = (optional if least else _("Please give a whole number from 0 to %(max)d.")) % {"max": most}
    names = {*changed, *(() if before else ("game",))} - {*faults, *RULES, "limits", "languages"}
    return faults | columns_faults(row=contest, names=names)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _slug_fault(slug: str) -> dict[str, str]:
    """Return why a new contest cannot have this key. ``contest_create`` finds out whether it is taken."""
    try:
        Contest._meta.get_field("slug").run_validators(slug)
    except ValidationError as error:
        return {"slug": " ".join(error.messages)}
    if not slug:
        return {"slug": _("Please give the contest a short name for its urls.")}
    # The attack: a contest with the key of a game that will be installed later would take its open contest's place.
    if slug in SLUGS_RESERVED or slug in (*game_names(), *settings.GAMES):
        return {"slug": _("The arena uses this name itself. Please choose another one.")}
    return {}


def _domain_fault(contest: Contest) -> dict[str, str]:
    contest.mail_domain = contest.mail_domain.strip().removeprefix("@").lower()
    if contest.mail_domain and not _DOMAIN.fullmatch(contest.mail_domain):
        return {"mail_domain": _("Please write a domain such as example.org, in the letters a-z.")}
    return {}


# --- Rules ----------------------------------------------------------------------------------------------------------


def _rules_locked(contest: Contest, changed: Iterable[str]) -> dict[str, str]:
    if contest.is_open_contest:
        why = _("The open contest of a game is played by the game's first ruleset. Make a contest for another one.")
    elif contest.has_matches:
        why = _("Matches have been played by these rules, so they stay. Make a new contest for other rules.")
    else:
        return {}
    return {name: why for name in RULES if name in changed}


def _rules_faults(contest: Contest) -> dict[str, str]:
    """Return the faults of ruleset, options and tables, which are put into their stored form if there are none."""
    game = game_named(contest.game)
    if contest.ruleset and contest.ruleset not in game.rulesets:
        known = ", ".join(game.rulesets)
        return {
            "ruleset": _("The game does not know this ruleset. Please choose one of: %(known)s.") % {"known": known}
        }
    ruleset = contest.ruleset or next(iter(game.rulesets))
    sizes = table_sizes(game, ruleset)
    try:
        tables = tables_read(tables=contest.tables, sizes=sizes)
    except ValueError as error:
        return {"tables": str(error)}
    faults = _options_fault(contest, game, ruleset, [*map(int, tables)] or [sizes[0]])
    if not faults:
        contest.tables = tables
    return faults


def tables_read(*, tables: object, sizes: tuple[int, ...]) -> dict[str, float]:
    """Return the shares of table sizes in their stored form, those without a share left out.

    Raises:
        ValueError: a size cannot be played, a share is no number from 0 to ``SHARE_MAX``, or no size has a share; the
            text is a sentence for organisers.
    """
    if not isinstance(tables, Mapping):
        raise ValueError(_("Please give the share of each table size."))
    chosen = {}
    for size, share in tables.items():
        if str(size) not in map(str, sizes):
            sentence = _("This game is played by %(sizes)s bots here, not by %(size)s.")
            raise ValueError(sentence % {"sizes": ", ".join(map(str, sorted(sizes))), "size": str(size)[:20]})
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= SHARE_MAX:
            raise ValueError(_("Please give each share as a number from 0 to %(max)d.") % {"max": SHARE_MAX})
        if share and math.isfinite(share):
            chosen[str(size)] = float(share)
    if tables and not chosen:
        raise ValueError(_("At least one table size needs a share of the matches."))
    return dict(sorted(chosen.items()))


def _options_fault(contest: Contest, game: Game[Any], ruleset: str, sizes: Iterable[int]) -> dict[str, str]:
    """Return what is wrong with the options at one of the table sizes; else {}, and keep those not in the ruleset."""
    if not isinstance(contest.options, Mapping):
        return {"options": _("Please give the options by their names.")}
    merged: dict[str, Any] = {}
    for size in sizes:
        try:
            merged = options_check(game, ruleset, contest.options, size)
        except BadOptions as error:
            return {"options": str(error)}
    fixed = game.rulesets[ruleset]
    contest.options = {name: value for name, value in merged.items() if name not in fixed}
    return {}


# --- Limits and languages -------------------------------------------------------------------------------------------


def _limits_fault(contest: Contest) -> dict[str, str]:
    """Return what is wrong with the first limit at fault, with its bounds; else {}, and store the limits as numbers."""
    installed = msgspec.to_builtins(limits_installed(game=contest.game))
    limits = whole_numbers(dict(contest.limits))
    for name, value in limits.items():
        if name not in LIMIT_NAMES:
            known = {"name": str(name)[:40], "known": ", ".join(LIMIT_NAMES)}
            return {"limits": _("There is no limit %(name)s. Please choose of: %(known)s.") % known}
        try:
            msgspec.convert({**installed, name: value}, BotLimits)
        except msgspec.ValidationError as error:
            return {"limits": _("These limits cannot be given: %(error)s.") % {"error": error}}
    contest.limits = limits
    return {}


def ceiling_problem(*, contest: Contest, before: Mapping[str, int]) -> str:
    """Return why an organiser who is no administrator may not give a contest its limits; empty if he may (no query).

    Limits up to the installation's, and those in ``before``, which the contest had until now, are always allowed. The
    attack: a user makes a contest whose bots take the memory and the time of all others.
    """
    installed = msgspec.to_builtins(limits_installed(game=contest.game))
    for name, value in contest.limits.items():
        most = max({**LIMITS_MAX, **settings.CONTEST_LIMITS_MAX}.get(name, 0), installed[name])
        if value > most and value != before.get(name):
            words = {"name": name, "max": most}
            return _("Only administrators may give more than %(max)d as %(name)s. Please choose less.") % words
    return ""


def _languages_fault(contest: Contest, before: Contest | None) -> dict[str, str]:
    known = {language.name for language in languages_all()} | set(before.languages if before else ())
    if unknown := [str(name)[:40] for name in contest.languages if name not in known]:
        words = {"name": unknown[0], "known": ", ".join(sorted(known))}
        return {"languages": _("This arena does not have the language %(name)s. It has: %(known)s.") % words}
    contest.languages = sorted(set(contest.languages))
    return {}


# --- Dates ----------------------------------------------------------------------------------------------------------


def _dates_faults(contest: Contest, before: Contest | None, changed: list[str]) -> dict[str, str]:
    """Return the faults of the dates: their order, those in the past, and those that lie behind a contest.

    The deadline of a running contest may be set into the past: that closes it at once.
    """
    faults, now = {}, timezone.now()
    for name in changed:
        at = getattr(contest, name)
        closes_now = name == "entries_until" and before is not None
        if at is not None and at <= now and not closes_now:
            faults[name] = _("This time has passed already. Please choose a later one.")
    if before is not None and "opens_at" in changed and before.state != Contest.State.DRAFT:
        faults["opens_at"] = _("The contest has opened already, so this date changes no more.")
    if before is not None and "frozen_at" in changed and before.is_over:
        faults["frozen_at"] = _("The contest is frozen already. Open it again to choose another time.")
    if before is not None and "final_by" in changed and before.is_over and not before.is_in_finals:
        faults["final_by"] = _("The final board is signed already. Open the contest again to choose another time.")
    return faults | {name: why for name, why in _order_faults(contest).items() if changed and name not in faults}


def _order_faults(contest: Contest) -> dict[str, str]:
    """Return the faults of the order of the dates."""
    faults, opens, until = {}, contest.opens_at, contest.entries_until
    frozen, final_by = contest.frozen_at, contest.final_by
    if opens and until and opens >= until:
        faults["entries_until"] = _("The deadline for uploads must be later than the opening.")
    if opens and frozen and opens >= frozen:
        faults["frozen_at"] = _("The contest must freeze later than it opens.")
    elif until and frozen and until > frozen and not contest.is_over:
        faults["frozen_at"] = _("The contest cannot freeze before its deadline for uploads.")
    if frozen and final_by and final_by < frozen:
        faults["final_by"] = _("The final board cannot be signed before the contest freezes.")
    return faults
