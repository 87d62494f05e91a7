"""URLs for machines: metrics for Prometheus, and joining for hosts."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
import structlog
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from common.errors import InputError
from fleet.access import staff_or_token
from fleet.broker import BrokerRefused
from fleet.metrics import metrics_text
from fleet.services.hosts import host_join

log = structlog.get_logger(__name__)


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The JSON body with which a machine joins."""

    secret: str
    """The secret in its token."""


@require_safe
@staff_or_token
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with the metrics in Prometheus' text format."""
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)


# A machine sends no session cookie, so there is nothing for cross-site requests to abuse: only the secret counts, which
# is too long to guess and works once.
@csrf_exempt
@never_cache
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Let a machine with a valid token join: answer with its ``Admission``, which has the URL of its broker user."""
    try:
        admission = host_join(secret=msgspec.json.decode(request.body, type=JoinRequest).secret)
    except msgspec.DecodeError:
        return _sentence(_("Please join with `python -m workers.join TOKEN`."), HTTPStatus.BAD_REQUEST)
    except InputError as reason:
        return _sentence(str(reason), HTTPStatus.FORBIDDEN)
    except BrokerRefused as reason:  # only a valid token gets here, so the details may be answered
        log.warning("host_not_joined", error=str(reason))
        words = _("%(reason)s The token is still good: please try again when the broker is mended.")
        return _sentence(words % {"reason": f"{str(reason).rstrip('.')}."}, HTTPStatus.SERVICE_UNAVAILABLE)
    return HttpResponse(msgspec.json.encode(admission), content_type="application/json")


def _sentence(words: str, status: HTTPStatus) -> HttpResponse:
    return HttpResponse(words, content_type="text/plain; charset=utf-8", status=status)
