"""Proves the main job against a running arena, over HTTP only, as a user would: from sign-up to a verified replay."""

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
from games.housebots import FOLDER
from games.kits import zipped
from games.replays import verify

BOTS = FOLDER / "kakomimasu" / "bots"
BOT = (BOTS / "starter" / "kakomimasu.py", BOTS / "demo" / "main.py")
MATCHES_WANTED = 20
BUILD_SECONDS_MAX = 600
MATCHES_SECONDS_MAX = 900
LOOK_SECONDS = 0.5

Say = Callable[[str], object]


class DemoFailed(Exception):  # noqa: N818 - reads as what happened
    """The name of the step that failed, and why, in a sentence."""


class VersionStatus(msgspec.Struct, frozen=True):
    """What ``/versions/<pk>/status.json`` tells."""

    bot: int
    state: str
    sentence: str
    games: int
    rating: float | None
    interval: float | None
    rank: int | None
    """None while the version has played too few matches."""
    provisional: bool
    """Whether the rating is uncertain yet."""
    place: int | None
    """Among all, those without a rank included."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What the demonstration has sent in."""

    visitor: Visitor
    bot_name: str
    version: int

    def status(self) -> VersionStatus:
        """Return how the version stands now."""
        return msgspec.json.decode(
            self.visitor.get(f"/versions/{self.version}/status.json").content, type=VersionStatus
        )


def demo(url: str, say: Say) -> None:
    """Run all steps.

    Args:
        url: address of a running arena.
        say: told each step and the result, a line at a time.

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
        status = await_rated(uploaded)
    with step("replay", say):
        address = last_replay(uploaded)
        verify(visitor.get(address).content)
    place = f"place {status.place}" + (" (provisional)" if status.provisional else "")
    say(f"{uploaded.bot_name}: {place}, {status.rating:.0f} ± {status.interval:.0f} Elo points, {status.games} matches")
    say(f"Last replay, verified: {address}")


@contextmanager
def step(name: str, say: Say) -> Iterator[None]:
    """Name what goes wrong inside."""
    say(f"{name} ...")
    try:
        yield
    except (PageFailed, msgspec.DecodeError, BadReplay, ReplayMismatch) as error:
        raise DemoFailed(f"The step “{name}” failed: {error}") from error


def sign_up(visitor: Visitor, name: str) -> None:
    """Create an account through the real form."""
    form = visitor.page("/accounts/signup/").form_with("username")
    password = secrets.token_urlsafe(16)
    page = visitor.submit(form, {"username": name, "password1": password, "password2": password})
    if "/accounts/signup/" in page.url:
        raise PageFailed(f"the form was refused: {' '.join(page.words)[:500]}")


def upload(visitor: Visitor, bot_name: str) -> Uploaded:
    """Send the bot in as a zip."""
    form = visitor.page("/upload/").form_with("upload")
    values = {"name": bot_name, "game": "kakomimasu"}
    files = {path.name: path.read_bytes() for path in BOT}
    page = visitor.submit(form, values, {"upload": ("demo.zip", zipped(files))})
    found = re.search(r"/versions/(\d+)/$", page.url)
    if not found:
        raise PageFailed(f"the upload did not lead to a version's page but to {page.url}")
    return Uploaded(visitor, bot_name, int(found[1]))


def await_active(uploaded: Uploaded) -> VersionStatus:
    """Wait until the version plays."""
    status = await_status(uploaded, lambda now: now.state not in ("uploaded", "building"), BUILD_SECONDS_MAX)
    if status.state != "active":
        raise PageFailed(f"the version is {status.state}: {status.sentence}")
    return status


def await_rated(uploaded: Uploaded) -> VersionStatus:
    """Wait until the version has enough rated matches."""
    return await_status(uploaded, lambda now: now.games >= MATCHES_WANTED, MATCHES_SECONDS_MAX)


def await_status(uploaded: Uploaded, wanted: Callable[[VersionStatus], bool], seconds_max: int) -> VersionStatus:
    """Look again and again, as the page itself does, until the version is as wanted.

    Raises:
        PageFailed: not in time.
    """
    deadline = time.monotonic() + seconds_max
    while time.monotonic() < deadline:
        status = uploaded.status()
        if wanted(status):
            return status
        time.sleep(LOOK_SECONDS)
    raise PageFailed(f"not done after {seconds_max} seconds; the last word was {status}")


def last_replay(uploaded: Uploaded) -> str:
    """Return the address of the newest match's replay, found on the list of matches."""
    page = uploaded.visitor.page(f"/matches/?state=finished&bot={uploaded.bot_name}")
    numbers = [int(found[1]) for link in page.links if (found := re.search(r"/matches/(\d+)/$", link))]
    if not numbers:
        raise PageFailed(f"{page.url} lists no match")
    return f"{uploaded.visitor.url}/matches/{max(numbers)}/replay"
