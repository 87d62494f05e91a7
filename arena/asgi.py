"""The web application: ``uvicorn arena.asgi:application``."""

import secrets
import warnings
from contextlib import closing
from typing import Any

from django.core.asgi import get_asgi_application
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from structlog.contextvars import bound_contextvars

from arena.serving.body_limit import BodyLimit, Receive, Send
from arena.serving.visitor_limit import VisitorLimit

# WhiteNoise hands static files out as ordinary iterators. They are small and browsers keep them for ever, so reading
# them at once is right; the warning would only stand in the log of every start.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

_django = get_asgi_application()

from django.conf import settings  # noqa: E402 - settings can be read only now

from arena.serving.page_handler import PageHandler, is_page  # noqa: E402 - knows Django's addresses
from jobs.files.transfers import transfer  # noqa: E402

TRANSFERS = "/transfer/"
"""Under it workers read and store files; see ``jobs.files.transfers``."""
_NUMBER_BYTES = 4
"""Of a request: enough to find the lines of one among those of a day."""


class _Transfers(ASGIHandler):
    """Django's handler for one view, without middleware.

    A worker has no session, language or page, only its signed URL, and no transfer touches the database. What stands
    around a request of a browser took 2.6 of 4.0 ms of CPU for each replay that was stored.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Load none."""

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
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
    """Answer a request; each line that is logged meanwhile has the request's number."""
    with bound_contextvars(request=secrets.token_hex(_NUMBER_BYTES)):
        await _answer(scope, receive, send)


async def _answer(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "http" and scope["path"].startswith(TRANSFERS):
        await _transfers(scope, receive, send)
    elif scope["type"] == "http" and is_page(scope["path"]):
        await _pages(scope, receive, send)
    else:
        await _django(scope, receive, send)


application = VisitorLimit(
    BodyLimit(
        _route,
        max_bytes=settings.UPLOAD_MAX_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        max_bytes_under={TRANSFERS: settings.TRANSFER_MAX_BYTES},
    )
)
