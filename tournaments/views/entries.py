"""What owners do with their bots in a tournament: enter, take back, withdraw."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.access import own_act, signed_in
from accounts.models import User
from common.errors import InputError
from common.forms import posted
from common.limits import rate_limited
from common.shortcuts import act_told
from contests.shortcuts import contest_or_404
from tournaments.models import Entrant, Tournament
from tournaments.selectors.entrants import OwnEntries, own_entries
from tournaments.services.entries import entrant_enter, entrant_leave, entrant_remove
from tournaments.services.transitions import REASON_CHARS_MAX
from tournaments.shortcuts import tournament_or_404


@own_act
@rate_limited("people")
def act(request: HttpRequest, place: str, tournament: str, act: str) -> HttpResponse:
    """Enter a bot of the reader, delete its entry before the draw, or withdraw it after the draw, as ``act`` says."""
    contest, user = contest_or_404(request, place), signed_in(request)
    found = tournament_or_404(request, contest, tournament)
    act_told(request, lambda: ACTS[act](request, found, own_entries(tournament=found, reader=user), user))
    return redirect("tournaments:tournament", contest, found.slug)


def _enter(request: HttpRequest, tournament: Tournament, own: OwnEntries, user: User) -> str:
    chosen = request.POST.get("bot", "")
    bot = next((each for each in own.free if str(each.pk) == chosen), None)
    if bot is None:
        raise InputError(_("Choose one of your bots from the list. It needs a version that plays in this contest."))
    entrant_enter(tournament=tournament.pk, bot=bot.pk, actor=user)
    return _("%(name)s is entered.") % {"name": bot.name}


def _remove(request: HttpRequest, tournament: Tournament, own: OwnEntries, user: User) -> str:
    entrant = _entrant(request, own)
    entrant_remove(entrant=entrant.pk, actor=user)
    return _("%(name)s is not entered any more.") % {"name": entrant.bot.name}


def _withdraw(request: HttpRequest, tournament: Tournament, own: OwnEntries, user: User) -> str:
    entrant = _entrant(request, own)
    reason = posted(request, "reason")[:REASON_CHARS_MAX]
    entrant_leave(entrant=entrant.pk, left=Entrant.Left.WITHDRAWN, reason=reason, actor=user)
    return _("%(name)s is withdrawn from the tournament.") % {"name": entrant.bot.name}


def _entrant(request: HttpRequest, own: OwnEntries) -> Entrant:
    chosen = request.POST.get("entrant", "")
    found = next((each for each in own.entered if str(each.pk) == chosen), None)
    if found is None:
        raise InputError(_("None of your bots is entered with this number. Reload the page."))
    return found


ACTS: dict[str, Callable[[HttpRequest, Tournament, OwnEntries, User], str]] = {
    "enter": _enter,
    "remove": _remove,
    "withdraw": _withdraw,
}
