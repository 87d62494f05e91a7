"""What machines ask the site for: metrics, and to be let in."""

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
    """What a machine sends to join."""

    secret: str
    """Of its token."""


@never_cache
@require_safe
@staff_or_token
def metrics(request: HttpRequest) -> HttpResponse:
    """Give the metrics to Prometheus."""
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)


# A machine has no session, so there is no cookie that another site could make a browser send along: the secret is the
# only authority, too long to be guessed, and good once.
@csrf_exempt
@never_cache
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Let a machine in that shows a good token: answers with its broker user, once."""
    try:
        admission = host_join(secret=msgspec.json.decode(request.body, type=JoinRequest).secret)
    except msgspec.DecodeError:
        return _sentence(_("Please join with `python -m workers.join TOKEN`."), HTTPStatus.BAD_REQUEST)
    except InputError as reason:
        return _sentence(str(reason), HTTPStatus.FORBIDDEN)
    except BrokerRefused as reason:  # told only to somebody with a good token
        log.warning("host_not_joined", error=str(reason))
        words = _("%(reason)s The token is still good: please try again when the broker is mended.")
        return _sentence(words % {"reason": f"{str(reason).rstrip('.')}."}, HTTPStatus.SERVICE_UNAVAILABLE)
    return HttpResponse(msgspec.json.encode(admission), content_type="application/json")


def _sentence(words: str, status: HTTPStatus) -> HttpResponse:
    return HttpResponse(words, content_type="text/plain; charset=utf-8", status=status)
