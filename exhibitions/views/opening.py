"""The pages on which a person chooses a game and a bot, and opens a table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from common.errors import InputError
from common.limits import rate_limited
from common.text import is_row_number
from common.visitors import visitor_of
from contests.models import Contest
from contests.selectors.contests import contest_state, contests_open, play_problem
from contests.shortcuts import contest_or_404
from exhibitions.forms import TableForm
from exhibitions.selectors.opponents import opponent_of, opponents_offered
from exhibitions.services.opening import Opened, Player
from exhibitions.services.seating import table_against
from exhibitions.views.secrets import secrets_keep, tables_open
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.boards import board_head

TRIES = 3
"""How many answers to one question a person may get wrong."""


@cached_for_anonymous()
def play(request: HttpRequest) -> HttpResponse:
    """List the games that people may play."""
    heads = [board_head(contest=contest, limit=1) for contest in contests_open()]
    return render(request, "exhibitions/play.html", {"heads": heads})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limited("table")
def play_contest(request: HttpRequest, place: str) -> HttpResponseBase:
    """Choose a bot, seat and pace of a contest; by POST open the table, and go to it."""
    contest = contest_or_404(request, place)
    asked = (request.POST or request.GET).get("bot", "")
    bot = int(asked) if is_row_number(asked) else 0
    offered = opponents_offered(contest=contest, bot=bot)
    chosen = bot or (offered[len(offered) // 2].version.bot_id if offered else 0)
    is_guest = not request.user.is_authenticated
    data = request.POST.dict() if request.method == "POST" else None
    form = TableForm(contest, offered, is_guest=is_guest, data=data, initial={"bot": chosen})
    if request.method == "POST":
        try:
            opened = _opened(request, contest, form)
        except InputError as error:
            messages.error(request, str(error))
        else:
            secrets_keep(request, opened)
            return redirect("exhibitions:table", pk=opened.match.pk)
    problem = play_problem(contest_state(contest=contest.slug))
    context = {"contest": contest, "form": form, "chosen": chosen, "problem": problem, "tables": tables_open(request)}
    return render(request, "exhibitions/play_contest.html", context)


def player_of(request: HttpRequest, clock_seconds: int) -> Player:
    """Return the person who sends a request as the player of a table, with ``clock_seconds`` for each answer."""
    user = request.user if isinstance(request.user, User) else None
    name = user.username if user else _("Guest")
    return Player(name, user, "" if user else visitor_of(request), clock_seconds, TRIES)


def _opened(request: HttpRequest, contest: Contest, form: TableForm) -> Opened:
    version = opponent_of(contest=contest, bot=form.cleaned_data["bot"]) if form.is_valid() else None
    if version is None:
        raise InputError(_("Choose a bot, your seat and your time from the lists."))
    chosen = form.cleaned_data
    player = player_of(request, chosen["pace"])
    return table_against(version=version, player=player, size=chosen["seats"], seat=chosen["seat"])
