"""Takes a bot through a running arena as a user would, over HTTP only: from sign-up to a verified replay."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from arena.http_visitor import PageFailed, Visitor
from core.replay import BadReplay, ReplayMismatch
from games.kits import PYTHON, kit_files, kit_languages, zipped
from games.replays import verify

MATCHES_WANTED = 20
BUILD_SECONDS_MAX = 600
MATCHES_SECONDS_MAX = 900
LOOK_SECONDS = 0.5

Say = Callable[[str], object]


class DemoFailed(Exception):  # noqa: N818 - reads as what happened
    """A step of the demonstration has failed. ``str(error)`` is a sentence that names the step and says why."""


class VersionStatus(msgspec.Struct, frozen=True):
    """The answer of ``/versions/<pk>/status.json``."""

    bot: int
    state: str
    sentence: str
    games: int
    rating: float | None
    interval: float | None
    rank: int | None
    """None before the first rated match."""
    provisional: bool
    """Whether the rating is still uncertain."""
    place: int | None
    """The bot's rank; its row on the board if it has no rank yet."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The version that the demonstration has uploaded."""

    visitor: Visitor
    bot_name: str
    version: int

    def status(self) -> VersionStatus:
        """Return the version's state and rating now."""
        return msgspec.json.decode(
            self.visitor.get(f"/versions/{self.version}/status.json").content, type=VersionStatus
        )


def demo(url: str, say: Say) -> None:
    """Run all steps of the demonstration in a running arena; ``say`` is called with each line of output.

    Raises:
        DemoFailed: a step failed.
    """
    visitor = Visitor(url)
    tag = secrets.token_hex(4)
    with step("sign up", say):
        sign_up(visitor, f"demo-{tag}")
    with step("upload", say):
        uploaded = upload(visitor, f"Demo {tag}")
    with step("build and check match", say):
        await_active(uploaded)
    with step(f"{MATCHES_WANTED} rated matches", say):
        status = await_status(uploaded, lambda now: now.games >= MATCHES_WANTED, MATCHES_SECONDS_MAX)
    with step("replay", say):
        replay_url = last_replay_url(uploaded)
        verify(visitor.get(replay_url).content)
    place = f"place {status.place}" + (" (provisional)" if status.provisional else "")
    say(f"{uploaded.bot_name}: {place}, {status.rating:.0f} ± {status.interval:.0f} Elo points, {status.games} matches")
    say(f"Last replay, verified: {replay_url}")


@contextmanager
def step(name: str, say: Say) -> Iterator[None]:
    """Announce a step, and raise ``DemoFailed`` with its name if the block fails."""
    say(f"{name} ...")
    try:
        yield
    except (PageFailed, msgspec.DecodeError, BadReplay, ReplayMismatch) as error:
        raise DemoFailed(f"The step “{name}” failed: {error}") from error


def sign_up(visitor: Visitor, name: str) -> None:
    """Create an account through the form of the site; raise PageFailed if it is refused."""
    form = visitor.page("/accounts/signup/").form_with("username")
    password = secrets.token_urlsafe(16)
    page = visitor.submit(form, {"username": name, "password1": password, "password2": password})
    if "/accounts/signup/" in page.url:
        raise PageFailed(f"the form was refused: {' '.join(page.words)[:500]}")


def upload(visitor: Visitor, bot_name: str) -> Uploaded:
    """Upload the starter kit of the arena's first game that has one in Python; raise PageFailed if that fails."""
    page = visitor.page("/upload/")
    games = [found[1] for link in page.links if (found := re.search(r"/games/(\w+)/guide/$", link))]
    game = next((name for name in games if PYTHON in kit_languages(name)), None)
    if game is None:
        raise PageFailed(f"{page.url} offers no game that has a starter kit in Python here")
    form = page.form_with("upload")
    values = {"name": bot_name, "contest": game}
    page = visitor.submit(form, values, {"upload": ("demo.zip", zipped(kit_files(game, PYTHON)))})
    found = re.search(r"/versions/(\d+)/$", page.url)
    if not found:
        raise PageFailed(f"the upload did not lead to a version's page but to {page.url}")
    return Uploaded(visitor, bot_name, int(found[1]))


def await_active(uploaded: Uploaded) -> None:
    """Wait until the version plays; raise PageFailed if it is rejected, or takes too long."""
    waiting = ("received", "uploaded", "building")
    status = await_status(uploaded, lambda now: now.state not in waiting, BUILD_SECONDS_MAX)
    if status.state != "active":
        raise PageFailed(f"the version is {status.state}: {status.sentence}")


def await_status(uploaded: Uploaded, wanted: Callable[[VersionStatus], bool], seconds_max: int) -> VersionStatus:
    """Ask for the status again and again, as the page itself does, until it is as wanted; return it.

    Raises:
        PageFailed: the status was not as wanted in time.
    """
    deadline = time.monotonic() + seconds_max
    while time.monotonic() < deadline:
        status = uploaded.status()
        if wanted(status):
            return status
        time.sleep(LOOK_SECONDS)
    raise PageFailed(f"not done after {seconds_max} seconds; the last word was {status}")


def last_replay_url(uploaded: Uploaded) -> str:
    """Return the URL of the replay of the bot's newest match; raise PageFailed if no match is listed."""
    page = uploaded.visitor.page(f"/matches/?state=finished&bot={uploaded.bot_name}")
    numbers = [int(found[1]) for link in page.links if (found := re.search(r"/matches/(\d+)/$", link))]
    if not numbers:
        raise PageFailed(f"{page.url} lists no match")
    return f"{uploaded.visitor.url}/matches/{max(numbers)}/replay"
