"""The page of hooks and signals lists all that the code has, with the apps that declare and use each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_layers import ROOT, SITE

PAGE = (ROOT / "docs" / "contributors" / "hooks.md").read_text()
ROWS = [[re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split("|")] for line in PAGE.splitlines()]
CODE = {
    path: path.read_text()
    for app in (*SITE, "workers", "wire")
    for path in (ROOT / app).rglob("*.py")
    if path.is_file()
}


def apps_with(pattern: str, *, but: Path | None = None) -> set[str]:
    """Return the apps with a file that holds a pattern."""
    found = re.compile(pattern)
    return {path.relative_to(ROOT).parts[0] for path, text in CODE.items() if path != but and found.search(text)}


def row_of(name: str) -> list[list[str]]:
    """Return the names in each cell of the row about a hook or signal."""
    return next((row for row in ROWS if name in row[0]), [[], [], [], []])


HOOKS = {name: path for path, text in CODE.items() for name in re.findall(r"^def (\w+_register)\(", text, re.MULTILINE)}
OURS = re.findall(r"^(\w+) = Signal\(\)", CODE[ROOT / "common" / "signals.py"], re.MULTILINE)
CONNECTED = {name for text in CODE.values() for name in re.findall(r"\b(\w+)\.connect\b", text)}


@pytest.mark.parametrize("name", HOOKS)
def test_each_hook_is_listed(name: str) -> None:
    _name, declared, used, *_rest = row_of(name)
    assert declared == [HOOKS[name].relative_to(ROOT).as_posix()]
    callers = apps_with(rf"(?<!def ){name}\(", but=HOOKS[name])
    if re.search(rf"(?<!def )\b{name}\(", CODE[HOOKS[name]]):
        callers.add(HOOKS[name].relative_to(ROOT).parts[0])
    assert set(used) == callers


@pytest.mark.parametrize("name", OURS)
def test_each_signal_is_listed(name: str) -> None:
    _name, sent, received, *_rest = row_of(name)
    assert set(sent) == apps_with(rf"\b{name}\.send\b")
    assert set(received) == apps_with(rf"\b{name}\.connect\b")


@pytest.mark.parametrize("name", sorted(CONNECTED - set(OURS)))
def test_each_signal_of_a_library_is_listed(name: str) -> None:
    assert apps_with(rf"\b{name}\.connect\b") <= set(row_of(name)[2])


def test_nothing_else_is_listed() -> None:
    listed = {name for row in ROWS if len(row) == 4 for name in row[0]}
    assert listed == {*HOOKS, *OURS, *CONNECTED}
