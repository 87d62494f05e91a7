"""Plays a match once more, to see whether it comes out the same."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import InputError
from common.words.messages import game_title
from contests.selectors.contests import play_problem
from games.registry import game_named, rules_versions
from matches.models import Match
from matches.services.lifecycle import match_repeat


@transaction.atomic
def match_rerun(*, match: Match) -> Match:
    """Queue a re-run of a match: same versions and seats, seed, options and rules; never rated.

    Args:
        match: a finished match that is no private test. For a re-run, its original is played again.

    Returns:
        The new re-run, or the re-run of the same match that is in flight already.

    Raises:
        InputError: it cannot be played again; the text says why.
    """
    original = Match.objects.select_for_update(no_key=True).get(pk=match.original_id or match.pk)
    if problem := rerun_problem(match=original):
        raise InputError(problem)
    if under_way := rerun_under_way(original=original):
        return under_way
    asked = {"kind": Match.Kind.RERUN, "queue_class": Match.QueueClass.REQUESTED, "original": original}
    return match_repeat(match=original, **asked, encounter=uuid.uuid4().hex)


def rerun_under_way(*, original: Match) -> Match | None:
    """Return the re-run of a match that waits or runs, of which there is one at most; None without one (1 query).

    The caller's transaction has locked the original, so that no other re-run begins meanwhile.
    """
    return original.reruns.filter(state__in=(Match.State.QUEUED, Match.State.RUNNING)).first()


def rerun_problem(*, match: Match) -> str:
    """Say in one sentence why a match cannot be played again; empty if it can (no query if it has its contest)."""
    if match.kind == Match.Kind.TRIAL:
        return _("A private test cannot be re-run; start the test again instead.")
    if match.kind == Match.Kind.EXHIBITION:
        return _("A table cannot be re-run: its players are not here. Take over a seat of it instead.")
    if match.is_hidden:
        # The attack: a re-run is seen by everybody, and comes out like the match whose result is hidden.
        return _("The result of this match is hidden still. It can be re-run once it is released.")
    if match.state == Match.State.VOID:
        return _("This match does not count, so it cannot be re-run. Please choose one that counts.")
    if match.state != Match.State.FINISHED:
        return _("Only a match with a result can be re-run; please wait until it has one.")
    if match.game not in settings.GAMES:
        return _("This arena does not play this game any more, so the match cannot be re-run here.")
    if problem := play_problem(match.contest.state):
        return problem
    if match.rules_version not in rules_versions(match.game):
        game = game_named(match.game)
        return _(
            "This match was played by version %(then)s of the rules of %(game)s; workers play version %(now)s now, so"
            " it cannot be re-run. Its replay stays."
        ) % {"then": match.rules_version, "now": game.rules_version, "game": game_title(match.game)}
    return ""
