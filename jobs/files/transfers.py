"""How artifacts and replays reach the workers and come back: signed addresses, nothing else.

A worker has no account and no key of the store. For each job it gets addresses that allow one thing for a while: to
read one file, or to store a few files up to a size. Files are addressed by their content (SHA-256), so that storing one
twice is no harm, and none can be changed afterwards.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from http import HTTPStatus
from typing import ParamSpec, TypeVar

import msgspec
import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signing
from django.core.cache import BaseCache, caches
from django.core.files.storage import storages
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from jobs.files.storage import ARTIFACTS, REPLAYS, StoreName, TooLarge, file_store
from jobs.leases import HELD_SECONDS_MAX
from wire.jobs import Sha256

log = structlog.get_logger(__name__)

AS_A_FILE = {"Content-Disposition": "attachment", "Content-Security-Policy": "default-src 'none'; sandbox"}
"""Headers of what strangers have written: a browser that shows it all the same (as HTML, as SVG) may run nothing of it
and knows no cookie of ours."""

P = ParamSpec("P")
T = TypeVar("T")

CHUNK_BYTES = 64 * 1024
_SALT = "jobs.transfers"
"""So that no other signature of the site allows a transfer."""
URL_SECONDS = HELD_SECONDS_MAX
FILES_MAX: dict[StoreName, int] = {ARTIFACTS: 2, REPLAYS: 4}
"""That one address allows to store: a bot, or a replay and its log of turns, and as much again for a job that is
delivered twice."""
_NAME_BYTES = 12


async def _in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that waits for files: in any thread, since one of the request's own would have to be started."""
    return await sync_to_async(function, thread_sensitive=False)(*args, **kwargs)


class TransferRefused(Exception):  # noqa: N818 - the sentence and the status say what is wrong
    """A transfer that is not allowed. Its text is a whole sentence for whoever runs the worker."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Download(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="method", tag="GET"):
    """A signed address that allows to read one file."""

    store: StoreName
    digest: Sha256


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="method", tag="PUT"):
    """A signed address that allows to store files."""

    store: StoreName
    max_bytes: int
    name: str = ""
    """Random, so that no two addresses are the same."""


def download_url(*, store: StoreName, digest: str) -> str:
    """Return an address that allows to read one file for a while."""
    return _url(Download(store, digest))


def upload_url(*, store: StoreName) -> str:
    """Return an address that allows to store the files of one job for a while."""
    max_bytes = settings.REPLAY_MAX_BYTES if store == REPLAYS else settings.TRANSFER_MAX_BYTES
    return _url(Upload(store, max_bytes, secrets.token_urlsafe(_NAME_BYTES)))


def _url(permit: Download | Upload) -> str:
    token = signing.dumps(msgspec.to_builtins(permit), salt=_SALT)
    return str(settings.BANZUKE_URL).rstrip("/") + reverse("transfer", args=[token])


# Workers have no session, so there is no cookie that another site could make a browser send along: the signed token
# is the only authority, and only our own services make one.
@csrf_exempt
@require_http_methods(["GET", "PUT"])
async def transfer(request: HttpRequest, token: str) -> HttpResponseBase:
    """Give or take one file, as the signed token allows."""
    try:
        permit = _permit(token, request.method)
        if isinstance(permit, Download):
            return await _give(permit)
        return await _in_thread(_take, request, permit, token)
    except TransferRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=refusal.status)


def _permit(token: str, method: str | None) -> Download | Upload:
    try:
        content = signing.loads(token, salt=_SALT, max_age=URL_SECONDS)
        permit: Download | Upload = msgspec.convert(content, Download | Upload)
    except signing.SignatureExpired as error:
        sentence = _("This address has expired: its job has been given to somebody else.")
        raise TransferRefused(HTTPStatus.GONE, sentence) from error
    except (signing.BadSignature, msgspec.ValidationError) as error:
        sentence = _("This address is not one of ours: use it exactly as the job gives it.")
        raise TransferRefused(HTTPStatus.FORBIDDEN, sentence) from error
    if content["method"] != method:
        sentence = _("This address allows %(method)s only.") % {"method": content["method"]}
        raise TransferRefused(HTTPStatus.METHOD_NOT_ALLOWED, sentence)
    return permit


async def _give(permit: Download) -> HttpResponseBase:
    try:
        file = await _in_thread(storages[permit.store].open, permit.digest)
    except FileNotFoundError as error:
        log.error("store_file_missing", store=permit.store, digest=permit.digest)
        sentence = _("The file %(name)s is not in the store any more.") % {"name": permit.digest[:12]}
        raise TransferRefused(HTTPStatus.NOT_FOUND, sentence) from error
    except OSError as error:
        log.exception("store_failed", store=permit.store)
        sentence = _("The site cannot read files (%(reason)s).") % {"reason": error.strerror}
        raise TransferRefused(HTTPStatus.SERVICE_UNAVAILABLE, sentence) from error

    async def chunks() -> AsyncIterator[bytes]:
        with file:
            while chunk := await _in_thread(file.read, CHUNK_BYTES):
                yield chunk

    headers = {"Content-Length": str(file.size), **AS_A_FILE}
    return StreamingHttpResponse(chunks(), content_type="application/octet-stream", headers=headers)


def _take(request: HttpRequest, permit: Upload, token: str) -> HttpResponseBase:
    address = hashlib.sha256(token.encode()).hexdigest()[:32]

    def admit(digest: str) -> None:
        _count(address, digest, FILES_MAX[permit.store])

    try:
        # The declared size is refused before a byte is read; a client that lies is stopped at the limit.
        if int(request.headers.get("Content-Length") or 0) > permit.max_bytes:
            raise TooLarge
        stored = file_store(store=permit.store, chunks=_body(request), max_bytes=permit.max_bytes, admit=admit)
    except TooLarge as error:
        sentence = _("This file is too large: at most %(bytes)d bytes are taken.") % {"bytes": permit.max_bytes}
        raise TransferRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence) from error
    except OSError as error:
        log.exception("store_failed", store=permit.store)
        # The reason of the system, and no path: it stands at the match, for everybody to read.
        sentence = _("The site cannot store files (%(reason)s).") % {"reason": error.strerror}
        raise TransferRefused(HTTPStatus.INSUFFICIENT_STORAGE, sentence) from error
    return JsonResponse({"digest": stored.digest, "bytes": stored.size_bytes})


def _count(address: str, digest: str, files_max: int) -> None:
    """Count a file of an address; the same content counts once, however often it is sent.

    The attack this stops: a host takes one job and fills the disk by its address.

    Raises:
        TransferRefused: the address has been used up.
    """
    for number in range(files_max):
        place = f"{address}.{number}"
        if _uploads().add(place, digest, URL_SECONDS) or _uploads().get(place) == digest:
            return
    log.warning("transfer_used_up", files=files_max)
    sentence = _("This address has been used up: its job has stored all the files that it may.")
    raise TransferRefused(HTTPStatus.CONFLICT, sentence)


@cache
def _uploads() -> BaseCache:
    """Return where files are counted, kept: in each request's own cache a connection would have to be made."""
    return caches.create_connection("uploads")


def _body(request: HttpRequest) -> Iterator[bytes]:
    while chunk := request.read(CHUNK_BYTES):
        yield chunk
