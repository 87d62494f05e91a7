"""Fixtures shared by all tests: real servers, and skips that name what is missing."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import hypothesis
import pytest
import uvicorn
from django.test import TransactionTestCase
from django.utils import translation
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

import sandbox
from deploy.broker import Broker, broker_running
from deploy.servers import engine_possible, engine_with_image
from sandbox.api import Sandbox

if TYPE_CHECKING:
    from django.test import Client

    from accounts.models import User
from tests.core.toy import RockPaperScissors
from tests.installing import games_installed
from tests.lanes import has_browser, lanes_register

ReportT = TypeVar("ReportT", pytest.TestReport, pytest.CollectReport)


hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")
"""How long an example takes, or is thought up for, says how busy the machine is."""


def pytest_configure(config: pytest.Config) -> None:
    """Divide the tests into lanes."""
    lanes_register(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use a browser, and those of ``backend`` with Docker that only `make test-all` runs."""
    for item in items:
        if has_browser(item):
            item.add_marker("browser")
        with_docker = getattr(getattr(item, "callspec", None), "params", {}).get("backend") == "docker"
        if with_docker and not item.get_closest_marker("both_backends"):
            item.add_marker("test_all")


def _failed_if_skipped(report: ReportT) -> ReportT:
    """In continuous integration a skip is a failure: every part a test needs must be there."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Nothing may skip when CI is set, but this did: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _failed_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _failed_if_skipped((yield))


@pytest.fixture(autouse=True)
def nothing_kept(request: pytest.FixtureRequest) -> None:
    """Forget what was kept of the database of the test before: it is gone, and its numbers come again."""
    if request.node.get_closest_marker("django_db"):
        from common.queries.cached import cached_clear
        from matches.selectors.rated_results import results_forget

        cached_clear()
        results_forget()


@pytest.fixture(autouse=True)
def in_english() -> None:
    """Forget in whose language the thread has answered last, as the site does with every request."""
    translation.deactivate()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Behind tests that commit, we empty the database ourselves."""
    from tests.emptying import database_empty

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", database_empty)
        yield


@pytest.fixture
def kept(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What pages keep for seconds has been read: they are counted as they nearly always are, on a slow machine too."""
    from django.contrib.auth.models import AnonymousUser

    from common.queries import cached
    from contests.selectors.contests import contests_open
    from contests.selectors.pages import contests_in_front
    from contests.selectors.visibility import contests_public
    from jobs.selectors.languages import languages_shown
    from ladder.selectors.announcements import announcements_current
    from tournaments.selectors.honours import front_tournaments

    monkeypatch.setattr(cached, "SECONDS", None)
    announcements_current()
    contests_open()
    contests_public()
    contests_in_front(reader=AnonymousUser())
    front_tournaments()
    languages_shown()


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A real broker with the users of an arena, shared by the session: ``broker.site_url``, ``broker.player_url``."""
    folder = tmp_path_factory.mktemp("broker")
    with broker_running(folder, site_password="site-secret", player_password="player-secret") as running:
        yield running


@pytest.fixture
def broker_url(broker: Broker) -> str:
    """The address of an empty broker, with every right."""
    import redis

    redis.Redis.from_url(broker.site_url).flushall()
    return broker.site_url


@pytest.fixture(scope="session")
def engine() -> Iterator[str]:
    """The address of a Docker engine that holds the image: that of DOCKER_HOST, which `make test` sets, or our own."""
    if "DOCKER_HOST" in os.environ:
        yield os.environ["DOCKER_HOST"]
    elif not engine_possible():
        pytest.skip("needs a Docker engine: set DOCKER_HOST, or as root: apt-get install docker.io mmdebstrap")
    else:
        with tempfile.TemporaryDirectory(prefix="banzuke-") as folder, engine_with_image(Path(folder)) as (url, wait):
            wait()
            yield url


@pytest.fixture(scope="session")
def bubblewrap() -> str:
    """The path of bubblewrap."""
    path = shutil.which("bwrap")
    if path is None:
        pytest.skip("needs bubblewrap: apt-get install bubblewrap")
    return path


@pytest.fixture
def strict_umask() -> Iterator[None]:
    """What this process makes is for its user alone, as guides to safe machines ask of root."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture(scope="session", params=["bubblewrap", pytest.param("docker", marks=pytest.mark.engine)])
def backend(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Each sandbox backend in turn."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "docker":
            patch.setenv("DOCKER_HOST", request.getfixturevalue("engine"))
        else:
            request.getfixturevalue("bubblewrap")
        # As in workers, programs are given to containers that were started in advance.
        made = sandbox.backend(request.param, ahead=2)
        yield made
        made.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's Chromium, without the windows that nobody would see: they took half of its CPU time."""
    path = shutil.which("chromium-headless-shell")
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium-headless-shell")
    return path


PATIENCE_MS = 60_000
"""With a browser on a busy machine, where the five seconds of Playwright are few."""


class _Chromium:
    """A browser for a row of tests: the first of them starts it, and it ends after the last.

    While it runs, Playwright's event loop makes every test of an asynchronous view fail.
    """

    def __init__(self) -> None:
        self._running = ExitStack()
        self._browser: Browser | None = None

    def start(self, path: str) -> Browser:
        """Return the browser; start it if none runs."""
        if self._browser is None:
            quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update"]
            playwright = self._running.enter_context(sync_playwright())
            patch = self._running.enter_context(pytest.MonkeyPatch.context())
            # Playwright's synchronous interface runs an event loop in this thread, which makes Django refuse its ORM.
            patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
            expect.set_options(timeout=PATIENCE_MS)
            self._browser = playwright.chromium.launch(
                executable_path=path,
                args=["--no-sandbox", "--disable-gpu", "--disable-sync", *quiet],
                timeout=PATIENCE_MS,
            )
            self._running.callback(self._browser.close)
        return self._browser

    def end(self) -> None:
        """End the browser if one runs."""
        self._browser = None
        self._running.close()


_CHROMIUM = _Chromium()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """End the browser when the next test has none."""
    yield
    if not has_browser(nextitem):
        _CHROMIUM.end()


@pytest.fixture
def browser(chromium: str) -> Browser:
    """A running Chromium that talks to nobody but the page under test."""
    return _CHROMIUM.start(chromium)


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page on the live server. Its test fails when the browser's console shows an error or a policy violation."""
    context = browser.new_context(base_url=live_server.url, viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def site_url(settings: Settings) -> Iterator[str]:
    """The address of the site under the real web server, for what needs ASGI, or workers that call back."""
    from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler

    from arena.asgi import application
    from arena.serving.connections import PromptProtocol

    listener = socket.create_server(("127.0.0.1", 0))
    # With static files, for browsers; clients that still listen to a stream are left behind.
    quiet = {"log_level": "warning", "access_log": False, "lifespan": "off", "timeout_graceful_shutdown": 1}
    server = uvicorn.Server(uvicorn.Config(ASGIStaticFilesHandler(application), http=PromptProtocol, **quiet))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    settings.BANZUKE_URL = f"http://127.0.0.1:{listener.getsockname()[1]}"
    yield settings.BANZUKE_URL
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def alice(db: None) -> User:
    """A user who owns what tests of pages make."""
    from tests.ladder.makers import make_user

    return make_user("alice")


@pytest.fixture
def alices(alice: User) -> Client:
    """Alice's browser."""
    from tests.visitors import signed_in

    return signed_in(alice)


@pytest.fixture(scope="module")
def rps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RockPaperScissors]:
    """The toy game, installed as ``rps`` while the tests of a module run."""
    from tests.core import toy

    site = tmp_path_factory.mktemp("site")
    (site / "rps").mkdir()
    for module in ("__init__", "judge"):
        (site / f"rps/{module}.py").write_text("from tests.core.toy import *\n")
    with games_installed(site, {"rps": "rps:RockPaperScissors"}):
        yield toy.RockPaperScissors()
