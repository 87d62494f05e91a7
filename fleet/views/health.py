"""URLs for monitoring: is the site healthy, is this process alive?"""

from __future__ import annotations

from http import HTTPStatus

import structlog
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from fleet.health import health_problems

log = structlog.get_logger(__name__)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if all health checks pass; otherwise 503 with one problem a line, which is also logged."""
    problems = "\n".join(map(str, health_problems()))
    if problems:
        log.warning("unhealthy", problems=problems)
    status = HTTPStatus.SERVICE_UNAVAILABLE if problems else HTTPStatus.OK
    return HttpResponse(problems or "ok", content_type="text/plain", status=status)


@never_cache
@require_safe
async def livez(request: HttpRequest) -> HttpResponse:
    """Answer 200: this process is alive and need not be restarted, even if the database or broker is away.

    It is a coroutine, so that it needs no thread: those of other pages may all be waiting for the database.
    """
    return HttpResponse("ok", content_type="text/plain")
