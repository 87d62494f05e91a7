"""Talks to an arena over its API, and remembers where it is and who asks."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec
import requests

from banzuke.text import UserError

TIMEOUT_SECONDS = 60
API = "/api/v1/"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
AWAY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
AWAY_SECONDS_MAX = 120.0
AWAY_LOOK_SECONDS = 5.0
BROKEN_OFF = (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)
"""What a sender meets when a site, or the proxy before it, has refused a body before all of it had come."""
Message = TypeVar("Message")
Seen = TypeVar("Seen")


class Step(msgspec.Struct, frozen=True):
    """A step on a version's way to the board."""

    title: str
    state: str
    """waiting, busy, done or bad."""


class Fault(msgspec.Struct, frozen=True):
    """A fault that brought a version on probation."""

    match: int
    verdict: str


class Version(msgspec.Struct, frozen=True):
    """A version of one's own."""

    id: int
    bot: int
    name: str
    number: int
    state: str
    steps: list[Step]
    is_final: bool
    sentence: str
    advice: str
    faults: list[Fault]
    """Of a version on probation."""
    log: str
    rating: float | None
    interval: float | None
    games: int | None
    rank: int | None
    place: int | None
    provisional: bool = False
    """Whether the rating is uncertain yet."""
    rank_wait: str = ""
    """Why it has no rank yet, and about how long that takes."""
    match_pace: str = ""
    """Why it begins just one match a day."""


class FirstGames(msgspec.Struct, frozen=True):
    """How far a version is with its first games."""

    played: int
    goal: int
    problem: str = ""
    """Why no more of them are played for now; empty: they are."""


class VersionLine(msgspec.Struct, frozen=True):
    """A version among others."""

    id: int
    number: int
    state: str


class OwnBot(msgspec.Struct, frozen=True):
    """A bot of one's own with its versions, the newest first."""

    id: int
    name: str
    game: str
    versions: list[VersionLine]


class Account(msgspec.Struct, frozen=True):
    """Whoever asks."""

    username: str
    bots: list[OwnBot]


class NewToken(msgspec.Struct, frozen=True):
    """What stands for a password from now on."""

    token: str


class FieldError(msgspec.Struct, frozen=True):
    """What is wrong with one field of a request."""

    field: str
    detail: str


class Problem(msgspec.Struct, frozen=True):
    """What an arena says of a request that it refuses (RFC 9457)."""

    type: str = ""
    title: str = ""
    detail: str = ""
    errors: list[FieldError] = []

    @property
    def sentence(self) -> str:
        """All of it in words."""
        if self.errors:
            return " ".join(f"{error.field}: {error.detail}" for error in self.errors)
        return self.detail or self.title


class CodeWanted(UserError):  # noqa: N818 - says what is wanted
    """The account has two-factor authentication, and no code was sent."""


class Away(UserError):  # noqa: N818 - says what is so
    """The arena cannot be reached just now, or is asked too often: later it may answer."""


class Site(msgspec.Struct, frozen=True):
    """An arena and the token shown to it."""

    url: str
    token: str = ""

    def get(self, path: str, kind: type[Message]) -> Message:
        """Ask for something.

        Raises:
            UserError: the arena cannot be reached, or refuses.
        """
        return self._read(self._sent("GET", path), kind)

    def post(self, path: str, kind: type[Message], **content: Any) -> Message:
        """Send something, as ``requests.post`` takes it.

        Raises:
            CodeWanted: a login needs a code besides the password.
            UserError: the arena cannot be reached, or refuses.
        """
        return self._read(self._sent("POST", path, **content), kind)

    def find(self, path: str, kind: type[Message]) -> Message | None:
        """Ask for something that there may not be (any more).

        Raises:
            UserError: the arena cannot be reached, or refuses.
        """
        answer = self._sent("GET", path)
        return None if answer.status_code == HTTPStatus.NOT_FOUND else self._read(answer, kind)

    def file(self, path: str) -> bytes:
        """Fetch a file.

        Raises:
            UserError: the arena cannot be reached, or refuses.
        """
        answer = self._sent("GET", path)
        return answer.content if answer.ok else self._read(answer, bytes)  # which says why not

    def _read(self, answer: requests.Response, kind: type[Message]) -> Message:
        if answer.status_code == HTTPStatus.UNAUTHORIZED:
            raise UserError(f"{self.url} does not know you (any more). Type: banzuke login {self.url}")
        refusal = Away if answer.status_code in AWAY else UserError
        try:
            if not answer.ok:
                problem = msgspec.json.decode(answer.content, type=Problem)
                raise (CodeWanted if problem.type.endswith("#code-wanted") else refusal)(problem.sentence)
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError as error:
            raise refusal(_not_ours(self.url, answer)) from error

    def _sent(self, method: str, path: str, **content: Any) -> requests.Response:
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            return requests.request(
                method,
                f"{self.url}{API}{path}",
                headers=headers,
                timeout=TIMEOUT_SECONDS,
                allow_redirects=False,  # the token is for this address and no other
                **content,
            )
        except UnicodeEncodeError as error:  # not named here: it may be a password
            raise UserError("What you typed is not in the encoding of your terminal and cannot be sent.") from error
        except requests.RequestException as error:
            raise _not_answered(self.url, error, is_upload="files" in content) from error


def _not_ours(url: str, answer: requests.Response) -> str:
    """Return a sentence for an answer that no arena gives: of what stands before it, or at another address."""
    target = urljoin(answer.url, answer.headers.get("Location", ""))
    if answer.is_redirect and (moved := site_at(target).url) != url:
        return f"{url} leads to {moved}: give that address."
    if answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return f"This is too large for {url}. Please send less."
    if answer.status_code in AWAY:
        return f"{url} does not answer just now (HTTP {answer.status_code}). Please try again in a minute."
    return (
        f"{url} answered what is not understood here (HTTP {answer.status_code}): is it the address of an arena, and of"
        " the same release as this command?"
    )


def _not_answered(url: str, error: requests.RequestException, *, is_upload: bool) -> UserError:
    cause = _cause(error)
    reason = cause.strerror or str(cause)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return UserError(
            f"The certificate of {url} is not accepted: {cause.verify_message}. If an authority of the arena's own has"
            " signed it, give its certificate: REQUESTS_CA_BUNDLE=/path/to/ca.pem before the command."
        )
    if is_upload and isinstance(cause, BROKEN_OFF):
        return Away(f"{url} broke off while this was sent: {reason}. If it is large, send less; else try again.")
    return Away(f"{url} cannot be reached: {reason}. Is this its address, and is it up?")


def _cause(error: requests.RequestException) -> OSError:
    """Return what the system says below a failed request; what lies above that are words for programmers."""
    last: OSError = error
    below: BaseException = error
    while inner := below.__cause__ or below.__context__ or _wrapped(below):
        below = inner
        last = inner if isinstance(inner, OSError) else last
    return last


def _wrapped(error: BaseException) -> BaseException | None:
    """Return what urllib3 has wrapped without naming it as the cause."""
    inner = error.args[0] if error.args else None
    return inner if isinstance(inner, BaseException) else None


def own_bots(site: Site, name: str | None) -> list[OwnBot]:
    """Return one's own bots of a name, one a game at most; None: all.

    Raises:
        UserError: there are none, or the arena cannot be reached.
    """
    account = site.get("account/", Account)
    bots = [bot for bot in account.bots if name in (None, bot.name)]
    if not bots:
        known = ", ".join(bot.name for bot in account.bots) or "none yet; banzuke upload sends one"
        raise UserError(f"{account.username} has no such bot at {site.url}. There are: {known}.")
    return bots


def waited_for(look: Callable[[], Seen]) -> Seen:
    """Look at what is waited for, and again while the arena is away: it may be started anew in between.

    Raises:
        Away: it is away for longer than that takes.
        UserError: it refuses.
    """
    patient_until = time.monotonic() + AWAY_SECONDS_MAX
    while True:
        try:
            return look()
        except Away:
            if time.monotonic() >= patient_until:
                raise
            time.sleep(AWAY_LOOK_SECONDS)


def site_at(address: str) -> Site:
    """Return the arena at an address that the user typed.

    Raises:
        UserError: it is no address.
    """
    refusal = UserError(f"{address!r} is no address of an arena, such as https://arena.example.")
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
    except ValueError as error:  # brackets around what is no IPv6 address
        raise refusal from error
    scheme = parts.scheme or ("http" if parts.hostname in LOCAL_HOSTS else "https")
    if scheme not in ("http", "https") or not parts.hostname:
        raise refusal
    return Site(f"{scheme}://{parts.netloc}")


def is_private(site: Site) -> bool:
    """Tell whether nobody on the way can read what is sent."""
    parts = urlsplit(site.url)
    return parts.scheme == "https" or parts.hostname in LOCAL_HOSTS


def site_remember(site: Site) -> Path:
    """Keep where the arena is and the token, for nobody else to read; returns the file.

    Raises:
        UserError: it cannot be written.
    """
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # its rights may have been wider
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(site))
    except OSError as error:
        raise UserError(f"The token cannot be kept in {path}: {error.strerror}.") from error
    return path


def site_remembered() -> Site:
    """Return the arena of the last login.

    Raises:
        UserError: there was none.
    """
    try:
        return msgspec.json.decode(_file().read_bytes(), type=Site)
    except (OSError, msgspec.DecodeError) as error:
        raise UserError("Which arena? Type: banzuke login ADDRESS") from error


def _file() -> Path:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "banzuke" / "site.json"
