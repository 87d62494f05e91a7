"""Downloads bots and uploads results by HTTP, with the signed URLs in a worker's job; caches unpacked bots."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from itertools import chain, repeat
from pathlib import Path
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import requests
import structlog

from sandbox.api import PlatformFault
from sandbox.tars import unpack
from wire.tables import TABLE_SECONDS_MAX
from wire.transport import PATIENCE_SECONDS

ARTIFACT_BYTES_MAX = 80 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
KEPT_MAX = 200
"""How many unpacked artifacts stay in the cache."""

AUTHORITIES = "REQUESTS_CA_BUNDLE"
"""The environment variable with the path of a file of certificate authorities, for a site or broker whose certificate
no public authority has signed. The requests library reads the same variable."""

_WORKSPACE = "workspace-"
_ROOT = "root"
_LISTING = "listing"
_TIMEOUT_SECONDS = (5, 60)
FETCH_SECONDS = 30.0
"""How long a download is retried: long enough for a restart of the site, so that no match fails for it."""
STORE_SECONDS = float(PATIENCE_SECONDS)
"""How long an upload is retried, as long as its report is, so that a slow upgrade of the site costs no match. The
worker takes no other job meanwhile, but the results of that job could not be uploaded either."""
RESTART_SECONDS = 10
"""For so long a site is away that is started (again), which is nothing to warn of."""
PAUSES_SECONDS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0)
"""Pauses between retries; the last one is repeated."""
_RETRIED_STATUSES = (502, 503, 504, 507)
"""Status codes of a site that restarts, of its proxy, and of a full disk."""
WHOLE_TRIES = 3
"""How often a transfer whose answer breaks off is tried; the requests library does not retry it by itself."""

T = TypeVar("T")

log = structlog.get_logger()


class _TryAgain(PlatformFault):
    """The request failed, but may succeed later."""


class _SiteSession(requests.Session):
    """A session that follows redirects only within the host of the requested URL, which is in a signed job."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Return the URL that an answer redirects to if it is on the same host, otherwise None.

        The attack: the site, or an attacker in between, redirects a worker to a server in the worker's own network.
        """
        target = super().get_redirect_target(resp)
        if target and urlsplit(urljoin(resp.url, target)).hostname == urlsplit(resp.url).hostname:
            return target
        return None


class Transfer:
    """Downloads and uploads files by their signed URLs."""

    def __init__(self) -> None:
        self._session = _SiteSession()
        # Ignore the machine's proxy variables and password files: the signed URL is all that a transfer needs.
        self._session.trust_env = False
        self._session.verify = os.environ.get(AUTHORITIES) or True

    def get(self, url: str, digest: str, target: Path) -> None:
        """Download a file to ``target``; raise PlatformFault if that fails, or if its SHA-256 is not ``digest``."""
        if _retried(lambda: self._download(url, digest, target)) != digest:
            raise PlatformFault(f"The file {digest[:12]} has come changed: its SHA-256 is another one.")

    def put(self, url: str, data: bytes) -> str:
        """Upload a file, and return its SHA-256, by which the site finds it; raise PlatformFault if that fails."""
        digest = hashlib.sha256(data).hexdigest()

        def upload() -> str:
            with self._request("PUT", url, STORE_SECONDS, data) as response:
                return str(response.json().get("digest"))

        if _retried(upload) != digest:
            raise PlatformFault(f"The file {digest[:12]} has arrived changed: its SHA-256 is another one.")
        return digest

    def _download(self, url: str, digest: str, target: Path) -> str:
        """Download a file once, and return its SHA-256; raise PlatformFault if it is too large or cannot be got."""
        sha256, size = hashlib.sha256(), 0
        with self._request("GET", url, FETCH_SECONDS) as response, target.open("wb") as file:
            for chunk in response.iter_content(CHUNK_BYTES):
                size += len(chunk)
                if size > ARTIFACT_BYTES_MAX:
                    raise PlatformFault(f"The file {digest[:12]} is larger than any bot may be.")
                sha256.update(chunk)
                file.write(chunk)
        return sha256.hexdigest()

    def _request(self, method: str, url: str, seconds: float, data: bytes | None = None) -> requests.Response:
        """Send a request and return the answer; repeat the request for at most ``seconds`` while the site is away.

        The time is limited, not the number of tries, since a try lasts a minute at a site that accepts connections but
        never answers.

        Raises:
            PlatformFault: the site could not be reached in this time, or refused the request.
        """
        begun = time.monotonic()
        pauses_seconds = chain(PAUSES_SECONDS, repeat(PAUSES_SECONDS[-1]))
        while True:
            try:
                return self._request_once(method, url, data)
            except _TryAgain as error:
                pause_seconds = next(pauses_seconds)
                waited_seconds = time.monotonic() - begun
                if waited_seconds + pause_seconds >= seconds:
                    raise
                tell = log.info if waited_seconds < RESTART_SECONDS else log.warning
                tell("site_awaited", reason=str(error))
            time.sleep(pause_seconds)

    def _request_once(self, method: str, url: str, data: bytes | None) -> requests.Response:
        # A file object is sent in pieces. Bytes would be sent in one piece, for which the short timeout of connecting
        # holds: too short for a slow network.
        body = None if data is None else io.BytesIO(data)
        try:
            response = self._session.request(method, url, data=body, stream=True, timeout=_TIMEOUT_SECONDS)
        except (requests.ConnectionError, requests.Timeout) as error:
            if is_certificate_refused(error):
                raise _TryAgain(f"The site's certificate is not accepted; {AUTHORITIES} names who may sign.") from error
            raise _TryAgain("The site could not be reached.") from error
        except requests.RequestException as error:
            raise PlatformFault(f"The site could not be asked: {error}") from error
        if response.status_code != requests.codes.ok:
            fault = _TryAgain if response.status_code in _RETRIED_STATUSES else PlatformFault
            raise fault(f"The site refused a transfer ({response.status_code}): {_reason(response)[:200]}")
        return response


def is_certificate_refused(error: requests.RequestException) -> bool:
    """Return True if a request failed because no trusted authority has signed the server's certificate.

    The class of the error does not show it: connections that break off, and servers without TLS, raise the same one.
    """
    return "CERTIFICATE_VERIFY_FAILED" in str(error)


def _retried(transfer: Callable[[], T]) -> T:
    """Return what ``transfer`` returns; call it again if the site's answer breaks off in the middle.

    Raises:
        PlatformFault: the answer broke off in each of ``WHOLE_TRIES`` calls, or ``transfer`` raised this error itself.
    """
    for _ in range(WHOLE_TRIES):
        try:
            return transfer()
        except requests.RequestException as error:
            log.warning("transfer_broke_off", error=str(error))
    raise PlatformFault("The site could not be reached.")


def _reason(response: requests.Response) -> str:
    """Return the error in the site's JSON; for other answers, for instance of a proxy, the whole text."""
    try:
        return str(response.json()["error"])
    except (ValueError, LookupError, TypeError):
        return response.text


class ArtifactCache:
    """Unpacked artifacts by their digest, so that each machine downloads a bot only once.

    Each artifact has a folder with its root and a listing of the root's files. The listing shows when files are
    missing, since programs that clean up a machine's caches delete old files one by one: the bot would crash in every
    match on this machine, and be blamed for it.
    """

    def __init__(self, folder: Path, transfer: Transfer) -> None:
        self.folder = folder
        self._transfer = transfer

    def root(self, url: str, digest: str) -> Path:
        """Return the root folder of an unpacked artifact; download it first if it or some of its files are missing.

        Raises:
            PlatformFault: the artifact cannot be downloaded or unpacked.
        """
        home = self.folder / digest
        if home.is_dir() and not _is_whole(home):
            log.warning("artifact_not_whole", artifact=digest)
            shutil.rmtree(home, ignore_errors=True)
        if not home.is_dir():
            with self.workspace() as temporary:
                tar, made = Path(temporary, "artifact.tar"), Path(temporary, "made")
                self._transfer.get(url, digest, tar)
                made.mkdir()
                unpack(tar.read_bytes(), made / _ROOT)
                (made / _LISTING).write_text(_listing(made / _ROOT))
                try:
                    made.rename(home)
                except OSError:
                    if not home.is_dir():  # else another process of this machine was faster
                        raise
            # Delete the least recently used artifacts beyond ``KEPT_MAX``, and workspaces that killed workers have
            # left. What was used within the time of the longest job stays, since a running match may need it.
            entries = sorted(self.folder.iterdir(), key=_last_used, reverse=True)
            kept = [path for path in entries if not path.name.startswith(_WORKSPACE)][:KEPT_MAX]
            for path in entries:
                if path not in kept and _last_used(path) < time.time() - TABLE_SECONDS_MAX:
                    # Errors are ignored, since another process of this machine may be deleting the same files.
                    shutil.rmtree(path, ignore_errors=True)
        os.utime(home)
        return home / _ROOT

    def verify(self, digest: str) -> None:
        """Raise PlatformFault if the files of a cached artifact are no longer those unpacked, by path and size.

        Call it after a bot's fault: no bot may be blamed for files that were deleted from this worker's cache.
        """
        if not _is_whole(self.folder / digest):
            raise PlatformFault(f"Files of the bot {digest[:12]} have gone from this worker's cache during the match.")

    def workspace(self) -> tempfile.TemporaryDirectory[str]:
        """Return a context manager for a temporary folder beside the artifacts, so that folders can be renamed."""
        self.folder.mkdir(parents=True, exist_ok=True)  # somebody may have deleted it to free disk space
        return tempfile.TemporaryDirectory(dir=self.folder, prefix=_WORKSPACE)


def _is_whole(home: Path) -> bool:
    """Return True if an artifact's folder has all the files that its listing names."""
    try:
        return (home / _LISTING).read_text() == _listing(home / _ROOT)
    except FileNotFoundError:  # the listing is missing, or a file vanished meanwhile
        return False


def _listing(root: Path) -> str:
    """Return the SHA-256 of the paths and sizes of all files in a folder; much faster than hashing their contents."""
    files = (os.path.join(folder, name) for folder, _, names in os.walk(os.fsencode(root)) for name in names)
    lines = sorted(b"%s %d" % (file[len(os.fsencode(root)) :], os.stat(file).st_size) for file in files)
    return hashlib.sha256(b"\0".join(lines)).hexdigest()


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
