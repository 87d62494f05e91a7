"""The page of what followed bots did, and following itself."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import own_form, signed_in
from accounts.models import User
from accounts.selectors.users import user_named
from common.limits import rate_limited
from common.shortcuts import act_told
from common.text import is_row_number
from ladder.models import Bot
from ladder.selectors.follows import events_followed
from ladder.services.events import EVENTS_KEPT
from ladder.services.follows import follow_begin, follow_end
from ladder.shortcuts import bot_or_404

EVENTS_A_PAGE = 40


@own_form
@rate_limited("follow")
def following(request: HttpRequest) -> HttpResponse:
    """Show what the followed bots did, the newest first; POST begins or ends following a bot or a person.

    The form names a ``bot`` by its key or a ``person`` by name. It begins if the field ``wanted`` is not empty.
    """
    if request.method == "POST":
        return _follow(request)
    page = Paginator(events_followed(follower=signed_in(request)), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    # Of a match between two followed bots, only the winner's event is shown.
    rows = list({event.values.get("match", -event.pk): event for event in page}.values())
    return render(request, "ladder/following.html", {"page": page, "rows": rows, "days": EVENTS_KEPT.days})


def _follow(request: HttpRequest) -> HttpResponse:
    about = _about(request)
    follow = follow_begin if request.POST.get("wanted") else follow_end
    act_told(request, lambda: follow(follower=signed_in(request), about=about))
    if request.POST.get("from") == "list":
        return redirect("ladder:following")
    return redirect("ladder:bot", about.pk) if isinstance(about, Bot) else redirect("ladder:profile", about.username)


def _about(request: HttpRequest) -> Bot | User:
    """Return the bot or the person that a form names.

    Raises:
        Http404: there is none, or the reader may not see the bot.
    """
    if is_row_number(key := request.POST.get("bot", "")):
        return bot_or_404(request, int(key))
    if person := user_named(name=request.POST.get("person", "")):
        return person
    raise Http404(_("There is no such bot or person."))
