"""How a worker gets bots and hands in what it made: by HTTP with the signed addresses of its job."""

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
from wire.transport import JOB_SECONDS_MAX, PATIENCE_SECONDS

ARTIFACT_BYTES_MAX = 80 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
KEPT_MAX = 200
"""Unpacked artifacts that stay in the cache."""

AUTHORITIES = "REQUESTS_CA_BUNDLE"
"""The environment variable with the path of a file of certificate authorities, for a site or a broker whose certificate
none of the usual ones has signed. Named as the requests library names it."""

_WORKSPACE = "workspace-"
_ROOT = "root"
_LISTING = "listing"
_TIMEOUT_SECONDS = (5, 60)
FETCH_SECONDS = 30.0
"""For so long a bot is asked for again. A site that restarts is back by then, and no match should fail for that."""
STORE_SECONDS = float(PATIENCE_SECONDS)
"""For so long what was played or built is sent again; its report waits as long. So a slow upgrade of the site costs no
match. A worker that waits takes no other job meanwhile, but that one could not be handed in either."""
PAUSES_SECONDS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0)
"""Pauses between tries; the last one is repeated."""
_NOT_NOW = (502, 503, 504, 507)
"""Status codes of a site that restarts, of its proxy, and of a full disk."""
WHOLE_TRIES = 3
"""Tries where an answer begins to come and breaks off: the requests library does not ask again by itself."""

T = TypeVar("T")

log = structlog.get_logger()


class _NotNow(PlatformFault):
    """The site may do later what it was asked."""


class _SiteSession(requests.Session):
    """Asks the site, whose addresses stand in signed jobs, and nobody else."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Return where an answer leads to, if that is on the same host.

        The attack: the site, or an attacker in between, leads a worker to a server of its own network.
        """
        target = super().get_redirect_target(resp)
        if target and urlsplit(urljoin(resp.url, target)).hostname == urlsplit(resp.url).hostname:
            return target
        return None


class Transfer:
    """Reads and stores files by their signed addresses."""

    def __init__(self) -> None:
        self._session = _SiteSession()
        # Proxies and password files that the machine has set up are ignored: the address in the job says all.
        self._session.trust_env = False
        self._session.verify = os.environ.get(AUTHORITIES) or True

    def get(self, url: str, digest: str, target: Path) -> None:
        """Read a file into ``target`` and make sure that it is the wanted one.

        Raises:
            PlatformFault: it cannot be had, or has another SHA-256.
        """
        if _whole(lambda: self._read(url, digest, target)) != digest:
            raise PlatformFault(f"The file {digest[:12]} has come changed: its SHA-256 is another one.")

    def put(self, url: str, data: bytes) -> str:
        """Store a file.

        Returns:
            Its SHA-256, under which it can be found.

        Raises:
            PlatformFault: it has not been stored.
        """
        digest = hashlib.sha256(data).hexdigest()
        if _whole(lambda: self._store(url, data)) != digest:
            raise PlatformFault(f"The file {digest[:12]} has arrived changed: its SHA-256 is another one.")
        return digest

    def _read(self, url: str, digest: str, target: Path) -> str:
        sha256, size = hashlib.sha256(), 0
        with self._request("GET", url, FETCH_SECONDS) as response, target.open("wb") as file:
            for chunk in response.iter_content(CHUNK_BYTES):
                size += len(chunk)
                if size > ARTIFACT_BYTES_MAX:
                    raise PlatformFault(f"The file {digest[:12]} is larger than any bot may be.")
                sha256.update(chunk)
                file.write(chunk)
        return sha256.hexdigest()

    def _store(self, url: str, data: bytes) -> str:
        with self._request("PUT", url, STORE_SECONDS, data) as response:
            return str(response.json().get("digest"))

    def _request(self, method: str, url: str, seconds: float, data: bytes | None = None) -> requests.Response:
        """Ask, and ask again while the site is away, within so many seconds.

        The time is limited, not the number of tries: where a site takes connections but never answers, each try lasts a
        minute.
        """
        ends = time.monotonic() + seconds
        pauses_seconds = chain(PAUSES_SECONDS, repeat(PAUSES_SECONDS[-1]))
        while True:
            try:
                return self._ask(method, url, data)
            except _NotNow as error:
                pause_seconds = next(pauses_seconds)
                if time.monotonic() + pause_seconds >= ends:
                    raise
                log.warning("site_awaited", error=str(error))
            time.sleep(pause_seconds)

    def _ask(self, method: str, url: str, data: bytes | None) -> requests.Response:
        # A file is sent in pieces. Bytes would be sent in one piece, which must be out within the timeout for
        # connecting: too short for a slow line.
        body = None if data is None else io.BytesIO(data)
        try:
            response = self._session.request(method, url, data=body, stream=True, timeout=_TIMEOUT_SECONDS)
        except (requests.ConnectionError, requests.Timeout) as error:
            if is_certificate_refused(error):
                raise _NotNow(f"The site's certificate is not accepted; {AUTHORITIES} names who may sign.") from error
            raise _NotNow("The site could not be reached.") from error
        except requests.RequestException as error:
            raise PlatformFault(f"The site could not be asked: {error}") from error
        if response.status_code != requests.codes.ok:
            fault = _NotNow if response.status_code in _NOT_NOW else PlatformFault
            raise fault(f"The site refused a transfer ({response.status_code}): {_reason(response)[:200]}")
        return response


def is_certificate_refused(error: requests.RequestException) -> bool:
    """Tell whether a request failed because nobody we trust has signed the certificate.

    A connection that breaks off, or whoever does not speak TLS, is an error of TLS to the requests library, too.
    """
    return "CERTIFICATE_VERIFY_FAILED" in str(error)


def _whole(transfer: Callable[[], T]) -> T:
    """Do a transfer, once more if its answer breaks off in the middle.

    Raises:
        PlatformFault: it has broken off ``WHOLE_TRIES`` times.
    """
    for _ in range(WHOLE_TRIES):
        try:
            return transfer()
        except requests.RequestException as error:
            log.warning("transfer_broke_off", error=str(error))
    raise PlatformFault("The site could not be reached.")


def _reason(response: requests.Response) -> str:
    """Return the sentence of a refusal, or whatever came instead of one, for instance from a proxy."""
    try:
        return str(response.json()["error"])
    except (ValueError, LookupError, TypeError):
        return response.text


class ArtifactCache:
    """Unpacked artifacts by their digest, so that a bot that plays often is fetched once a machine.

    Each has a folder with its root and a listing of that. Whoever cleans the caches of a machine takes away what looks
    old to him, file by file; the bot would then crash in every match here, and be blamed for it.
    """

    def __init__(self, folder: Path, transfer: Transfer) -> None:
        self.folder = folder
        self._transfer = transfer

    def root(self, url: str, digest: str) -> Path:
        """Return the folder of an unpacked artifact; fetch it first if it is not here, or not whole.

        Raises:
            PlatformFault: it cannot be had.
        """
        home = self.folder / digest
        if home.is_dir() and not _is_whole(home):
            log.warning("artifact_not_whole", artifact=digest)
            shutil.rmtree(home, ignore_errors=True)
        if not home.is_dir():
            self._fetch(url, digest, home)
            self._forget_oldest()
        os.utime(home)
        return home / _ROOT

    def verify(self, digest: str) -> None:
        """Make sure that a bot which has just played had all of its files.

        Raises:
            PlatformFault: some are gone.
        """
        if not _is_whole(self.folder / digest):
            raise PlatformFault(f"Files of the bot {digest[:12]} have gone from this worker's cache during the match.")

    def _fetch(self, url: str, digest: str, home: Path) -> None:
        with self.workspace() as temporary:
            tar, made = Path(temporary, "artifact.tar"), Path(temporary, "made")
            self._transfer.get(url, digest, tar)
            made.mkdir()
            unpack(tar.read_bytes(), made / _ROOT)
            (made / _LISTING).write_text(_listing(made / _ROOT))
            try:
                made.rename(home)  # appears whole or not at all
            except OSError:
                if not home.is_dir():  # else another process of this machine was faster
                    raise

    def workspace(self) -> tempfile.TemporaryDirectory[str]:
        """Return a context manager for a folder beside the artifacts that goes away at its end."""
        self.folder.mkdir(parents=True, exist_ok=True)  # whoever made room may have taken it away
        return tempfile.TemporaryDirectory(dir=self.folder, prefix=_WORKSPACE)

    def _forget_oldest(self) -> None:
        """Remove artifacts beyond ``KEPT_MAX``, and workspaces that killed workers have left behind.

        Nothing used within the time of the longest job is touched: it may be in a running match.
        """
        entries = sorted(self.folder.iterdir(), key=_last_used, reverse=True)
        kept = [path for path in entries if not path.name.startswith(_WORKSPACE)][:KEPT_MAX]
        for path in entries:
            if path not in kept and _last_used(path) < time.time() - JOB_SECONDS_MAX:
                # Another process of this machine may be removing the same files: those gone already are no error.
                shutil.rmtree(path, ignore_errors=True)


def _is_whole(home: Path) -> bool:
    try:
        return (home / _LISTING).read_text() == _listing(home / _ROOT)
    except FileNotFoundError:  # also of a file that goes while we look
        return False


def _listing(root: Path) -> str:
    """Return the SHA-256 of the names and sizes of all files: a look at each, where to read them would take long."""
    files = (os.path.join(folder, name) for folder, _, names in os.walk(os.fsencode(root)) for name in names)
    lines = sorted(b"%s %d" % (file[len(os.fsencode(root)) :], os.stat(file).st_size) for file in files)
    return hashlib.sha256(b"\0".join(lines)).hexdigest()


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
