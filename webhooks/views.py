"""The page of a user's webhooks."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import own_act, own_form, signed_in
from accounts.news_kinds import topic_choices
from common.errors import InputError
from common.forms import posted
from common.limits import rate_limited
from webhooks.models import Hook
from webhooks.selectors.hooks import deliveries_of, hook_of, hooks_of
from webhooks.services.deliveries import delivery_test
from webhooks.services.hooks import HOOKS_MAX, hook_create, hook_delete, hook_resume

ACTS: dict[str, Callable[[Hook], object]] = {
    "delete": lambda hook: hook_delete(hook=hook),
    "test": lambda hook: delivery_test(hook=hook),
    "resume": lambda hook: hook_resume(hook=hook),
}


@own_form
@rate_limited("hook")
def hooks(request: HttpRequest) -> HttpResponse:
    """List the reader's webhooks; on POST make one and show its secret, which happens only this once."""
    if request.method != "POST":
        return _page(request)
    url, groups = posted(request, "url"), request.POST.getlist("groups")
    try:
        return _page(request, new=hook_create(owner=signed_in(request), url=url, groups=groups))
    except InputError as error:
        return _page(request, error=str(error), url=url, groups=groups)


@own_act
@rate_limited("hook")
def hook_act(request: HttpRequest, pk: str, action: str) -> HttpResponse:
    """Delete one of the reader's webhooks, send a test to it, or turn it on again."""
    hook = hook_of(owner=signed_in(request), pk=int(pk))
    if hook is None:
        raise Http404(_("There is no such webhook, or it is not yours."))
    ACTS[action](hook)
    if action == "test":
        messages.success(request, _("A test is sent within some seconds. Load this page again to see its answer."))
    return redirect("webhooks:hooks")


def _page(
    request: HttpRequest,
    *,
    new: Hook | None = None,
    error: str = "",
    url: str = "",
    groups: list[str] | None = None,
) -> HttpResponse:
    rows = [(hook, deliveries_of(hook=hook)) for hook in hooks_of(owner=signed_in(request))]
    chosen = dict(topic_choices()) if groups is None else groups
    context = {
        "rows": rows,
        "new": new,
        "error": error,
        "url": url,
        "groups": [(value, label, value in chosen) for value, label in topic_choices()],
        "is_full": len(rows) >= HOOKS_MAX,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return render(request, "webhooks/hooks.html", context, status=status)
