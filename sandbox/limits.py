"""The table of limits for the documentation, generated from ``Limits`` and its docstrings."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields
from itertools import pairwise

from sandbox.api import Limits
from sandbox.languages import BUILD_LIMITS


def limits_table() -> str:
    """Return a table in Markdown: each limit, its value for bots and for build steps, and its meaning."""
    meanings = _meanings(Limits)
    rows = [
        f"| `{field.name}` | {field.default} | {getattr(BUILD_LIMITS, field.name)} | {meanings[field.name]} |"
        for field in fields(Limits)
    ]
    return "\n".join(["| limit | a bot | a build step | |", "|---|---|---|---|", *rows, ""])


def _meanings(table: type) -> dict[str, str]:
    """Return the docstring of each field of a class, by the name of the field."""
    (definition,) = ast.parse(inspect.getsource(table)).body
    assert isinstance(definition, ast.ClassDef)  # noqa: S101 - narrows the type for mypy
    return {
        field.target.id: " ".join(str(text.value.value).split())
        for field, text in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }
