"""Pages of a bot's opponents and of two bots side by side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ladder.graphs import comparison_graph
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.bots import bot_shown_version
from ladder.selectors.ratings import rating_of
from ladder.shortcuts import bot_or_404
from matches.selectors.opponents import SORTS, bot_by_text, comparison, opponent_own, opponents_page


@cached_for_anonymous("page", "sort")
def opponents(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a bot's tally against each of its opponents."""
    bot = bot_or_404(request, pk)
    shown = bot_shown_version(bot=bot)
    rating = rating_of(shown) if shown else None
    sort = request.GET.get("sort", "")
    sort = sort if sort in SORTS else "games"
    page = opponents_page(bot=bot, rating=rating.rating if rating else None, sort=sort, number=request.GET.get("page"))
    own = opponent_own(page=page, reader=request.user)
    return render(request, "matches/opponents.html", {"bot": bot, "page": page, "sort": sort, "own": own})


@cached_for_anonymous("a", "b")
def compare(request: HttpRequest) -> HttpResponse:
    """Show two bots of a contest side by side: ``?a=`` and ``?b=`` are keys of bots, ``b`` may also be a name."""
    first = bot_by_text(text=request.GET.get("a", "").strip(), reader=request.user)
    text = request.GET.get("b", "").strip()
    second = bot_by_text(text=text, reader=request.user, contest=first.contest_id) if first else None
    context: dict[str, object] = {"first": first, "text": text}
    if first and second and first != second:
        found = comparison(first=first, second=second)
        context["comparison"] = found
        context["graph"] = comparison_graph(found.first.points, found.second.points)
    elif first and text:
        context["problem"] = _(
            "There is no other bot of this name or number in the same contest. Look for it on the board."
        )
    return render(request, "matches/compare.html", context)
