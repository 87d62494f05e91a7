"""Talks to an arena over its API, and stores the arena's URL and the user's token."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import msgspec
import requests

from banzuke.api_types import Account, Bot, Contest, Problem
from banzuke.text import UserError, os_errors_told

TIMEOUT_SECONDS = 60
API = "/api/v1/"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
AWAY_STATUSES = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
AWAY_SECONDS_MAX = 120.0
AWAY_RETRY_SECONDS = 5.0
BROKEN_OFF = (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)
"""Errors of a sender when the site, or a proxy before it, refuses a body before it has received all of it."""
Message = TypeVar("Message")
Seen = TypeVar("Seen")


class Refusal(Problem, frozen=True):
    """The body of a response to a refused request (RFC 9457)."""

    @property
    def sentence(self) -> str:
        """The refusal as one or more sentences for the user."""
        if self.errors:
            return " ".join(f"{error.field}: {error.detail}" for error in self.errors)
        return self.detail or self.title


class CodeWanted(UserError):  # noqa: N818 - the name says what is missing
    """The account has two-factor authentication, but the login sent no code."""


class Away(UserError):  # noqa: N818 - the name says what is wrong
    """The arena cannot be reached now, or gets too many requests: it may answer later."""


class Site(msgspec.Struct, frozen=True):
    """An arena's URL and the user's token, with methods that send requests.

    All methods raise a ``UserError`` if the arena refuses, and an ``Away`` if it cannot be reached. A path is one below
    the API's URL, without a slash before it.
    """

    url: str
    token: str = ""
    scheme: str = "Bearer"
    """What the token is: ``Bearer`` a user's, ``Seat`` the secret of a seat at a table."""

    def get(self, path: str, kind: type[Message]) -> Message:
        """Return the response to a GET request for a path of the API, decoded as ``kind``.

        Raises:
            UserError: the arena cannot be reached, or refuses.
        """
        return self._read(self._send("GET", path), kind)

    def post(self, path: str, kind: type[Message], **content: Any) -> Message:
        """Return the response to a POST request, decoded as ``kind``; ``content`` is passed to ``requests``.

        Raises:
            CodeWanted: a login needs a code besides the password.
            UserError: the arena cannot be reached, or refuses.
        """
        return self._read(self._send("POST", path, **content), kind)

    def status(self, path: str, **content: Any) -> int:
        """Send a POST request whose response has no content, and return the status, 2xx or 409 Conflict.

        Raises:
            UserError: the arena cannot be reached, or refuses for another reason than a conflict.
        """
        answer = self._send("POST", path, **content)
        if not answer.ok and answer.status_code != HTTPStatus.CONFLICT:
            self._read(answer, bytes)  # raises, since the response is a refusal
        return answer.status_code

    def find(self, path: str, kind: type[Message]) -> Message | None:
        """Return the response to a GET request, decoded as ``kind``; None if the arena answers 404 Not Found.

        Raises:
            UserError: the arena cannot be reached, or refuses.
        """
        answer = self._send("GET", path)
        return None if answer.status_code == HTTPStatus.NOT_FOUND else self._read(answer, kind)

    def file(self, path: str) -> bytes:
        """Return the body of the response to a GET request.

        Raises:
            UserError: the arena cannot be reached, or refuses.
        """
        answer = self._send("GET", path)
        return answer.content if answer.ok else self._read(answer, bytes)  # raises, since the response is a refusal

    def _read(self, answer: requests.Response, kind: type[Message]) -> Message:
        if answer.status_code == HTTPStatus.UNAUTHORIZED:
            raise UserError(f"{self.url} does not know you (any more). Type: banzuke login {self.url}")
        refusal = Away if answer.status_code in AWAY_STATUSES else UserError
        try:
            if not answer.ok:
                problem = msgspec.json.decode(answer.content, type=Refusal)
                raise (CodeWanted if problem.type.endswith("#code-wanted") else refusal)(problem.sentence)
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError as error:
            raise refusal(_unexpected_answer(self.url, answer)) from error

    def _send(self, method: str, path: str, **content: Any) -> requests.Response:
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"{self.scheme} {self.token}"
        try:
            return requests.request(
                method,
                f"{self.url}{API}{path}",
                headers=headers,
                timeout=TIMEOUT_SECONDS,
                allow_redirects=False,  # the token must not be sent to another URL
                **content,
            )
        except UnicodeEncodeError as error:  # the text is not printed, since it may be a password
            raise UserError("What you typed is not in the encoding of your terminal and cannot be sent.") from error
        except requests.RequestException as error:
            raise _connection_error(self.url, error, is_upload="files" in content) from error


def _unexpected_answer(url: str, answer: requests.Response) -> str:
    """Return a sentence about a response that is not an arena's: a proxy's or another site's."""
    target = urljoin(answer.url, answer.headers.get("Location", ""))
    if answer.is_redirect and (moved := site_at(target).url) != url:
        return f"{url} leads to {moved}: give that URL."
    if answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return f"This is too large for {url}. Please send less."
    if answer.status_code in AWAY_STATUSES:
        return f"{url} does not answer just now (HTTP {answer.status_code}). Please try again in a minute."
    return (
        f"{url} answered what is not understood here (HTTP {answer.status_code}): is it the URL of an arena, and of"
        " the same release as this command?"
    )


def _connection_error(url: str, error: requests.RequestException, *, is_upload: bool) -> UserError:
    # The innermost OSError behind a failed request has a text that users understand.
    cause: OSError = error
    below: BaseException = error
    while inner := below.__cause__ or below.__context__ or _wrapped(below):
        below = inner
        cause = inner if isinstance(inner, OSError) else cause
    reason = cause.strerror or str(cause)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return UserError(
            f"The certificate of {url} is not accepted: {cause.verify_message}. If an authority of the arena's own has"
            " signed it, give its certificate: REQUESTS_CA_BUNDLE=/path/to/ca.pem before the command."
        )
    if is_upload and isinstance(cause, BROKEN_OFF):
        return Away(f"{url} broke off while this was sent: {reason}. If it is large, send less; else try again.")
    return Away(f"{url} cannot be reached: {reason}. Is this its URL, and is it up?")


def _wrapped(error: BaseException) -> BaseException | None:
    """Return the exception that urllib3 passes as an argument of another one, instead of setting its cause, or None."""
    inner = error.args[0] if error.args else None
    return inner if isinstance(inner, BaseException) else None


def contest_named(site: Site, slug: str) -> Contest:
    """Return a contest of the arena by its key.

    Raises:
        UserError: there is none that the user may see, or the arena cannot be reached.
    """
    found = site.find(f"contests/{quote(slug, safe='')}/", Contest)
    if found is None:
        raise UserError(f"There is no contest {slug} at {site.url}, or you are not in it. See {site.url}/contests/.")
    return found


def own_bots(site: Site, name: str | None, contest: str | None = None) -> list[Bot]:
    """Return the user's bots that have a name and play in a contest.

    ``name`` None stands for all names; ``contest`` is the key of a contest, None for all contests.

    Raises:
        UserError: there is no such bot, or the arena cannot be reached.
    """
    account = site.get("account/", Account)
    bots = [bot for bot in account.bots if name in (None, bot.name) and contest in (None, bot.contest)]
    if not bots:
        known = ", ".join(bot.name for bot in account.bots) or "none yet; banzuke upload sends one"
        raise UserError(f"{account.username} has no such bot at {site.url}. There are: {known}.")
    return bots


def retry_while_away(request: Callable[[], Seen]) -> Seen:
    """Return the result of a request; repeat it while the arena is away, since it may be restarting.

    Raises:
        Away: the arena is away for longer than ``AWAY_SECONDS_MAX``.
        UserError: the arena refuses the request.
    """
    patient_until = time.monotonic() + AWAY_SECONDS_MAX
    while True:
        try:
            return request()
        except Away:
            if time.monotonic() >= patient_until:
                raise
            time.sleep(AWAY_RETRY_SECONDS)


def site_at(url: str) -> Site:
    """Return the arena at a URL that the user typed.

    Raises:
        UserError: the text is no URL of a site.
    """
    refusal = UserError(f"{url!r} is no URL of an arena, such as https://arena.example.")
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
    except ValueError as error:  # brackets around something that is no IPv6 address
        raise refusal from error
    scheme = parts.scheme or ("http" if parts.hostname in LOCAL_HOSTS else "https")
    if scheme not in ("http", "https") or not parts.hostname:
        raise refusal
    return Site(f"{scheme}://{parts.netloc}")


def is_private(site: Site) -> bool:
    """Return whether requests to the site are encrypted or stay on this machine."""
    parts = urlsplit(site.url)
    return parts.scheme == "https" or parts.hostname in LOCAL_HOSTS


def site_remember(site: Site) -> Path:
    """Store the arena's URL and the token in a file that only this user can read; return its path.

    Raises:
        UserError: the file cannot be written.
    """
    path = _file()
    with os_errors_told(f"The token cannot be kept in {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # an old file may have wider permissions
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(site))
    return path


def site_remembered() -> Site:
    """Return the arena of the last login.

    Raises:
        UserError: there was no login.
    """
    try:
        return msgspec.json.decode(_file().read_bytes(), type=Site)
    except (OSError, msgspec.DecodeError) as error:
        raise UserError("Which arena? Type: banzuke login URL") from error


def _file() -> Path:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "banzuke" / "site.json"
