"""Fixtures shared by all tests: real servers, and skips that name what is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from typing import TypeVar

import pytest

from deploy.broker import Broker, broker_running

ReportT = TypeVar("ReportT", pytest.TestReport, pytest.CollectReport)


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
def engine() -> str:
    """The address of a Docker engine (DOCKER_HOST); `make test` starts one."""
    if not os.environ.get("DOCKER_HOST"):
        pytest.skip("needs a Docker engine: make test starts one when it is root, or set DOCKER_HOST")
    return os.environ["DOCKER_HOST"]


@pytest.fixture(scope="session")
def bubblewrap() -> str:
    """The path of bubblewrap."""
    path = shutil.which("bwrap")
    if path is None:
        pytest.skip("needs bubblewrap: apt-get install bubblewrap")
    return path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's Chromium."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    return path
