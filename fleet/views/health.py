"""Addresses for what watches over the site."""

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
    """Answer 200 while every part can be used and does its work, else 503 with what does not, which is logged."""
    problems = "\n".join(map(str, health_problems()))
    if problems:
        log.warning("unhealthy", problems=problems)
    status = HTTPStatus.SERVICE_UNAVAILABLE if problems else HTTPStatus.OK
    return HttpResponse(problems or "ok", content_type="text/plain", status=status)


@never_cache
@require_safe
async def livez(request: HttpRequest) -> HttpResponse:
    """Answer 200 while this process answers at all: no reason to restart it, whatever else is away.

    A coroutine, so that it waits for none of the threads of pages, which wait for a database that is away.
    """
    return HttpResponse("ok", content_type="text/plain")
