"""Lanes: which tests run one behind the other in one process, in which order, and how long each lane took.

Each file is a lane of its own, but for tests with a marker of ``MARKED``: all tests of one marker are one lane; those
with a browser are one in each folder. This is a plugin of pytest, registered by ``tests/conftest.py``;
``deploy/testing.py`` chooses which tests run at all.
"""

from __future__ import annotations

import json
import resource
import tempfile
from collections import defaultdict
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

MARKED = ("quiet", "arena", "waits", "browser")
"""Markers that are lanes, in the order in which they start.

Arenas, and tests that wait for leases to end, leave a core idle most of the time, and a browser computes in processes
of its own. So each of these lanes has a process of the run for itself, while the others compute.
"""
FILES_SHOWN = 15
_PLACE = "file_of_lanes"


@dataclass
class Spent:
    """What a lane took: number of tests, seconds by the clock, seconds of CPU of pytest and its ended children."""

    tests: int = 0
    wall: float = 0.0
    cpu: float = 0.0

    def add(self, report: pytest.TestReport) -> None:
        """Count a phase of a test."""
        self.tests += report.when == "call"
        self.wall += report.duration
        self.cpu += getattr(report, "cpu_seconds", 0.0)


class Lanes:
    """Sorts the tests into lanes, in each process that collects tests, and adds up what they took."""

    def __init__(self, place: Path | None) -> None:
        self._place = place
        """Where processes that collect write the lanes for the one that divides the tests, which collects none."""
        self._lanes: dict[str, str] = {}
        self._cpu_before = 0.0
        self._spent: dict[str, dict[str, Spent]] = defaultdict(lambda: defaultdict(Spent))

    def lane_of(self, nodeid: str) -> str:
        """Return the lane of a test: its marker, or its file."""
        if not self._lanes and self._place and self._place.exists():
            self._lanes = json.loads(self._place.read_text())
        return self._lanes.get(nodeid, _file_of(nodeid))

    def _marker_of(self, nodeid: str) -> str:
        marker = self.lane_of(nodeid).partition(" ")[0]
        return marker if marker in MARKED else "others"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the marked lanes first, in their order."""
        for item in items:
            if marker := next((name for name in MARKED if item.get_closest_marker(name)), None):
                folder = f" {Path(_file_of(item.nodeid)).parent}" if marker == "browser" else ""
                self._lanes[item.nodeid] = marker + folder
        places = {marker: place for place, marker in enumerate(MARKED)}
        # Tests with a browser come last in their lane, so that one browser serves all.
        items.sort(key=lambda item: (places.get(self._marker_of(item.nodeid), len(places)), has_browser(item)))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Write the lanes for the process that divides the tests."""
        if place := getattr(session.config, "workerinput", {}).get(_PLACE):
            with tempfile.NamedTemporaryFile("w", dir=Path(place).parent, delete=False) as file:
                json.dump(self._lanes, file)
            Path(file.name).rename(place)

    def pytest_runtest_logstart(self) -> None:
        """Remember the CPU time at the beginning of a test."""
        self._cpu_before = _cpu_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add its CPU time to the report of a phase."""
        report = yield
        before, self._cpu_before = self._cpu_before, _cpu_seconds()
        report.cpu_seconds = self._cpu_before - before  # pytest sends such attributes from process to process
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test to what its lane and its file took."""
        self._spent["lanes"][self._marker_of(report.nodeid)].add(report)
        self._spent["files"][_file_of(report.nodeid)].add(report)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what the lanes and the longest files took."""
        terminalreporter.section("lanes and longest files: tests, seconds by the clock, seconds of CPU")
        files = sorted(self._spent["files"].items(), key=lambda file: -file[1].wall)[:FILES_SHOWN]
        for name, spent in [*self._spent["lanes"].items(), *files]:
            terminalreporter.write_line(f"{name:60} {spent.tests:6} {spent.wall:8.1f} {spent.cpu:8.1f}")


class Divider:
    """The part of the plugin in the process that divides the tests among others."""

    def __init__(self, lanes: Lanes, place: Path) -> None:
        self._lanes = lanes
        self._place = place

    def pytest_configure_node(self, node: WorkerController) -> None:
        """Tell a process where to write the lanes."""
        node.workerinput[_PLACE] = str(self._place)

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Producer) -> LoadScopeScheduling:
        """Divide the tests by lane."""
        return Scheduler(config, log, self._lanes)


class Scheduler(LoadScopeScheduling):
    """One process runs a lane from its beginning to its end, then the next that nobody has.

    Not by xdist's own groups: they need what pytest has no more since 9.1 (``item._nodeid``).
    """

    def __init__(self, config: pytest.Config, log: Producer, lanes: Lanes) -> None:
        super().__init__(config, log)
        self._lanes = lanes

    def _split_scope(self, nodeid: str) -> str:
        return self._lanes.lane_of(nodeid)


def has_browser(item: pytest.Item | None) -> bool:
    """Return whether a test uses the fixture of the browser."""
    return "browser" in getattr(item, "fixturenames", ())


def lanes_register(config: pytest.Config) -> None:
    """Register the plugin; in a process that divides the tests among others, its second part too."""
    place = None
    if getattr(config.option, "numprocesses", None):
        folder = tempfile.TemporaryDirectory(prefix="banzuke-lanes-")
        config.add_cleanup(folder.cleanup)
        place = Path(folder.name, "lanes.json")
    lanes = Lanes(place)
    config.pluginmanager.register(lanes, "lanes")
    if place:
        config.pluginmanager.register(Divider(lanes, place), "divider")


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _cpu_seconds() -> float:
    parts = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in parts)
