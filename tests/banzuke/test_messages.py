"""No place shows a message as its kind and values, which are for logs: found in the source, by the messages' names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from deploy.settings import ROOT

FOLDERS = ("accounts", "api", "banzuke", "common", "contests", "core", "environments", "exhibitions", "fleet", "games")
FOLDERS += ("jobs", "ladder", "matches", "sandbox", "tournaments", "webhooks", "wire", "workers", "workshop")
TEXTS = {
    # names of messages elsewhere, but these are texts
    ("banzuke/commands/tries.py", "tried.why"),  # a sentence of the site
    ("banzuke/testing/kits.py", "why"),
    ("banzuke/testing/parts.py", "annotation.message"),
    ("sandbox/languages/language.py", "why"),
    # texts of exceptions, for logs
    ("core/tars.py", "why"),
    ("sandbox/api.py", "why"),
    ("workers/compiling.py", "why"),
    ("workers/play.py", "played.waited"),
}
SHOWING = ("print", "say", "str", "UserError", "InputError")


def trees() -> Iterator[tuple[str, ast.Module]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def is_message(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) in ("Message", "Message | None")


def named(tree: ast.Module) -> Iterator[str]:
    """Yield the names of fields and attributes that hold messages, and of what they are made from."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name != "__init__"]
        arguments = {part for method in methods for part in ast.walk(method.args)}
        for part in {*ast.walk(node)} - arguments:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and is_message(part.annotation):
                yield part.target.id
            elif isinstance(part, ast.arg) and is_message(part.annotation):
                yield part.arg
            elif isinstance(part, ast.Assign) and ast.unparse(part.value).startswith("Message("):
                yield from (target.attr for target in part.targets if isinstance(target, ast.Attribute))


def shown(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what becomes text: parts of f-strings, and what is printed, said, raised or made a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            yield node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in SHOWING:
            yield from node.args


def found(path: str, tree: ast.Module, names: set[str]) -> set[tuple[str, str]]:
    parts = [part for part in shown(tree) if isinstance(part, ast.Attribute | ast.Name)]
    return {(path, ast.unparse(p)) for p in parts if (p.attr if isinstance(p, ast.Attribute) else p.id) in names}


def test_messages_are_shown_as_sentences() -> None:
    read = list(trees())
    names = {name for _path, tree in read for name in named(tree)}
    assert {"why", "message"} <= names
    raw = set().union(*(found(path, tree, names) for path, tree in read))
    assert raw - TEXTS == set(), "say it by games.words"
    assert TEXTS - raw == set(), "these places are gone"


def test_a_raw_message_is_found() -> None:
    tree = ast.parse("class Reply:\n    why: Message | None\nsay(f'failed: {reply.why}')\nraise UserError(reply.why)")
    assert found("a.py", tree, set(named(tree))) == {("a.py", "reply.why")}
    assert Path(ROOT / FOLDERS[0]).is_dir()
