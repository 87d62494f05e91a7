"""The pages of bots: one bot, its versions, and the list of own bots."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import own_act, own_form, own_page, signed_in
from common.arrivals import arrived_at
from common.limits import rate_limited
from common.shortcuts import act_told, form_page, store_away_as_503
from common.text import is_row_number
from contests.selectors.contests import contests_to_enter
from ladder.forms import EnterForm
from ladder.graphs import rating_graph
from ladder.models import Bot
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.boards import version_rank
from ladder.selectors.bots import (
    VERSIONS_SHOWN,
    bot_accepted,
    bot_active_version,
    bot_is_own,
    bot_rating_points,
    bot_shown_version,
    bot_versions,
    bot_withdrawn,
    bots_of,
    versions_of,
)
from ladder.selectors.quotas import quota_of
from ladder.selectors.ratings import games_missing, interval_of, rating_of, rating_provisional
from ladder.selectors.uploads import bot_delete_problem
from ladder.services.bots import bot_delete
from ladder.services.uploads import version_enter
from ladder.shortcuts import bot_or_404

VERSIONS_A_PAGE = 50


@cached_for_anonymous("version")
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a bot: its versions, its rating over time (of the version ``?version=`` alone, if given), its matches."""
    found = bot_or_404(request, pk)
    active = bot_active_version(bot=found)
    shown = bot_shown_version(bot=found)
    rating = rating_of(shown) if shown else None
    chosen = request.GET.get("version", "")
    version = int(chosen) if is_row_number(chosen) else None
    points = bot_rating_points(bot=found, version=version)
    if version is not None and not points:  # no such version, or one without matches
        version, points = None, bot_rating_points(bot=found)
    is_owner, is_accepted = bot_is_own(bot=found, reader=request.user), bot_accepted(bot=found)
    context = {
        "bot": found,
        "is_accepted": is_accepted,
        "delete_problem": bot_delete_problem(bot=found) if is_owner and not is_accepted else "",
        "contest": found.contest if found.game in settings.GAMES else None,
        "active": active,
        "shown": shown,
        "is_withdrawn": is_accepted and bot_withdrawn(bot=found),
        "rank": version_rank(version=active) if active else None,
        "games_missing": games_missing(rating_of(active)) if active else 0,
        "rating": rating,
        "interval": interval_of(rating) if rating else None,
        "provisional": rating is not None and rating_provisional(rating),
        "graph": rating_graph(points),
        "graph_version": version,
        "is_owner": is_owner,
        "has_more_versions": len(bot_versions(bot=found)) >= VERSIONS_SHOWN,
    }
    return render(request, "ladder/bot.html", context)


@cached_for_anonymous("page")
def versions(request: HttpRequest, pk: int) -> HttpResponse:
    """List all versions of a bot."""
    found = bot_or_404(request, pk)
    page = Paginator(versions_of(bot=found), VERSIONS_A_PAGE).get_page(request.GET.get("page"))
    context = {"bot": found, "page": page, "is_owner": bot_is_own(bot=found, reader=request.user)}
    return render(request, "ladder/versions.html", context)


@own_form
@store_away_as_503
@rate_limited("upload")
def bot_enter(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form that enters a version of an own bot in another contest of its game, or enter it (POST)."""
    found = _own_bot_or_404(request, pk)
    versions = {version.pk: version for version in bot_versions(bot=found) if version.activated_at}
    open_now = contests_to_enter(reader=signed_in(request), game=found.game, wanted=request.POST.get("contest", ""))
    contests = [contest for contest in open_now if contest.pk != found.contest_id]
    active = bot_active_version(bot=found)
    initial = {"name": found.name, "version": active.pk if active else None, "contest": request.GET.get("contest", "")}
    form = EnterForm(request.POST or None, initial=initial, versions=versions.values(), contests=contests)
    entered = form.saved(
        lambda: version_enter(
            version=versions[form.cleaned_data["version"]],
            contest=form.cleaned_data["contest"],
            name=form.cleaned_data["name"],
            actor=signed_in(request),
            received_at=arrived_at(request),
        )
    )
    if entered is None:
        can = {"can": bool(versions and contests), "accepted": bool(versions)}
        return form_page(request, "ladder/enter.html", form, bot=found, **can)
    messages.success(request, _("%(name)s plays in this contest now.") % {"name": entered.bot.name})
    return redirect("ladder:bot", pk=entered.bot_id)


@own_act
def bot_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an own bot without accepted versions."""
    found = _own_bot_or_404(request, pk)

    def deleted() -> str:
        bot_delete(bot=found)
        return _("%(name)s is deleted.") % {"name": found.name}

    return redirect("ladder:mine") if act_told(request, deleted) else redirect("ladder:bot", pk=pk)


def _own_bot_or_404(request: HttpRequest, pk: int) -> Bot:
    found = bot_or_404(request, pk)
    if not bot_is_own(bot=found, reader=request.user):
        raise Http404(_("There is no such bot, or it is not yours."))
    return found


@own_page
def mine(request: HttpRequest) -> HttpResponse:
    """Show users their own bots and how much of their quotas is left."""
    user = signed_in(request)
    own = bots_of(owner=user)
    context = {
        "bots": [bot for bot in own if not bot_withdrawn(bot=bot)],
        "withdrawn": [bot for bot in own if bot_withdrawn(bot=bot)],
        "quota": quota_of(owner=user),
    }
    return render(request, "ladder/mine.html", context)
