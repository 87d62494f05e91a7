"""Builds the wheel: one package, ``banzuke``, with all that the command at home needs.

In the source tree ``core``, ``environments``, ``formats``, ``games``, ``rating`` and ``sandbox`` lie beside
``banzuke``. In the wheel they lie inside, since a package called ``core`` would shadow that of another project. Their
imports are rewritten to match: ``from core.game import Game`` becomes ``from banzuke.core.game import Game``.
"""

from __future__ import annotations

import ast
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

INNER = ("core", "environments", "formats", "games", "rating", "sandbox")
LEFT_OUT_PACKAGES = ("games.*.guide",)
"""The site's pages on our games."""
STATIC = {"banzuke.static.ladder": "ladder/static/ladder", "banzuke.static.matches": "matches/static/matches"}
"""Folders of the site's files that the viewer needs, by the package that they become."""


def imports_rewritten(source: str) -> str:
    """Return a module's source with each import of a package that moves into ``banzuke`` from there.

    Raises:
        ValueError: it has ``import core.game``, which binds another name once it is rewritten.
    """
    lines = source.encode().split(b"\n")
    for line, column, old, new in sorted(_imports(ast.parse(source)), reverse=True):
        head, tail = lines[line - 1][:column], lines[line - 1][column:]
        lines[line - 1] = head + tail.replace(old.encode(), new.encode(), 1)
    return b"\n".join(lines).decode()


def _imports(tree: ast.Module) -> list[tuple[int, int, str, str]]:
    """Return line, column in bytes, old and new text of each name of a package that moves."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module and _moves(node.module):
            found.append((node.lineno, node.col_offset + len("from"), node.module, f"banzuke.{node.module}"))
        for name in node.names if isinstance(node, ast.Import) else ():
            if _moves(name.name):
                if "." in name.name and not name.asname:
                    raise ValueError(f"Please write `from .. import ..` instead of `import {name.name}`.")
                alias = "" if name.asname else f" as {name.name}"
                found.append((name.lineno, name.col_offset, name.name, f"banzuke.{name.name}{alias}"))
    return found


def _moves(module: str) -> bool:
    return module.partition(".")[0] in INNER


class BuildPy(build_py):
    """Copies modules to where the wheel has them."""

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        """Copy a module with its imports rewritten; returns the copy's path, and that it has been made."""
        path, copied = super().build_module(module, module_file, package)
        Path(path).write_text(imports_rewritten(Path(module_file).read_text(encoding="utf-8")), encoding="utf-8")
        return path, copied


def packages() -> list[str]:
    """Return the names of all packages of the wheel."""
    inner = find_packages(include=[f"{name}{end}" for name in INNER for end in ("", ".*")], exclude=LEFT_OUT_PACKAGES)
    return [*find_packages(include=["banzuke", "banzuke.*"]), *(f"banzuke.{name}" for name in inner), *STATIC]


if __name__ == "__main__":
    setup(
        packages=packages(),
        package_dir={f"banzuke.{name}": name for name in INNER} | STATIC,
        cmdclass={"build_py": BuildPy},
    )
