"""Enters bots into tournaments, and lets them leave.

``actor`` is who acts: an owner of the bot, or an organiser or administrator; None: the site itself.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from contests.selectors.contests import entry_check
from contests.selectors.people import organises
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import bot_is_own
from ladder.services.notifications import notifications_create
from tournaments.models import Entrant, Table, Tournament
from tournaments.news import LEFT
from tournaments.selectors.entries import enter_problem, leave_problem
from tournaments.services.playing import tournament_play
from tournaments.services.releasing import entrant_news
from tournaments.services.transitions import reason_checked, tournament_locked


@transaction.atomic
def entrant_enter(*, tournament: int, bot: int, actor: User | None) -> Entrant:
    """Enter a bot with an active version into a tournament before its draw, and return the new entrant.

    ``tournament`` and ``bot`` are primary keys. An ``actor`` of None is the site itself, whose rights are not checked.

    Raises:
        InputError: the tournament takes no entries (any more), the bot is of another contest, has no active version, is
            entered already, or the actor may not enter it: only organisers may if owners do not enter their bots.
    """
    found = tournament_locked(tournament=tournament)
    entering = Bot.objects.filter(pk=bot, contest=found.contest_id).first()
    if actor is not None:
        entry_check(contest=found.contest_id, reader=actor)
    if entering is None:
        raise InputError(_("The contest of this tournament has no such bot."))
    if problem := enter_problem(tournament=found, bot=entering, reader=actor):
        raise InputError(problem)
    version = BotVersion.objects.filter(bot=entering, state=BotVersion.State.ACTIVE).first()
    if version is None:
        sentence = _("%(bot)s has no active version. Please enter it once it has passed its check match.")
        raise InputError(sentence % {"bot": entering})
    entrant, is_new = Entrant.objects.get_or_create(tournament=found, bot=entering, defaults={"version": version})
    if not is_new:
        raise InputError(_("%(bot)s is entered already.") % {"bot": entering})
    audit_write(actor=actor, act="entrant_enter", target=f"{found.key}: {entering}")
    return entrant


@transaction.atomic
def entrant_remove(*, entrant: int, actor: User | None) -> None:
    """Delete an entry before the draw; ``entrant`` is its primary key.

    Raises:
        InputError: the tournament has been drawn, the bot was disqualified, or the actor may not do it.
    """
    row = _entrant_locked(entrant)
    if row.tournament.is_drawn:
        raise InputError(_("The tournament has been drawn. Withdraw the bot from it instead."))
    if not _check_actor(row, actor) and row.left == Entrant.Left.DISQUALIFIED:
        raise InputError(_("The organisers have disqualified this bot. Please ask them."))
    audit_write(actor=actor, act="entrant_remove", target=f"{row.tournament.key}: {row.bot}")
    row.delete()


@transaction.atomic
def entrant_leave(*, entrant: int, left: Entrant.Left, reason: str, actor: User | None) -> None:
    """Withdraw or disqualify an entrant after the draw, given by its primary key: it loses what it has not played.

    Owners and organisers withdraw; only organisers disqualify. The entrant's results stay; its open tables are decided
    for the others, and their unfinished matches become void. Everybody may read the reason, of at most 500 characters,
    which an organiser must give.

    Raises:
        InputError: the tournament is not drawn or over, the entrant has left already, a reason is missing, or the actor
            may not do it.
    """
    row = _entrant_locked(entrant)
    tournament = row.tournament
    if problem := leave_problem(entrant=row):
        raise InputError(problem)
    by_organiser = _check_actor(row, actor)
    if left == Entrant.Left.DISQUALIFIED and not by_organiser:
        raise InputError(_("Only an organiser can disqualify a bot. You can withdraw it."))
    if by_organiser or reason.strip():
        reason = reason_checked(reason)
    row.left, row.left_reason = left, reason.strip()
    row.left_stage, row.left_round = _leaves_at(row)
    row.save()
    audit_write(actor=actor, act="entrant_leave", target=f"{tournament.key}: {row.bot} {left}", reason=reason)
    if by_organiser:
        news = entrant_news(entrant=row, tournament=tournament, outcome=str(left))
        notifications_create(kind=LEFT, news=[news])
    if tournament.state == Tournament.State.RUNNING:
        tournament_play(tournament=tournament)


def _entrant_locked(entrant: int) -> Entrant:
    """Lock an entrant's tournament, and return the entrant with the tournament, its bot and its version.

    Raises:
        InputError: there is no such entrant any more.
    """
    rows = Entrant.objects.select_related("bot", "version").defer("version__log").filter(pk=entrant)
    if (found := rows.first()) is None:
        raise InputError(_("This bot is not entered any more."))
    tournament = tournament_locked(tournament=found.tournament_id)
    if (found := rows.first()) is None:  # it may have been removed until the lock was free
        raise InputError(_("This bot is not entered any more."))
    found.tournament = tournament
    return found


def _check_actor(entrant: Entrant, actor: User | None) -> bool:
    """Return True if the actor acts as an organiser, False if as an owner of the bot.

    The attack: an entrant's rival withdraws it by the number of its row.

    Raises:
        InputError: the actor is neither.
    """
    if actor is None or organises(reader=actor, contest=entrant.tournament.contest):
        return True
    if bot_is_own(bot=entrant.bot, reader=actor):
        return False
    raise InputError(_("This is none of your bots."))


def _leaves_at(entrant: Entrant) -> tuple[int, int]:
    """Return the stage (from 0) and round (from 1) from which on an entrant that leaves now plays no more.

    It is the first round in which it has an undecided table. If it has none, it is the round after the newest one,
    whether that round or the first one of the next stage is drawn next.
    """
    undecided = Table.objects.filter(outcome="", seats__entrant=entrant).select_related("round")
    if (table := undecided.order_by("round__stage", "round__number").first()) is not None:
        return table.round.stage, table.round.number
    newest = entrant.tournament.rounds.order_by("-stage", "-number")[0]
    return newest.stage, newest.number + 1
