"""The ASGI application, run by ``uvicorn arena.asgi:application``."""

import secrets
import sys
import warnings
from contextlib import closing
from typing import Any

from django.core.asgi import get_asgi_application
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from structlog.contextvars import bound_contextvars

from arena.serving.arrivals import ArrivalStamp
from arena.serving.body_limit import Application, BodyLimit, Receive, Send
from arena.serving.visitor_limit import VisitorLimit

# A thread that computes keeps the interpreter's lock for up to 5 ms by default when the event loop wants it back, which
# the loop does for each connection and each part of a body. In a rush of uploads it then read requests up to half a
# second late.
sys.setswitchinterval(0.0005)

# WhiteNoise returns static files as synchronous iterators. They are small and browsers cache them for ever, so reading
# them at once is right, and the warning would only fill the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

_django = get_asgi_application()

from django.conf import settings  # noqa: E402 - settings can be read only now

from arena.serving.page_handler import PageHandler, is_page  # noqa: E402 - reads Django's URLs
from jobs.files.transfers import transfer  # noqa: E402

TRANSFERS = "/transfer/"
"""Path prefix under which workers read and store files; see ``jobs.files.transfers``."""
_NUMBER_BYTES = 4
"""Length of a request's random number: enough to find the log lines of one request among those of a day."""


class _Transfers(ASGIHandler):
    """Django's handler for one view, without middleware.

    A worker has no session, language or page, only its signed URL, and no transfer uses the database. The middleware
    for browsers took 2.6 of the 4.0 ms of CPU of each replay that was stored.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Load no middleware."""

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request of a worker for one file."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            request, refusal = self.create_request(scope, body)
            token = scope["path"].removeprefix(TRANSFERS)
            response = await transfer(request, token) if request else refusal
            assert response is not None  # noqa: S101 - for the type checker: without a request there is a refusal
            await self.send_response(response, send)


_transfers = _Transfers()
_pages = PageHandler()


async def _route(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Pass a request to the handler for its path; each line that is logged meanwhile contains the request's number."""
    handler: Application = _django
    if scope["type"] == "http" and scope["path"].startswith(TRANSFERS):
        handler = _transfers
    elif scope["type"] == "http" and is_page(scope["path"]):
        handler = _pages
    with bound_contextvars(request=secrets.token_hex(_NUMBER_BYTES)):
        await handler(scope, receive, send)


application = ArrivalStamp(
    VisitorLimit(
        BodyLimit(
            _route,
            max_bytes=settings.UPLOAD_MAX_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            max_bytes_under={TRANSFERS: settings.TRANSFER_MAX_BYTES},
        )
    )
)
