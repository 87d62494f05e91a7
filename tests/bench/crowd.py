"""The people of a contest's day, each with an account and an IP address: they upload, try, watch and read pages.

They know the site as a browser and a program do: by its pages and its API. Each names an IP address of its own in
``X-Forwarded-For``, which the site believes of this machine alone, so that no limit by address slows the crowd.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import requests

from arena.http_visitor import Visitor

PASSWORD = "a long secret of a crowd"  # of an arena that is made to be measured
ANSWER_SECONDS_MAX = 600
"""So long somebody waits for an answer before he takes it for lost."""
STREAM_SECONDS_MAX = 60
PAUSE_SECONDS = 2.0


@dataclass(frozen=True)
class Answer:
    """What became of one request."""

    sent_at: float
    """Seconds since 1970, as ``time.time``, before the first byte was sent."""
    seconds: float
    """Until the whole answer had come."""
    status: int
    """0: the connection was cut, or no answer came."""
    told: dict[str, Any] = field(default_factory=dict)
    """The answer's JSON."""


class Person:
    """A client with an account."""

    def __init__(self, url: str, number: int, *, run: str) -> None:
        self.name = f"crowd{run}n{number}"
        self.url = url
        self._visitor = Visitor(url)
        self.session.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    @property
    def session(self) -> requests.Session:
        """The session with the account's cookies."""
        return self._visitor.session

    def sign_up(self) -> None:
        """Make the account, and take the cookie that forms need."""
        form = self._visitor.page("/accounts/signup/").form_with("username")
        self._visitor.submit(form, {"username": self.name, "password1": PASSWORD, "password2": PASSWORD})
        self._visitor.get("/mine/")

    def get(self, path: str) -> Answer:
        """Ask for a page or a url of the API."""
        return self._asked("GET", path)

    def post(self, path: str, **content: Any) -> Answer:
        """Send a form, or JSON."""
        headers = {"X-CSRFToken": self.session.cookies.get("csrftoken", ""), "Referer": self.url}
        return self._asked("POST", path, headers=headers, **content)

    def upload(self, contest: str, files: tuple[str, bytes]) -> Answer:
        """Upload a bot: the name of its file, and its bytes."""
        bot = {"contest": contest, "name": f"Bot of {self.name}"}
        return self.post("/api/v1/versions/", data=bot, files={"upload": files})

    def tries(self, contest: str, language: str, files: dict[str, str]) -> Answer:
        """Let a program be built and played once."""
        return self.post("/api/v1/tries/", json={"contest": contest, "language": language, "files": files, "seat": 0})

    def _asked(self, method: str, path: str, **content: Any) -> Answer:
        sent_at, begun = time.time(), time.monotonic()
        try:
            answer = self.session.request(method, self.url + path, timeout=ANSWER_SECONDS_MAX, **content)
        except requests.RequestException as error:
            return Answer(sent_at, time.monotonic() - begun, 0, {"detail": str(error)})
        seconds = time.monotonic() - begun
        is_json = answer.headers.get("Content-Type", "").partition(";")[0].endswith("json")
        told = answer.json() if is_json else {}
        return Answer(sent_at, seconds, answer.status_code, told if isinstance(told, dict) else {"rows": told})


def at(moment: float, deed: Callable[[], Answer]) -> Answer:
    """Wait until a moment (as ``time.time``), and do something."""
    time.sleep(max(moment - time.time(), 0.0))
    return deed()


class Readers:
    """Some people who read pages one after the other until they are stopped."""

    def __init__(self, people: list[Person], paths: list[str]) -> None:
        self.answers: list[Answer] = []
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._read, args=(person, paths)) for person in people]

    def __enter__(self) -> Readers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _read(self, person: Person, paths: list[str]) -> None:
        while not self._stopped.is_set():
            for path in paths:
                self.answers.append(person.get(path))
            self._stopped.wait(PAUSE_SECONDS / 4)


class Watchers:
    """People who follow the live streams of a contest's matches, one after the other, until they are stopped."""

    def __init__(self, people: list[Person], contest: str) -> None:
        self.heard = 0
        """Streams that told a line."""
        self.away = 0
        """Streams that sent the watcher away at once, because there were too many of them."""
        self._contest = contest
        self._running: list[int] = []
        self._stopped = threading.Event()
        self._looks = threading.Thread(target=self._look, args=(people[0],)) if people else None
        self._threads = [
            threading.Thread(target=self._watch, args=(person, number)) for number, person in enumerate(people)
        ]

    def __enter__(self) -> Watchers:
        for thread in [self._looks, *self._threads] if self._looks else []:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in [self._looks, *self._threads] if self._looks else []:
            thread.join()

    def _look(self, person: Person) -> None:
        """Look which matches are played."""
        while not self._stopped.wait(PAUSE_SECONDS):
            told = person.get(f"/api/v1/matches/?contest={self._contest}&state=running").told
            self._running = [row["id"] for row in told.get("results", [])]

    def _watch(self, person: Person, number: int) -> None:
        while not self._stopped.is_set():
            running = self._running
            if running:
                self._follow(person, running[number % len(running)])
            self._stopped.wait(PAUSE_SECONDS)

    def _follow(self, person: Person, match: int) -> None:
        stream: requests.Response
        try:
            with person.session.get(f"{person.url}/matches/{match}/live", stream=True, timeout=10) as stream:
                ends, first = time.monotonic() + STREAM_SECONDS_MAX, True
                for chunk in stream.iter_content(chunk_size=None):
                    if first and b"event: away" in chunk:
                        self.away += 1
                    if first and b"event: lines" in chunk:
                        self.heard += 1
                    first = first and b"event:" not in chunk
                    if self._stopped.is_set() or time.monotonic() > ends:
                        return
        except requests.RequestException:
            return  # the site is too busy: the watcher comes again, as a page does
