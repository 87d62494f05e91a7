"""``make check`` runs the tests of what has changed, and no longer than it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.checking import Plugin, imported_by, importing_tests, module_of

pytest_plugins = ["pytester"]


def test_the_tests_of_a_module_are_those_that_import_it() -> None:
    found = importing_tests(["deploy/checking.py", "docs/checking.md"])
    assert found == [str(Path(__file__).relative_to(Path.cwd()))]
    assert "tests/chaos/test_chaos.py" in importing_tests(["tests/waiting.py"])


def test_what_a_program_imports() -> None:
    source = "import a.b\ndef f():\n    from c.d import e as g\n    from . import h\n"
    assert imported_by(source) == {"a.b", "c.d", "c.d.e"}
    assert [module_of(file) for file in ("a/b.py", "a/b/__init__.py")] == ["a.b", "a.b"]


TWO_TESTS = """
import pytest
@pytest.mark.browser
def test_in_a_browser(): pass
def test_quick(): pass
"""


@pytest.mark.parametrize(("seconds", "ran", "left_out"), [(60, ["test_b.py"] * 2 + ["test_a.py"], 0), (0, [], 3)])
def test_changed_tests_come_first_and_none_begins_too_late(
    pytester: pytest.Pytester, seconds: int, ran: list[str], left_out: int
) -> None:
    pytester.makeini("[pytest]\nmarkers = browser")
    pytester.makepyfile(test_a=TWO_TESTS, test_b=TWO_TESTS)
    plugin = Plugin(["test_b.py"], seconds)
    result = pytester.inline_run("-p", "no:schemathesis", "-p", "no:django", plugins=[plugin])
    passed, skipped, failed = result.listoutcomes()
    assert [report.nodeid.partition("::")[0] for report in passed] == ran
    assert (skipped, failed, plugin.left_out) == ([], [], left_out)
