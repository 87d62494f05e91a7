"""Says why a bot cannot be entered into a tournament, or cannot leave it."""

from __future__ import annotations

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from common.times import moment
from contests.selectors.people import organises
from ladder.models import Bot
from ladder.selectors.bots import bot_is_own
from tournaments.models import Entrant, Tournament

ENTERED_MAX = 1_000
"""How many bots can be entered into a tournament at most; the best of them play."""


def entries_problem(*, tournament: Tournament, reader: User | None) -> str:
    """Return why a user cannot enter any bot into a tournament now, in a sentence; empty if some bots can be.

    At most 4 queries. Owners enter their bots while it is open for entries; organisers enter bots of anybody, from the
    draft to the draw, also after the end of entries. A ``reader`` of None is the site itself, which may do the same.
    """
    if tournament.is_drawn:
        return _("The tournament has been drawn, so no bot can be entered any more.")
    if tournament.entry == Tournament.Entry.BOARD:
        return _("The best bots of the board play in this tournament; nobody enters them.")
    if tournament.entrants.count() >= ENTERED_MAX:
        return _("So many bots are entered that the tournament takes no more.")
    if reader is None or organises(reader=reader, contest=tournament.contest_id):
        return ""
    if tournament.entry == Tournament.Entry.LIST:
        return _("The organisers choose the bots of this tournament. Please ask them.")
    if tournament.state == Tournament.State.DRAFT:
        return _("The tournament is not open for entries yet.")
    # By the clock of the database, which all machines of the site share; their own may differ by seconds.
    late = ExpressionWrapper(Q(entries_until__lte=Now()), BooleanField())
    if Tournament.objects.filter(pk=tournament.pk).annotate(is_late=late).values_list("is_late", flat=True).first():
        words = {"moment": moment(tournament.entries_until)}
        return _("No bots are taken for this tournament any more: they were until %(moment)s.") % words
    return ""


def enter_problem(*, tournament: Tournament, bot: Bot, reader: User | None) -> str:
    """Return why a user cannot enter this bot of the contest now, in a sentence; empty if these checks pass.

    At most 6 queries; a ``reader`` of None is the site itself. Whether the bot is entered already, and whether it has
    an active version, is not checked here. The attack: somebody enters the bot of a rival, who wants to keep it for
    another tournament.
    """
    if problem := entries_problem(tournament=tournament, reader=reader):
        return problem
    if reader is None or bot_is_own(bot=bot, reader=reader) or organises(reader=reader, contest=tournament.contest_id):
        return ""
    return _("You can enter your own bots alone.")


def leave_problem(*, entrant: Entrant) -> str:
    """Return why an entrant cannot be withdrawn or disqualified, in a sentence; empty if it can.

    No query if ``entrant.tournament`` is loaded. Whether somebody may do it is not checked here.
    """
    state = Tournament.State
    if entrant.number is None:
        return _("This bot does not play in the tournament. Remove its entry instead.")
    if entrant.tournament.state not in (state.DRAWN, state.RUNNING, state.PAUSED):
        return _("The tournament is over: nothing changes any more.")
    if entrant.left:
        return _("This bot has left the tournament already.")
    return ""
