"""Tests are divided into lanes, and each lane tells what it took."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.settings import ROOT
from deploy.testing import files_ignored, files_with, marked

pytest_plugins = ["pytester"]

MARKERS = "[pytest]\nmarkers =\n quiet\n arena\n waits\n browser\n"
TESTS = """
import os, pytest, time

@pytest.mark.waits
def test_lease(record_property):
    record_property("process", os.environ.get("PYTEST_XDIST_WORKER"))

@pytest.mark.{second}
def test_second():
    end = time.process_time() + 0.2
    while time.process_time() < end: pass

def test_third(): pass
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of three test files, divided into lanes as ours are."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini(MARKERS)
    pytester.makeconftest("from tests.lanes import lanes_register as pytest_configure")
    pytester.makepyfile(
        test_a=TESTS.format(second="browser"), test_b=TESTS.format(second="arena"), test_c=TESTS.format(second="waits")
    )
    return pytester


def run(suite: pytest.Pytester, *options: str) -> pytest.RunResult:
    return suite.runpytest_subprocess("-p", "no:schemathesis", "-p", "no:django", *options)


def test_marked_lanes_start_first_in_their_order(suite: pytest.Pytester) -> None:
    done = run(suite, "-v", "-p", "no:xdist")
    ran = re.findall(r"test_(\w)\.py::test_(\w+) PASSED", done.stdout.str())
    assert ran == [
        ("b", "second"),
        *(("a", "lease"), ("b", "lease"), ("c", "lease"), ("c", "second")),
        ("a", "second"),
        *(("a", "third"), ("b", "third"), ("c", "third")),
    ]


def test_one_process_runs_a_whole_lane(suite: pytest.Pytester) -> None:
    done = run(suite, "-v", "-n", "3", "--no-loadscope-reorder", "--junitxml=results.xml")
    done.assert_outcomes(passed=9)
    processes = re.findall(r'name="process" value="(gw\d)"', Path("results.xml").read_text())
    assert len(processes) == 3
    assert len(set(processes)) == 1


@pytest.mark.parametrize("options", [(), ("-n", "2", "--no-loadscope-reorder")], ids=["alone", "divided"])
def test_the_end_tells_what_lanes_and_files_took(suite: pytest.Pytester, options: tuple[str, ...]) -> None:
    done = run(suite, *options)
    told = dict(re.findall(r"^(\S+) +(\d+ +[\d.]+ +[\d.]+)$", done.stdout.str(), re.MULTILINE))
    assert {name: int(figures.split()[0]) for name, figures in told.items()} == {
        "arena": 1,
        "waits": 4,
        "browser": 1,
        "others": 3,
        "test_a.py": 3,
        "test_b.py": 3,
        "test_c.py": 3,
    }
    assert float(told["arena"].split()[2]) > 0  # it computed


def test_who_uses_a_browser_or_docker_is_marked() -> None:
    argv = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m"]
    for marker, file in (("browser", "tests/webhooks/test_browser.py"), ("test_all", "tests/sandbox/test_evidence.py")):
        done = subprocess.run([*argv, marker, file], cwd=ROOT, capture_output=True, text=True, check=False)
        assert re.search(r"^\d+(/\d+)? tests? collected", done.stdout, re.MULTILINE), done.stdout


def test_who_starts_an_arena_is_marked() -> None:
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    starting = {path for path in files if re.search(r"import .*\barena_running\b", path.read_text())}
    assert starting
    assert [path.name for path in starting if "mark.arena" not in path.read_text()] == []


def test_files_are_found_by_marker() -> None:
    found = files_with("quiet")
    assert str(ROOT / "tests/sandbox/test_fair_time.py") in found
    assert all("mark.quiet" in Path(file).read_text() for file in found)


def test_options_choose_by_markers() -> None:
    assert marked("quiet", ["test_all"]) == ["-m", "quiet and not test_all"]
    assert marked("", ["quiet", "test_all"]) == ["-m", "not quiet and not test_all"]


def test_files_of_which_no_test_runs_are_not_collected() -> None:
    ignored = [Path(option.removeprefix("--ignore=")).relative_to(ROOT) for option in files_ignored(["test_all"])]
    assert Path("tests/api/test_schemathesis.py") in ignored
    for path in set(map(str, ignored)):
        marks = re.findall(r"^pytestmark = .*", (ROOT / path).read_text(), re.MULTILINE)
        assert len(marks) == 1, path
        assert "pytest.mark.test_all" in marks[0], path
    assert files_ignored([]) == []
