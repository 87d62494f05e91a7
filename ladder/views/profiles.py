"""The public pages of users, and the form by which users change their own."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import signed_in
from accounts.services.accounts import PROFILE_FIELDS, profile_change
from common.edits import EditedError, edit_mark
from common.errors import InputError
from common.limits import rate_limited
from ladder.forms import ProfileForm
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.profiles import profile_of, user_named


@require_safe
@cached_for_anonymous()
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show what a user says and has won, the bots with ranks and leagues, and the newest matches."""
    user = user_named(name=name)
    if user is None:
        raise Http404(_("There is no such user."))
    return render(request, "ladder/profile.html", {"profile": profile_of(user=user, reader=request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limited("profile")
def profile_edit(request: HttpRequest) -> HttpResponse:
    """Show the form of the own profile, or save it (POST)."""
    user = signed_in(request)
    initial = {"affiliation": user.affiliation, "about": user.about, "read": edit_mark(row=user, names=PROFILE_FIELDS)}
    form = ProfileForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            profile_change(user=user, **form.cleaned_data)
        except EditedError as error:
            form.edited_add(error)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Your profile is saved."))
            return redirect("ladder:profile", user.username)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "ladder/profile_edit.html", {"form": form}, status=status)
