"""The public pages of users."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ladder.page_cache import cached_for_anonymous
from ladder.selectors.profiles import profile_of, user_named


@require_safe
@cached_for_anonymous()
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show a user's bots with ranks and leagues, the newest matches, and the date of joining."""
    user = user_named(name=name)
    if user is None:
        raise Http404(_("There is no such user."))
    return render(request, "ladder/profile.html", {"profile": profile_of(user=user, reader=request.user)})
