"""Makes, changes and deletes contests; opens, pauses, freezes and archives them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from accounts.access import administrates
from accounts.models import User
from accounts.services.audit import audit_write
from common.changes import row_changed
from common.errors import FieldsError, InputError
from common.queries.cached import cached_changed
from common.queries.sql import database_now, lock_clause, rows_read
from common.signals import contest_archiving, contest_unfrozen
from contests.models import Contest, Member
from contests.selectors.contests import contest_unknown, limits_installed, open_contest
from contests.services.finals import final_transition
from contests.validation import FIELDS, ceiling_problem, contest_faults
from core.numbers import whole_numbers
from wire.jobs import BotLimits

State = Contest.State
ACTS = {"open": State.OPEN, "pause": State.PAUSED, "freeze": State.FROZEN, "archive": State.ARCHIVED}
"""The acts that the organisers' desk offers, and the state that each of them sets."""
REASON_CHARS_MAX = 500
CONTESTS_A_USER_MAX = 10
"""A user who is no administrator cannot make a contest while organising so many that are not archived."""
_NEXT: dict[str, set[str]] = {
    State.DRAFT: {State.OPEN},
    State.OPEN: {State.PAUSED, State.FROZEN},
    State.PAUSED: {State.OPEN, State.PAUSED, State.FROZEN},
    State.FROZEN: {State.OPEN, State.PAUSED, State.FROZEN, State.ARCHIVED},
    State.ARCHIVED: set(),
}


def open_contests_ensure(**_signal: Any) -> None:
    """Create the open contest of each game of this arena that has none; a receiver of ``post_migrate``."""
    Contest.objects.bulk_create(map(open_contest, settings.GAMES), ignore_conflicts=True)


@transaction.atomic
def contest_create(*, slug: str, game: str, actor: User | None, **fields: Any) -> Contest:
    """Make a draft of a contest of a game of this arena, and make the actor its organiser.

    The caller has checked that the actor may make contests (``contests_may_create``); an ``actor`` of None is the site
    itself, and then nobody organises it. ``fields`` are settings of ``contests.validation.FIELDS`` by name; those left
    out have the model's defaults.

    Raises:
        FieldsError: some fields cannot be as they are. Nothing is made then.
        InputError: the actor organises too many contests already.
    """
    if actor is not None and not actor.is_staff:
        _check_contests_left(actor)
    contest = Contest(slug=slug.strip(), game=game, **fields)
    if faults := contest_faults(contest=contest, before=None) or _ceiling_fault(actor, contest, {}):
        raise FieldsError(faults)
    try:
        with transaction.atomic():
            contest.save(force_insert=True)
    except IntegrityError as error:
        raise FieldsError({"slug": _("Another contest has this name in urls. Please choose another one.")}) from error
    if actor is not None:
        Member.objects.create(contest=contest, user=actor, role=Member.Role.ORGANISER)
    audit_write(actor=actor, act="contest_create", target=f"{contest.slug}: {contest.game}")
    cached_changed()
    return contest


@transaction.atomic
def contest_change(*, contest: str, actor: User | None, read: str = "", **fields: Any) -> Contest:
    """Change fields of a contest. Limits hold for matches that are handed out from now on.

    The actor is an organiser or administrator; None: the site itself. ``read`` is the ``edit_mark`` of the contest that
    a form has shown; empty: there was no form. ``fields`` are settings of ``contests.validation.FIELDS`` by name.

    Raises:
        FieldsError: some fields cannot be as they are. Nothing is changed then.
        EditedError: somebody has changed the contest since the form was shown.
        InputError: the arena has no such contest, or it is archived.
    """
    before = _changeable(contest)
    changed = row_changed(row=before, names=FIELDS, fields=fields, mark=read)
    if faults := contest_faults(contest=changed, before=before) or _ceiling_fault(actor, changed, before.limits):
        raise FieldsError(faults)
    names = [name for name in fields if getattr(changed, name) != getattr(before, name)]
    if names:
        changed.save()
        audit_write(actor=actor, act="contest_change", target=f"{contest}: {', '.join(sorted(names))}")
        cached_changed()
    return changed


@transaction.atomic
def contest_delete(*, contest: str, actor: User | None) -> None:
    """Delete a contest in which no match was ever made.

    Raises:
        InputError: matches were made, bots were uploaded, or it is the open contest of a game.
    """
    found = contest_locked(contest=contest)
    if problem := contest_delete_problem(contest=found):
        raise InputError(problem)
    try:
        with transaction.atomic():
            found.delete()
    except ProtectedError as error:
        raise InputError(_("Bots have been uploaded to this contest. Freeze and archive it instead.")) from error
    audit_write(actor=actor, act="contest_delete", target=f"{contest}: {found.game}")
    cached_changed()


def contest_delete_problem(*, contest: Contest) -> str:
    """Return why a contest cannot be deleted, in a sentence; empty if its row allows it (no query).

    ``contest_delete`` may refuse it still, for bots that were uploaded to it.
    """
    if contest.is_open_contest:
        return _("Each game has its open contest, so this one stays.")
    if contest.has_matches:
        return _("Matches have been played in this contest. Freeze and archive it instead.")
    return ""


def contest_begin(*, contest: Contest) -> None:
    """Set ``has_matches`` of a contest, whose rules change no more; no query if it is set in ``contest`` already.

    Otherwise the row is locked and read again into ``contest``: its rules may have changed a moment ago.
    """
    if contest.has_matches:
        return
    contest.refresh_from_db(from_queryset=Contest.objects.select_for_update())
    if not contest.has_matches:
        contest.has_matches = True
        contest.save(update_fields=["has_matches"])


def _check_contests_left(actor: User) -> None:
    """Check that a user organises fewer than ``CONTESTS_A_USER_MAX`` contests that are not archived.

    The attack: a user fills the list of contests with thousands.

    Raises:
        InputError: the user organises too many.
    """
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # two requests at once are counted one by one
    organised = Member.objects.filter(user=actor, role=Member.Role.ORGANISER).exclude(contest__state=State.ARCHIVED)
    if organised.count() >= CONTESTS_A_USER_MAX:
        sentence = _("You organise %(max)d contests, as many as one user may. Please archive one of them first.")
        raise InputError(sentence % {"max": CONTESTS_A_USER_MAX})


@transaction.atomic
def contest_transition(*, contest: str, to: State, actor: User | None, reason: str = "") -> None:
    """Open, pause, freeze or archive a contest, or change the stated reason; the only code that writes its state.

    Queued and running matches and builds go on. A freeze begins the finals (``FinalStage``): what came in time is
    built, and each version gets its games, before the board is signed. When a contest stops being frozen, the bots of
    accounts that were closed meanwhile are withdrawn, and its final board is not final any more. ``actor`` is None when
    the clock or a command acts. The reason is shown to everybody while the contest is paused or frozen; for an open one
    only the audit log holds it.

    Raises:
        InputError: the arena has no such contest, the contest is in this state already and the reason is not a new one,
            it cannot get into this state, it is to be archived before its board is signed or its tournaments are over,
            or the reason is too long.
    """
    found, reason = contest_locked(contest=contest), reason.strip()
    if found.state == to and (to not in (State.PAUSED, State.FROZEN) or reason in ("", found.reason)):
        raise InputError(_("This contest is in this state already: %(state)s.") % {"state": found.get_state_display()})
    if to not in _NEXT[found.state] or (to == State.ARCHIVED and found.is_open_contest):
        sentence = _("A contest that is %(state)s cannot become %(to)s.")
        raise InputError(sentence % {"state": found.get_state_display(), "to": State(to).label})
    if to == State.ARCHIVED:
        if not found.board_digest:
            raise InputError(board_unsigned())
        contest_archiving.send(sender=None, contest=found.slug)
    if len(reason) > REASON_CHARS_MAX:
        raise InputError(_("Please give the reason in at most %(max)d characters.") % {"max": REASON_CHARS_MAX})
    if found.state == State.FROZEN and to in (State.OPEN, State.PAUSED):
        contest_unfrozen.send(sender=None, contest=found.slug)
        found.frozen_at = found.final_by = found.board_signed_at = None
        found.board_digest = found.board_signature = ""
        final_transition(contest=found, to=None)
    if to == State.FROZEN and found.state != State.FROZEN:
        # The planned moment becomes the real one, by the clock that uploads are stamped with (``common.arrivals``): if
        # this machine's were behind, versions that were taken a moment ago would be too late to play.
        found.frozen_at = database_now()
        final_transition(contest=found, to=Contest.FinalStage.BUILDING)
    found.state, found.reason = to, "" if to == State.OPEN else reason
    found.save()
    audit_write(actor=actor, act="contest_transition", target=f"{contest}: {to}", reason=reason)
    cached_changed()


def board_unsigned() -> str:
    """Return the sentence that refuses to archive a contest whose final board is not signed yet."""
    return _("The final board is not signed yet: the last matches are being played. Please archive the contest then.")


@transaction.atomic
def contest_deadline_set(*, contest: str, until: datetime | None, actor: User | None) -> None:
    """Set the deadline for uploads to a contest. Matches go on after it, so that the last uploads get ratings, too.

    ``until`` is the first moment that is too late, with a time zone, and may lie in the past; None: no deadline.

    Raises:
        InputError: the arena has no such contest, or it is archived.
    """
    found = _changeable(contest)
    found.entries_until = until
    found.save()
    target = f"{contest}: {until.isoformat() if until else 'none'}"
    audit_write(actor=actor, act="contest_deadline_set", target=target)
    cached_changed()


@transaction.atomic
def contest_limits_set(*, contest: str, limits: Mapping[str, int], actor: User | None) -> None:
    """Set the limits of a contest's bots (``wire.jobs.BotLimits``) for matches that are handed out from now on.

    Limits that are not given are reset to the installation's.

    Raises:
        InputError: the arena has no such contest, it is archived, or a limit is unknown, out of its range, or more than
            the actor may give.
    """
    found, limits = _changeable(contest), whole_numbers(dict(limits))
    try:
        msgspec.convert({**msgspec.to_builtins(limits_installed(game=found.game)), **limits}, BotLimits)
    except msgspec.ValidationError as error:
        raise InputError(_("These limits cannot be given: %(error)s.") % {"error": error}) from error
    before, found.limits = found.limits, limits
    if fault := _ceiling_fault(actor, found, before):
        raise InputError(fault["limits"])
    found.save()
    chosen = ", ".join(f"{name}={value}" for name, value in limits.items())
    audit_write(actor=actor, act="contest_limits_set", target=f"{contest}: {chosen or 'as installed'}")
    cached_changed()


def _ceiling_fault(actor: User | None, contest: Contest, before: Mapping[str, int]) -> dict[str, str]:
    may = actor is None or administrates(actor)
    problem = "" if may else ceiling_problem(contest=contest, before=before)
    return {"limits": problem} if problem else {}


def _changeable(contest: str) -> Contest:
    """Lock a contest and return it.

    Raises:
        InputError: the arena has no such contest, or it is archived: its board was signed with the rules as they are.
    """
    found = contest_locked(contest=contest)
    if found.state == State.ARCHIVED:
        raise InputError(_("An archived contest stays as it is."))
    return found


def contest_hold(*, contest: str) -> None:
    """Keep a contest from being changed until the transaction ends. Any number of transactions may hold it at once.

    Uploads hold their contest, so that none slips in while it is frozen or gets another deadline. Without effect if
    there is no such contest. It is written in SQL, since Django has no shared locks.
    """
    rows_read(f"SELECT slug FROM contests_contest WHERE slug = %s{lock_clause(shared=True)}", contest)  # noqa: S608


def contest_locked(*, contest: str) -> Contest:
    """Lock a contest of a game of this arena until the transaction ends, and return it.

    Raises:
        InputError: the arena has no such contest.
    """
    found = Contest.objects.select_for_update().filter(slug=contest, game__in=settings.GAMES).first()
    if found is None:
        raise InputError(contest_unknown())
    return found
