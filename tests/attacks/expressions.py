"""Finds all regular expressions of the project, and makes texts on which a slow one shows."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
_METHODS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_OWN = ("banzuke/testing/parts.py", "ladder/guides/text.py")
"""Files that read nothing but what the authors of games have written into their packages."""
_LOCAL = {"message": "(?: [ -~]+)?"}
"""Values of variables of functions of which expressions are made."""
_IN_SCRIPT = re.compile(
    r"(?<![\w)\]/*])/(?P<body>(?![/* ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+)/(?P<flags>[dgimsuvy]*)"
)
_IN_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(?<![:\\])//[^\n]*|/\*.*?\*/', re.DOTALL)


class Used(NamedTuple):
    """An expression, and the methods by which its module uses it."""

    pattern: re.Pattern[Any]
    methods: frozenset[str]


def expressions() -> dict[str, Used]:
    """Return all expressions in Python modules and scripts, tests and packages of others left out, by file and place.

    Raises:
        ValueError: an expression is made of values that only a call of a function knows.
    """
    found: dict[str, Used] = {}
    for path in _sources("py"):
        text = path.read_text()
        if "re." in text and re.search(r"^\s*import re$", text, re.MULTILINE):
            found |= _in_module(path.relative_to(ROOT), ast.parse(text))
    for path in _sources("js", "mjs"):
        found |= _in_script(path)
    return found


def hostile_texts(pattern: re.Pattern[Any], chars: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of a repeated part and a text of about this length, in which the expression nearly matches often."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    parts = dict.fromkeys(chain.from_iterable(_parts(list(tree), alphabet) for alphabet in ("a 0.", ' :"', "/-\n")))
    for before, part in parts:
        yield part, (before + part * (chars // len(part) + 1))[:chars] + "\x01\n"


def _sources(*endings: str) -> Iterator[Path]:
    for path in sorted(chain.from_iterable(ROOT.glob(f"*/**/*.{ending}") for ending in endings)):
        parts = path.relative_to(ROOT).parts
        is_ours = parts[0] not in ("tests", "node_modules", "build") and not parts[0].startswith(".")
        if is_ours and not {"vendor", "migrations"} & set(parts) and "/".join(parts) not in _OWN:
            yield path


# --- Finding --------------------------------------------------------------------------------------------------------


def _in_module(path: Path, tree: ast.Module) -> dict[str, Used]:
    """Return the expressions of a module, each evaluated with the names of the module."""
    found: dict[str, Used] = {}
    ways = _ways(tree)
    names = {id(value): name for name, value in _assigned(tree)}
    module: dict[str, Any] | None = None
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and _is_re(call.func) and isinstance(call.func, ast.Attribute)):
            continue
        if call.func.attr not in _METHODS | {"compile"}:
            continue
        if module is None:
            module = vars(importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__")))
        made = call if call.func.attr == "compile" else _compiled(call)
        try:
            pattern = eval(compile(ast.Expression(made), str(path), "eval"), _LOCAL | module)  # noqa: S307
        except NameError as error:
            raise ValueError(f"{path}:{call.lineno}: {error}") from error
        used = ways.get(names.get(id(call), ""), set()) if call.func.attr == "compile" else {call.func.attr}
        found[f"{path}:{call.lineno}"] = Used(pattern, frozenset(used) or frozenset({"search"}))
    return found


def _is_re(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def _compiled(call: ast.Call) -> ast.Call:
    """Return the call of ``re.compile`` for the expression of a call like ``re.search(expression, text, flags)``."""
    texts = {"sub": 3, "subn": 3}.get(call.func.attr, 2)  # type: ignore[attr-defined]
    function = ast.Attribute(ast.Name("re", ast.Load()), "compile", ast.Load())
    flags = call.args[texts : texts + 1] if texts == 2 else []
    keywords = [keyword for keyword in call.keywords if keyword.arg == "flags"]
    return ast.fix_missing_locations(ast.Call(function, [call.args[0], *flags], keywords))


def _ways(tree: ast.Module) -> dict[str, set[str]]:
    """Return the methods that a module uses of each of its names. A name that others import is used in every way."""
    ways: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _METHODS:
            ways[node.value.id].add(node.attr)
    return {name: used | (set() if name.startswith("_") else {"search"}) for name, used in ways.items()}


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                yield target.id, node.value


def _in_script(path: Path) -> dict[str, Used]:
    """Return the expressions of a script, as Python understands them: both languages try one way after the other."""
    text = _IN_STRING_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n") + '""', path.read_text())
    found = {}
    for match in _IN_SCRIPT.finditer(text):
        body = re.sub(r"\(\?<(?![=!])", "(?P<", re.sub(r"\\p\{[\w=]+\}", r"\\W", match["body"]))
        flags = (re.IGNORECASE if "i" in match["flags"] else 0) | (re.MULTILINE if "m" in match["flags"] else 0)
        place = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
        found[f"{place} {match[0]}"] = Used(re.compile(body, flags), frozenset({"search"}))
    return found


# --- Hostile texts --------------------------------------------------------------------------------------------------


def _parts(items: list[Any], alphabet: str, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield what matches each run of items, with what matches in front of it and without."""
    texts = [_sample(item, alphabet) for item in items]
    for start, item in enumerate(items):
        ahead = before + "".join(texts[:start])
        for end in range(start + 1, len(items) + 1):
            part = "".join(texts[start:end])
            if part and end - start <= 12:
                yield ahead, part
                yield "", part
        for inner in _inner(item):
            yield from _parts(inner, alphabet, ahead)


def _inner(item: Any) -> list[list[Any]]:
    """Return the sequences inside an item."""
    kind, value = item
    if kind is kinds.BRANCH:
        return [list(way) for way in value[1]]
    if kind in _REPEATS:
        return [list(value[2])]
    if kind is kinds.SUBPATTERN:
        return [list(value[3])]
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
        return [list(value[1])]
    return []


_REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)


def _sample(item: Any, alphabet: str) -> str:
    """Return a short text that an item matches, of characters of an alphabet where it leaves a choice."""
    kind, value = item
    if kind is kinds.LITERAL:
        return chr(value)
    if kind is kinds.ANY:
        return alphabet[0]
    if kind is kinds.NOT_LITERAL:
        return next(each for each in alphabet if ord(each) != value)
    if kind is kinds.IN:
        return _member(value, alphabet)
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT, kinds.AT, kinds.GROUPREF):
        return ""
    inner = _inner(item)[0]
    times = max(value[0], 1) if kind in _REPEATS else 1
    return "".join(_sample(each, alphabet) for each in inner) * times


def _member(members: list[Any], alphabet: str) -> str:
    """Return a character of a class, of the alphabet if there is one."""
    state = parser.State()
    state.str = "[]"
    one = compiler.compile(parser.SubPattern(state, [(kinds.IN, members)]))
    return next((each for each in chain(alphabet, map(chr, range(9, 127)), "é") if one.match(each)), "")
