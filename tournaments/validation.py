"""Checks the fields of a tournament, and says by the field what to change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _

from common.changes import columns_faults, settings_of
from common.words.messages import sentence_of
from contests.models import Contest
from contests.selectors.contests import contest_ruleset
from core.message import Message
from core.variants import table_sizes
from formats.model import DUEL, Stage
from formats.stages import ENTRANTS_MAX, stages_faults
from games.registry import game_named, game_names
from tournaments.models import Tournament

SLUGS_RESERVED = frozenset(("all", "api", "archive", "create", "desk", "list", "new"))
"""Keys that no tournament may have, since other pages at the same place in urls have these names or may get them."""


FIELDS = settings_of(Tournament, without=("contest", "slug", "state", "reason"))
"""The columns that organisers set; ``stages`` as JSON objects of ``formats.model.Stage``."""
TEXTS = ("title", "description", "prizes")
"""The fields that may be changed at any time; ``starts_at`` until the start, all others until the draw."""


def tournament_faults(*, tournament: Tournament, before: Tournament | None) -> dict[str, str]:
    """Return a sentence for each field of a tournament that cannot be as it is; empty if it can be saved (no query).

    Stages are put into their stored form. Only fields that differ from the stored row (``before``; None: it is new) can
    be at fault: what was right when it was set may be wrong now, such as a time that has passed.
    """
    changed = [name for name in FIELDS if before is None or getattr(tournament, name) != getattr(before, name)]
    if before is not None and (locked := _locked(before, changed)):
        return locked
    columns = {*changed, *(() if before else ("slug",))} - {"stages"}
    faults = columns_faults(row=tournament, names=columns)
    if before is None and tournament.slug in SLUGS_RESERVED:
        faults["slug"] = _("The arena uses this name itself. Please choose another one.")
    if "title" in changed and not tournament.title.strip():
        faults["title"] = _("Please give the tournament a title.")
    if "stages" in changed:
        faults |= _stages_fault(tournament)
    if {"entry", "entrants_max"} & set(changed):
        faults |= _entrants_fault(tournament)
    return {**faults, **_dates_faults(tournament, changed)}


def stages_problems(*, contest: Contest, stages: Sequence[Stage], entrants: int | None = None) -> list[Message]:
    """Return why a contest cannot play stages, one sentence each; empty if it can (no query).

    ``entrants`` is how many there will be; None: not known yet, so nothing that depends on the number is checked.
    """
    if contest.game not in game_names():
        return [Message("tournament-no-game")]
    return stages_faults(stages=stages, sizes=sizes_of(contest=contest), entrants=entrants)


def sizes_of(*, contest: Contest) -> tuple[int, ...]:
    """Return the numbers of bots that can meet at a table by a contest's rules (no query).

    Raises:
        KeyError: the contest's game is not installed.
    """
    return table_sizes(game_named(contest.game), contest_ruleset(contest=contest))


def _locked(before: Tournament, changed: Sequence[str]) -> dict[str, str]:
    """Return a sentence for each of the ``changed`` fields that the state of ``before`` does not let change."""
    state = Tournament.State
    faults = {}
    for name in changed:
        if name in TEXTS or before.state in (state.DRAFT, state.OPEN):
            continue
        if name != "starts_at":
            faults[name] = _("The tournament has been drawn, so this changes no more. Take the draw back to change it.")
        elif before.state != state.DRAWN:
            faults[name] = _("The tournament has begun already, so this time changes no more.")
    return faults


def _stages_fault(tournament: Tournament) -> dict[str, str]:
    """Return what is wrong with the stages, by field; put those that can be read into their stored form."""
    try:
        stages = msgspec.convert(tournament.stages, tuple[Stage, ...])
    except msgspec.ValidationError as error:
        return {"stages": _("These stages cannot be read: %(error)s.") % {"error": error}}
    tournament.stages = msgspec.to_builtins(list(stages))
    if not stages and tournament.state == Tournament.State.DRAFT:  # it gets some before it is opened
        return {}
    problems = stages_problems(contest=tournament.contest, stages=stages)
    return {"stages": " ".join(map(sentence_of, problems))} if problems else {}


def _entrants_fault(tournament: Tournament) -> dict[str, str]:
    most = tournament.entrants_max
    if most is None and tournament.entry == Tournament.Entry.BOARD:
        return {"entrants_max": _("Please say how many bots of the board play.")}
    is_whole = isinstance(most, int) and not isinstance(most, bool)
    if most is not None and not (is_whole and DUEL <= most <= ENTRANTS_MAX):
        sentence = _("Please give a whole number from %(min)d to %(max)d.")
        return {"entrants_max": sentence % {"min": DUEL, "max": ENTRANTS_MAX}}
    return {}


def _dates_faults(tournament: Tournament, changed: Sequence[str]) -> dict[str, str]:
    """Return the faults of the dates. The end of entries may be set into the past: that closes them at once."""
    faults = {}
    starts, until = tournament.starts_at, tournament.entries_until
    if "starts_at" in changed and starts is not None and starts <= timezone.now():
        faults["starts_at"] = _("This time has passed already. Please choose a later one.")
    if {"starts_at", "entries_until"} & set(changed) and starts and until and until > starts:
        faults.setdefault("entries_until", _("Entries must end before the tournament starts."))
    return faults
