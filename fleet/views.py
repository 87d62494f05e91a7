"""Metrics and the administrators' pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from fleet.access import staff_or_token
from fleet.exposition import metrics_text


@never_cache
@require_safe
@staff_or_token
def metrics(request: HttpRequest) -> HttpResponse:
    """Give the metrics to Prometheus."""
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)
