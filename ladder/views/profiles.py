"""The public pages of users."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.selectors.users import user_named
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.profiles import profile_of


@cached_for_anonymous()
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show what a user says and has won, the bots with ranks and leagues, and the newest matches."""
    user = user_named(name=name)
    if user is None:
        raise Http404(_("There is no such user."))
    return render(request, "ladder/profile.html", {"profile": profile_of(user=user, reader=request.user)})
