"""Signed URLs, by which workers read artifacts and store replays and builds; and the view behind them.

A worker has no account and no key of the store. With each job it gets URLs that allow one thing for a while: to read
one file, or to store a few files up to a size. Files are named by the SHA-256 of their content, so that storing one
twice does no harm, and none can be changed afterwards.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator, Callable
from functools import cache
from http import HTTPStatus
from typing import ParamSpec, TypeVar

import msgspec
import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signing
from django.core.cache import BaseCache, caches
from django.core.files.base import File
from django.core.files.storage import storages
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from jobs.files.storage import ARTIFACTS, REPLAYS, StoreName, TooLarge, file_store
from jobs.leases import JOB_LIFE_SECONDS_MAX
from wire.jobs import Sha256

log = structlog.get_logger(__name__)

AS_A_FILE = {"Content-Disposition": "attachment", "Content-Security-Policy": "default-src 'none'; sandbox"}
"""Headers of files that strangers wrote. A browser that shows such a file after all (as HTML, as SVG) runs no script of
it and sends no cookie of the site."""

P = ParamSpec("P")
T = TypeVar("T")

CHUNK_BYTES = 64 * 1024
_SALT = "jobs.transfers"
"""Salt that separates these signatures from all others of the site, so that none of those allows a transfer."""
URL_SECONDS = JOB_LIFE_SECONDS_MAX
FILES_MAX: dict[StoreName, int] = {ARTIFACTS: 2, REPLAYS: 4}
"""How many files one URL allows to store: a bot, or a replay and its log of turns; and as many again for a job that is
delivered twice."""
_NAME_BYTES = 12


async def _in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that waits for files, in any thread of a pool: to start one for the request would cost more."""
    return await sync_to_async(function, thread_sensitive=False)(*args, **kwargs)


class TransferRefused(Exception):  # noqa: N818 - the sentence and the status say what is wrong
    """A transfer that is not allowed. Its text is a whole sentence for the administrator of the worker."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Download(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="method", tag="GET"):
    """The permission in a signed URL to read one file."""

    store: StoreName
    digest: Sha256


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="method", tag="PUT"):
    """The permission in a signed URL to store files."""

    store: StoreName
    max_bytes: int
    name: str = ""
    """Random, so that no two URLs are the same."""
    more_seconds: int = 0
    """How much longer than ``URL_SECONDS`` the URL is valid."""


def download_url(*, store: StoreName, digest: str) -> str:
    """Return a URL that allows to read the file ``digest`` of a store for ``URL_SECONDS``."""
    return _url(Download(store, digest))


def upload_url(*, store: StoreName, more_seconds: int = 0) -> str:
    """Return a URL that allows to store the files of one job in a store, for ``URL_SECONDS``.

    ``more_seconds`` is how much longer than other jobs this one may take.
    """
    max_bytes = settings.REPLAY_MAX_BYTES if store == REPLAYS else settings.TRANSFER_MAX_BYTES
    return _url(Upload(store, max_bytes, secrets.token_urlsafe(_NAME_BYTES), more_seconds))


def _url(permit: Download | Upload) -> str:
    token = signing.dumps(msgspec.to_builtins(permit), salt=_SALT)
    return str(settings.BANZUKE_URL).rstrip("/") + reverse("transfer", args=[token])


# Workers have no session, so there is no cookie that another site could make a browser send along: the signed token
# is the only authority, and only our own services make one.
@csrf_exempt
@require_http_methods(["GET", "PUT"])
async def transfer(request: HttpRequest, token: str) -> HttpResponseBase:
    """Answer with one file, or store one, as the signed ``token`` allows; a refusal is JSON with an ``error``."""
    try:
        permit = _permit(token, request.method)
        if isinstance(permit, Download):
            return await _download(permit)
        return await _in_thread(_upload, request, permit, token)
    except TransferRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=refusal.status)


def _permit(token: str, method: str | None) -> Download | Upload:
    try:
        content = signing.loads(token, salt=_SALT)
        permit: Download | Upload = msgspec.convert(content, Download | Upload)
        more_seconds = permit.more_seconds if isinstance(permit, Upload) else 0
        signing.loads(token, salt=_SALT, max_age=URL_SECONDS + more_seconds)
    except signing.SignatureExpired as error:
        sentence = _("This URL has expired: its job has been given to another worker.")
        raise TransferRefused(HTTPStatus.GONE, sentence) from error
    except (signing.BadSignature, msgspec.ValidationError) as error:
        sentence = _("This URL is not one of ours: use it exactly as the job gives it.")
        raise TransferRefused(HTTPStatus.FORBIDDEN, sentence) from error
    if content["method"] != method:
        sentence = _("This URL allows %(method)s only.") % {"method": content["method"]}
        raise TransferRefused(HTTPStatus.METHOD_NOT_ALLOWED, sentence)
    return permit


async def _download(permit: Download) -> HttpResponseBase:
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

    headers = {"Content-Length": str(file.size), **AS_A_FILE}
    return StreamingHttpResponse(file_chunks(file), content_type="application/octet-stream", headers=headers)


async def file_chunks(file: File[bytes]) -> AsyncIterator[bytes]:
    """Yield the content of an open file in chunks for a streaming answer, and close it."""
    with file:
        while chunk := await _in_thread(file.read, CHUNK_BYTES):
            yield chunk


def _upload(request: HttpRequest, permit: Upload, token: str) -> HttpResponseBase:
    def admit(digest: str) -> None:
        _upload_count(token, digest, FILES_MAX[permit.store])

    try:
        # A declared size over the limit is refused before a byte is read; a client that lies is stopped at the limit.
        if int(request.headers.get("Content-Length") or 0) > permit.max_bytes:
            raise TooLarge
        chunks = iter(lambda: request.read(CHUNK_BYTES), b"")
        stored = file_store(store=permit.store, chunks=chunks, max_bytes=permit.max_bytes, admit=admit)
    except TooLarge as error:
        sentence = _("This file is too large: at most %(bytes)d bytes are taken.") % {"bytes": permit.max_bytes}
        raise TransferRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence) from error
    except OSError as error:
        log.exception("store_failed", store=permit.store)
        # The reason of the system without a path: the page of the match shows it to everybody.
        sentence = _("The site cannot store files (%(reason)s).") % {"reason": error.strerror}
        raise TransferRefused(HTTPStatus.INSUFFICIENT_STORAGE, sentence) from error
    return JsonResponse({"digest": stored.digest, "bytes": stored.size_bytes})


def _upload_count(token: str, digest: str, files_max: int) -> None:
    """Count a file that is stored by a URL; the same content counts once, however often it is sent.

    The attack: a host takes one job and fills the disk with the help of its URL.

    Raises:
        TransferRefused: ``files_max`` other files have been stored by this URL.
    """
    url = hashlib.sha256(token.encode()).hexdigest()[:32]
    for number in range(files_max):
        key = f"{url}.{number}"
        if _upload_cache().add(key, digest, URL_SECONDS) or _upload_cache().get(key) == digest:
            return
    log.warning("transfer_used_up", files=files_max)
    sentence = _("This URL has been used up: its job has stored all the files that it may.")
    raise TransferRefused(HTTPStatus.CONFLICT, sentence)


@cache
def _upload_cache() -> BaseCache:
    """Return the cache that counts files, one for all requests: a cache of its own would have to connect each time."""
    return caches.create_connection("uploads")
