"""Makes, changes and deletes tournaments, and moves them from the draw to the release of their results.

Unless said otherwise, ``tournament`` is the primary key of one, and ``actor`` is who acts: an organiser or
administrator, which the caller has checked; None: the site itself. A primary key of no tournament raises InputError.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.changes import row_changed
from common.errors import FieldsError, InputError
from common.queries.cached import cached_changed
from common.words.messages import sentence_of
from contests.models import Contest
from contests.selectors.contests import archive_problem, contest_unknown
from contests.services.contests import contest_hold
from core.message import Message, said
from ladder.services.notifications import notifications_create
from matches.models import Match
from tournaments.models import Entrant, Round, Table, TableMatch, Tournament, lots_new
from tournaments.news import BEGINS
from tournaments.selectors.show import Step, StepKind
from tournaments.selectors.tournaments import draw_preview
from tournaments.services.drawing import round_insert
from tournaments.services.playing import table_matches_void, tournament_play
from tournaments.services.releasing import entrant_news, faults_notify, rounds_tell, tournament_tell
from tournaments.services.transitions import State, reason_checked, tournament_locked, tournament_transition
from tournaments.validation import FIELDS, stages_problems, tournament_faults

TOURNAMENTS_MAX = 200
"""How many tournaments a contest has at most. The attack: an organiser fills the arena with tournaments."""
REDRAWN = Message("tournament-match-redrawn")


@transaction.atomic
def tournament_create(*, contest: str, slug: str, actor: User | None, **fields: Any) -> Tournament:
    """Make a draft of a tournament.

    Args:
        contest: key of its contest.
        slug: its key in the contest's urls.
        actor: who makes it.
        fields: further settings (``tournaments.validation.FIELDS``); those left out have the model's defaults.

    Raises:
        FieldsError: some fields cannot be as they are. Nothing is made then.
        InputError: the arena has no such contest, or it is archived or has ``TOURNAMENTS_MAX`` tournaments.
    """
    contest_hold(contest=contest)
    found = Contest.objects.filter(slug=contest, game__in=settings.GAMES).first()
    if found is None:
        raise InputError(contest_unknown())
    _check_contest(found)
    if Tournament.objects.filter(contest=found).count() >= TOURNAMENTS_MAX:
        sentence = _("A contest has at most %(max)d tournaments. Please delete one that was not played.")
        raise InputError(sentence % {"max": TOURNAMENTS_MAX})
    tournament = Tournament(contest=found, slug=slug.strip(), **fields)
    if faults := tournament_faults(tournament=tournament, before=None):
        raise FieldsError(faults)
    try:
        with transaction.atomic():
            tournament.save(force_insert=True)
    except IntegrityError as error:
        sentence = _("Another tournament of this contest has this name in urls. Please choose another one.")
        raise FieldsError({"slug": sentence}) from error
    audit_write(actor=actor, act="tournament_create", target=tournament.key)
    cached_changed()
    return tournament


@transaction.atomic
def tournament_change(*, tournament: int, actor: User | None, read: str = "", **fields: Any) -> Tournament:
    """Change fields of a tournament: texts always, ``starts_at`` until it starts, all others until it is drawn.

    Args:
        tournament: its primary key.
        actor: who changes it.
        read: the ``edit_mark`` of the tournament that a form has shown; empty: there was no form.
        fields: the fields to change.

    Raises:
        FieldsError: some fields cannot be as they are. Nothing is changed then.
        EditedError: somebody has changed the tournament since the form was shown.
        InputError: its contest is archived.
    """
    before = tournament_locked(tournament=tournament)
    changed = row_changed(row=before, names=FIELDS, fields=fields, mark=read)
    _check_contest(before.contest)
    if faults := tournament_faults(tournament=changed, before=before):
        raise FieldsError(faults)
    names = [name for name in fields if getattr(changed, name) != getattr(before, name)]
    if changed.entry != before.entry and changed.entry == Tournament.Entry.BOARD and before.entrants.exists():
        sentence = _("Bots are entered already. Remove them first, so that the board alone decides.")
        raise FieldsError({"entry": sentence})
    if names:
        if "starts_at" in names:
            changed.reason = {}  # why it could not start at an earlier time
        changed.save()
        audit_write(actor=actor, act="tournament_change", target=f"{changed.key}: {', '.join(sorted(names))}")
        cached_changed()
    return changed


@transaction.atomic
def tournament_delete(*, tournament: int, actor: User | None) -> None:
    """Delete a tournament that has no result yet; its matches become void.

    Raises:
        InputError: the tournament has results.
    """
    found = tournament_locked(tournament=tournament)
    if found.state not in (State.DRAFT, State.OPEN):
        if problem := draw_take_back_problem(tournament=found):
            raise InputError(problem)
        _matches_discard(found)
    found.delete()
    audit_write(actor=actor, act="tournament_delete", target=found.key)
    cached_changed()


@transaction.atomic
def tournament_open(*, tournament: int, actor: User | None) -> None:
    """Announce a draft: everybody who sees the contest sees it, and bots can be entered.

    Raises:
        InputError: it is no draft, has no stages or stages that cannot be played, its start has passed, or its contest
            is archived.
    """
    found = tournament_locked(tournament=tournament)
    if found.state != State.DRAFT:
        raise InputError(_("The tournament is announced already."))
    _check_contest(found.contest, hold=True)
    if problems := stages_problems(contest=found.contest, stages=found.stages_read()):
        raise InputError(" ".join(map(sentence_of, problems)))
    if found.starts_at is not None and found.starts_at <= timezone.now():
        # It would be drawn and begin within a second, before anybody could enter a bot.
        raise InputError(_("The start of the tournament has passed already. Please set a later one, or none."))
    tournament_transition(tournament=found, to=State.OPEN)
    audit_write(actor=actor, act="tournament_open", target=found.key)


@transaction.atomic
def tournament_draw(*, tournament: int, actor: User | None) -> Tournament:
    """Fix the entrants, their versions and seed numbers, and pair the first round.

    ``tournaments.selectors.tournaments.draw_preview`` shows the same without writing.

    Raises:
        InputError: the tournament is a draft or has been drawn already, or its stages cannot be played by so many
            entrants.
    """
    found = tournament_locked(tournament=tournament)
    if found.is_drawn:
        raise InputError(_("The tournament has been drawn already. Take the draw back to draw it again."))
    preview = draw_preview(tournament=found)
    if preview.draw is None:
        raise InputError(" ".join(preview.faults))
    tournament_transition(tournament=found, to=State.DRAWN)
    if found.entry == Tournament.Entry.BOARD:
        Entrant.objects.bulk_create(preview.entrants)
    else:
        Entrant.objects.bulk_update(preview.entrants, ["version", "number", "rating"])
    round_insert(tournament=found, draw=preview.draw)
    audit_write(actor=actor, act="tournament_draw", target=f"{found.key}: {len(preview.entrants)} entrants")
    return found


@transaction.atomic
def tournament_draw_take_back(*, tournament: int, actor: User | None, reason: str = "") -> None:
    """Take the draw back, as long as no match has a result: the tournament is open again.

    Its next draw has other lots, and no bots that have left since this one. It starts by itself no more. ``reason`` is
    for the audit log.

    Raises:
        InputError: the tournament is not drawn, or has a result.
    """
    found = tournament_locked(tournament=tournament)
    if problem := draw_take_back_problem(tournament=found):
        raise InputError(problem)
    _matches_discard(found)
    found.rounds.all().delete()
    if found.entry == Tournament.Entry.BOARD:
        found.entrants.filter(left="").delete()
    # Who has left stays in the list: its row keeps it out of the next draw.
    found.entrants.update(number=None, rating=None)
    found.lots = lots_new()
    # It starts by itself no more: its organisers choose a time again, so that nothing is drawn behind their backs.
    found.starts_at = None
    tournament_transition(tournament=found, to=State.OPEN)
    audit_write(actor=actor, act="tournament_draw_take_back", target=found.key, reason=reason)


@transaction.atomic
def tournament_draw_again(*, tournament: int, actor: User | None) -> None:
    """Take the draw back and draw at once with other lots; if the tournament cannot be drawn again, the draw stays.

    Raises:
        InputError: the tournament is not drawn, has a result, or cannot be drawn again.
    """
    starts_at = tournament_locked(tournament=tournament).starts_at
    tournament_draw_take_back(tournament=tournament, actor=actor)
    drawn = tournament_draw(tournament=tournament, actor=actor)
    drawn.starts_at = starts_at
    drawn.save(update_fields=["starts_at"])


@transaction.atomic
def tournament_start(*, tournament: int, actor: User | None) -> None:
    """Start a drawn tournament: make its first matches, and notify the owners of its entrants.

    Raises:
        InputError: the tournament is not drawn or has been started, or its contest is archived.
    """
    found = tournament_locked(tournament=tournament)
    if found.state == State.OPEN:
        raise InputError(_("The tournament is not drawn yet. Please draw it first."))
    if found.state == State.PAUSED:
        raise InputError(_("The tournament is paused. Please resume it."))
    if found.state == State.FINISHED:
        raise InputError(_("The tournament is over: nothing changes any more."))
    _check_contest(found.contest, hold=True)
    tournament_transition(tournament=found, to=State.RUNNING)
    entrants = found.entrants.filter(number__isnull=False).select_related("bot", "version").defer("version__log")
    notifications_create(kind=BEGINS, news=[entrant_news(entrant=entrant, tournament=found) for entrant in entrants])
    audit_write(actor=actor, act="tournament_start", target=found.key)
    tournament_play(tournament=found)


@transaction.atomic
def tournament_pause(*, tournament: int, actor: User | None, reason: str) -> None:
    """Pause a running tournament: matches under way end, and nothing new is made.

    The reason is shown to everybody who sees the tournament; it has at most 500 characters, and is not empty.

    Raises:
        InputError: the tournament is not being played, or the reason is missing or too long.
    """
    found, reason = tournament_locked(tournament=tournament), reason_checked(reason)
    tournament_transition(tournament=found, to=State.PAUSED, reason=said(reason))
    audit_write(actor=actor, act="tournament_pause", target=found.key, reason=reason)


@transaction.atomic
def tournament_resume(*, tournament: int, actor: User | None) -> None:
    """Let a paused tournament go on. Matches that were void too often are tried again.

    Raises:
        InputError: the tournament is not paused.
    """
    found = tournament_locked(tournament=tournament)
    if found.state != State.PAUSED:
        raise InputError(_("The tournament is not paused."))
    tournament_transition(tournament=found, to=State.RUNNING)
    audit_write(actor=actor, act="tournament_resume", target=found.key)
    tournament_play(tournament=found, is_resumed=True)


@transaction.atomic
def tournament_release(*, tournament: int, actor: User | None) -> None:
    """Tell everybody all results of a finished tournament, for good.

    Raises:
        InputError: the tournament is not finished, or everything about it is public already.
    """
    found = tournament_locked(tournament=tournament)
    if found.state == State.RELEASED:
        raise InputError(_("All results of this tournament are public already."))
    if found.state != State.FINISHED:
        raise InputError(_("The tournament is not finished: its results can be released after the last round."))
    tournament_tell(tournament=found)
    audit_write(actor=actor, act="tournament_release", target=found.key)


@transaction.atomic
def round_release(*, tournament: int, actor: User | None, wanted: int | None = None) -> Round:
    """Tell everybody the results of the first round whose results are hidden, and return it.

    Places in the whole tournament are told by ``tournament_release`` alone. ``wanted`` is the primary key of the round
    that is meant; None: the first one with hidden results. A button that is pressed twice must not release two rounds,
    since nobody can undo that.

    Raises:
        InputError: results are not released by round, no round is hidden, that round is still being played, or the
            wanted round is another one.
    """
    found = tournament_locked(tournament=tournament)
    if found.results == Tournament.Results.AT_END:
        raise InputError(_("The results of this tournament are released all at once, after its last round."))
    row = found.rounds.filter(released_at=None).order_by("stage", "number").first()
    if row is None:
        raise InputError(_("No round of this tournament has hidden results."))
    if wanted is not None and wanted != row.pk:
        raise InputError(_("The results of this round are public already, or those of an earlier round are hidden."))
    if row.finished_at is None:
        raise InputError(_("This round is still being played. Please release it once its last table is decided."))
    rounds_tell(rounds=[row])
    faults_notify(tournament=found)
    audit_write(actor=actor, act="round_release", target=f"{found.key}: stage {row.stage + 1}, round {row.number}")
    return row


def shown_release(*, tournament: Tournament, shown: Step, actor: User | None) -> None:
    """Release the results that a hall knows after ``shown``, a step of the show; without effect if they are public.

    A step that completes a round releases the rounds up to it if results are told by round; the first place releases
    the tournament. ``tournament`` is the row itself.

    Raises:
        InputError: the results cannot be released now; the text says why.
    """
    if shown.kind == StepKind.PODIUM:
        if shown.releases and tournament.state != State.RELEASED:
            tournament_release(tournament=tournament.pk, actor=actor)
        return
    if tournament.results != Tournament.Results.BY_ROUND or not shown.releases:
        return
    known = tournament.rounds.filter(released_at=None).order_by("stage", "number")
    for each in known:
        if (each.stage, each.number) <= (shown.stage, shown.round):
            round_release(tournament=tournament.pk, actor=actor, wanted=each.pk)


def draw_take_back_problem(*, tournament: Tournament) -> str:
    """Return why a draw cannot be taken back, in a sentence; empty if it can (2 queries at most)."""
    if not tournament.is_drawn:
        return _("The tournament is not drawn, so there is nothing to take back.")
    if tournament.state not in (State.DRAWN, State.RUNNING, State.PAUSED):
        return _("The tournament is over: its results stay.")
    decided = Table.objects.filter(round__tournament=tournament).exclude(outcome__in=("", Table.Outcome.BYE))
    played = Match.objects.filter(table_match__table__round__tournament=tournament, state=Match.State.FINISHED)
    if decided.exists() or played.exists():
        return _("The tournament has results already, so its draw stays.")
    return ""


def _check_contest(contest: Contest, *, hold: bool = False) -> None:
    """Check that a contest is not archived; ``hold`` keeps it from being archived until the transaction ends.

    Raises:
        InputError: the contest is archived.
    """
    if hold:
        contest_hold(contest=contest.pk)
    if problem := archive_problem(contest=contest.pk):
        raise InputError(problem)


def _matches_discard(tournament: Tournament) -> None:
    """Void the matches of a tournament that has no results yet, and delete the rows that tie them to its tables.

    Raises:
        InputError: a match has got its result meanwhile.
    """
    table_matches_void(tables=list(Table.objects.filter(round__tournament=tournament)), reason=REDRAWN)
    if problem := draw_take_back_problem(tournament=tournament):
        raise InputError(problem)
    played = TableMatch.objects.filter(table__round__tournament=tournament)
    Match.objects.filter(table_match__in=played, is_hidden=True).update(is_hidden=False)
    played.delete()
