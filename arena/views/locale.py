"""The view by which readers choose the language of the site."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language


# Every page has this form, and a CSRF token in it would keep all pages out of `page_cache`. It only changes a cookie.
@csrf_exempt
@require_POST
def language_choose(request: HttpRequest) -> HttpResponseBase:
    """Store a language in a cookie, and redirect back to the page.

    Raises:
        PermissionDenied: a page of another site has sent the form, which browsers say in the Origin header. The attack
            it stops: such a page changes the language of its visitors.
    """
    host = request.get_host()
    # A proxy may pass on another name of the site; the CSRF protection of all other forms trusts these origins, too.
    ours = (f"http://{host}", f"https://{host}", *settings.CSRF_TRUSTED_ORIGINS)
    if request.headers.get("Origin", ours[0]) not in ours:
        raise PermissionDenied
    return set_language(request)
