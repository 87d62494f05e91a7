"""The language of the site, as its reader has chosen it."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language


# Every page has the form, and a token in it would keep all pages out of `page_cache`; it changes a cookie only.
@csrf_exempt
@require_POST
def language_choose(request: HttpRequest) -> HttpResponseBase:
    """Remember a language by a cookie, and go back to the page.

    Raises:
        PermissionDenied: another site's page has sent the form. The attack it stops: a page that changes the language
            of whoever looks at it. Browsers name the site with every form they send.
    """
    origin = request.headers.get("Origin")
    if origin is not None and not _is_ours(origin, request):
        raise PermissionDenied
    return set_language(request)


def _is_ours(origin: str, request: HttpRequest) -> bool:
    # The last is for proxies that hand on another name of the site; all other forms are checked by it, too.
    host = request.get_host()
    return origin in (f"http://{host}", f"https://{host}", *settings.CSRF_TRUSTED_ORIGINS)
