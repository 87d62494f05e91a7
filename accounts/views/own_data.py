"""The pages on which users export what is stored about them, change their profile, and choose another name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import own_form, own_page, signed_in
from accounts.exports import export_pieces, export_sections
from accounts.forms import ProfileForm, RenameForm
from accounts.known_devices import address_remember, device_remember
from accounts.services.accounts import PROFILE_FIELDS, account_rename, profile_change
from common.edits import edit_mark
from common.limits import rate_limited
from common.shortcuts import form_page
from common.threads import ask_database


@own_page
# The attack, here and below: with a browser left open or a stolen cookie somebody takes all programs and addresses.
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth brings no types
def data(request: HttpRequest) -> HttpResponse:
    """Show what the export holds."""
    return render(request, "accounts/data.html", {"sections": export_sections()})


@own_page
@reauthentication_required  # type: ignore[untyped-decorator]
@rate_limited("export", method="GET")
def data_download(request: HttpRequest) -> HttpResponseBase:
    """Serve the export of the user's data, which is made while it is sent."""
    user = signed_in(request)
    response = StreamingHttpResponse(_sent(export_pieces(user=user)), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="banzuke-{user.pk}.zip"'
    return response


async def _sent(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the pieces; each is made in a thread that keeps no connection to the database between two of them."""
    while piece := await ask_database(next, pieces, b""):
        yield piece


@own_form
def rename(request: HttpRequest) -> HttpResponse:
    """Show the form for another user name (GET), or take the name (POST)."""
    if request.method == "POST":
        response: HttpResponse = _renamed(request)
        return response
    return render(request, "accounts/rename.html", {"form": RenameForm(initial={"name": signed_in(request).username})})


# The attack: with a browser left open or a stolen cookie somebody renames the account, whose owner cannot sign in.
@reauthentication_required  # type: ignore[untyped-decorator]
@rate_limited("rename")
def _renamed(request: HttpRequest) -> HttpResponse:
    form = RenameForm(request.POST)
    form.saved(lambda: account_rename(user=signed_in(request), name=form.cleaned_data["name"]))
    if form.wrong:
        return form_page(request, "accounts/rename.html", form)
    messages.success(request, _("Your name is %(name)s now. Sign in by it from now on.") % form.cleaned_data)
    response: HttpResponse = redirect(settings.OWN_PAGE_URL)
    # This browser is still one of the owner's when somebody guesses passwords for the new name.
    device_remember(response, username=form.cleaned_data["name"])
    address_remember(request, username=form.cleaned_data["name"])
    return response


@own_form
@rate_limited("profile")
def profile_edit(request: HttpRequest) -> HttpResponse:
    """Show the form of the own profile, or save it (POST)."""
    user = signed_in(request)
    initial = {"affiliation": user.affiliation, "about": user.about, "read": edit_mark(row=user, names=PROFILE_FIELDS)}
    form = ProfileForm(request.POST or None, initial=initial)
    form.saved(lambda: profile_change(user=user, **form.cleaned_data))
    if not form.is_bound or form.wrong:
        return form_page(request, "accounts/profile_edit.html", form)
    messages.success(request, _("Your profile is saved."))
    return HttpResponseRedirect(user.get_absolute_url())  # type: ignore[attr-defined]  # ABSOLUTE_URL_OVERRIDES
