"""The pages of notifications."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import signed_in
from accounts.selectors.notifications import notification_of, notifications_of
from accounts.selectors.users import confirmed_email
from accounts.services.notifications import notifications_read
from common.errors import InputError
from ladder.services.notices import notices_want
from ladder.words.notifications import notification_text, notification_url

NOTIFICATIONS_A_PAGE = 30


@login_required
@never_cache
@require_safe
def notifications(request: HttpRequest) -> HttpResponse:
    """List users their notifications, newest first."""
    reader = signed_in(request)
    page = Paginator(notifications_of(reader=reader), NOTIFICATIONS_A_PAGE).get_page(request.GET.get("page"))
    rows = [(notification, notification_text(notification)) for notification in page]
    address = confirmed_email(user=reader)
    return render(request, "ladder/notifications.html", {"page": page, "rows": rows, "address": address})


@login_required
@never_cache
@require_safe
def notification(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead to what a notification is about, and note that it was read.

    By GET, since it is a link that may be opened in another tab; whoever else made the browser open it would have
    nothing but a line marked as read.
    """
    found = notification_of(pk=pk, reader=signed_in(request))
    if found is None:
        raise Http404(_("There is no such notification, or it is not yours."))
    if request.method == "GET":
        notifications_read(reader=signed_in(request), pk=pk)
    return redirect(notification_url(found))


@login_required
@require_POST
def notifications_by_mail(request: HttpRequest) -> HttpResponse:
    """Note whether notifications go out by mail, too: in the language of the page, if ``wanted`` says anything."""
    try:
        notices_want(reader=signed_in(request), language=get_language() if request.POST.get("wanted") else "")
    except InputError as error:
        messages.error(request, str(error))
    return redirect("ladder:notifications")


@login_required
@require_POST
def notifications_all_read(request: HttpRequest) -> HttpResponse:
    """Note that all notifications were read."""
    notifications_read(reader=signed_in(request))
    return redirect("ladder:notifications")
