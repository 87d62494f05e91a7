"""When a request reached the site: stamped before anything of the site waits, and compared with deadlines later."""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from datetime import datetime, timedelta
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

from common.queries.sql import database_now

_ARRIVED = "banzuke.arrived"
"""The key of the stamp in the scope of a request. A client can add headers to a scope, but no keys."""
BODY_SECONDS = 60
"""How long the body of a request may take without making the request late."""


def arrival_stamp(scope: MutableMapping[str, Any]) -> None:
    """Write into the ASGI scope of a request that it arrives now, by the monotonic clock of this process."""
    scope[_ARRIVED] = time.monotonic()


def arrival_of_body(scope: MutableMapping[str, Any]) -> None:
    """Write that the body of a stamped request has arrived now: the stamp becomes at most ``BODY_SECONDS`` old.

    The attack: somebody sends the head in time, and the program as slowly as the web server allows, which for a large
    one takes minutes in which he still writes it.
    """
    scope[_ARRIVED] = max(scope[_ARRIVED], time.monotonic() - BODY_SECONDS)


def arrived_at(request: HttpRequest) -> datetime:
    """Return when a request reached the site, by the clock of the database (1 query).

    It is the database's time now, less the time that the request has waited in this process. So an upload is not late
    because the site was busy, and the clocks of the site's machines, which may differ by seconds, do not matter. The
    stamp is that of the request's head, if its body takes at most ``BODY_SECONDS``.
    """
    now = database_now()
    return now - timedelta(seconds=waited_seconds(request))


def waited_seconds(request: HttpRequest) -> float:
    """Return how long ago a request reached the site, by the clock of this process; 0 if it has no stamp."""
    scope = request.scope if isinstance(request, ASGIRequest) else {}
    now = time.monotonic()
    return float(now - scope.get(_ARRIVED, now))
