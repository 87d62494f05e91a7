"""The page of notifications and its actions."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.access import own_act, own_page, signed_in
from accounts.selectors.notifications import notification_of, notifications_of
from accounts.selectors.users import confirmed_email
from accounts.services.notifications import notification_mails_set, notifications_read
from common.shortcuts import act_told

NOTIFICATIONS_A_PAGE = 30


@own_page
def notifications(request: HttpRequest) -> HttpResponse:
    """List the user's notifications, the newest first."""
    reader = signed_in(request)
    page = Paginator(notifications_of(reader=reader), NOTIFICATIONS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/notifications.html", {"page": page, "address": confirmed_email(user=reader)})


@own_page
def notification(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the page that a notification is about, and mark it as read.

    GET may change this state, so that the link can be opened in another tab: a forged request would only mark a
    notification as read.
    """
    found = notification_of(pk=pk, reader=signed_in(request))
    if found is None:
        raise Http404(_("There is no such notification, or it is not yours."))
    if request.method == "GET":
        notifications_read(reader=signed_in(request), pk=pk)
    return redirect(found.url)


@own_act
def notifications_by_mail(request: HttpRequest) -> HttpResponse:
    """Turn notifications by mail on, in the language of the page, if the field ``wanted`` is not empty; else off."""
    language = get_language() or "" if request.POST.get("wanted") else ""
    act_told(request, lambda: notification_mails_set(reader=signed_in(request), language=language))
    return redirect("accounts:notifications")


@own_act
def notifications_all_read(request: HttpRequest) -> HttpResponse:
    """Mark all notifications of the user as read."""
    notifications_read(reader=signed_in(request))
    return redirect("accounts:notifications")
