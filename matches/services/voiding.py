"""Makes rated matches void: for wrong rules, a sick worker, a cheating bot. Matches stay; ratings are refitted."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.names import name_key
from contests.selectors.contests import archive_problem
from core.message import said
from jobs.selectors.workers import worker_named
from ladder.models import Bot
from matches.models import Attempt, Match, Seat
from matches.services.lifecycle import matches_void
from matches.services.ratings import ratings_refit


def matches_voidable(
    *, contest: str, rules_version: str = "", worker: str = "", bot: str = "", since: datetime | None = None
) -> QuerySet[Match]:
    """Return the rated matches of a contest that meet all conditions; an empty argument is no condition.

    Args:
        contest: key of the contest.
        rules_version: the rules they were played under.
        worker: name of the worker that reported the result.
        bot: name of a bot that played.
        since: they ended then or later.

    Raises:
        InputError: no condition is given, since nobody should void a whole contest by mistake; or there is no such bot
            or worker, or no match under these rules.
    """
    if not (rules_version or worker or bot or since):
        raise InputError(_("Say which matches: by rules version, worker, bot or time."))
    _unknown_refuse(contest=contest, rules_version=rules_version, worker=worker, bot=bot)
    matches: QuerySet[Match] = Match.objects.rated().filter(contest=contest)
    if rules_version:
        matches = matches.filter(rules_version=rules_version)
    if worker:
        matches = matches.filter(result__attempt__worker=worker)
    if bot:
        played = Seat.objects.filter(version__bot__contest=contest, version__bot__name_key=name_key(bot))
        matches = matches.filter(pk__in=played.values("match"))
    if since:
        matches = matches.filter(finished_at__gte=since)
    return matches


def _unknown_refuse(*, contest: str, rules_version: str, worker: str, bot: str) -> None:
    """Raise an InputError for a mistyped name or version, which would look like "no such matches, all is well"."""
    played = Match.objects.filter(contest=contest)
    if rules_version and not played.filter(rules_version=rules_version).exists():
        sentence = _("No match of this contest was played under version %(version)s of its rules.")
        raise InputError(sentence % {"version": rules_version})
    if worker and not Attempt.objects.filter(worker=worker).exists():  # workers are forgotten, their matches are not
        worker_named(name=worker)
    if bot and not Bot.objects.filter(contest=contest, name_key=name_key(bot)).exists():
        raise InputError(_("There is no bot of the name %(name)s in this contest.") % {"name": bot})


def rated_matches_void(*, matches: QuerySet[Match], contest: str, reason: str, actor: User | None) -> int:
    """Make rated matches of a contest void, for good, and refit its ratings; return how many became void.

    ``matches`` come from ``matches_voidable``. Everybody will read the reason at the matches. ``actor`` is the
    administrator for the audit log; None stands for the command line.

    Raises:
        InputError: no reason was given, there is no such match, or the contest is archived.
    """
    if not reason.strip():
        raise InputError(_("Give a reason: everybody will read it at the matches."))
    if problem := archive_problem(contest=contest):
        raise InputError(problem)
    with transaction.atomic():
        # All matches are locked before any bot, the order in which results are recorded, so that no two transactions
        # deadlock. A match that has just become void elsewhere is not among the locked rows.
        rows = list(matches.select_for_update(of=("self",), no_key=True).order_by("pk"))
        if not rows:
            raise InputError(_("There is no such rated match, so nothing was taken out."))
        matches_void(matches=rows, reason=said(reason))
        audit_write(actor=actor, act="matches_void", target=f"{len(rows)} matches of {contest}", reason=reason)
    ratings_refit(contest=contest)
    return len(rows)
