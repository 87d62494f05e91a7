"""The layers of the tree: each folder belongs to one, contracts find violations, and no name refers upwards."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from arena.settings.base import GAME_APIS
from games.registry import game_named

ROOT = Path(__file__).parents[1]
LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERS: list[str] = LINTER["contracts"][0]["layers"]
SITE = LAYERS[LAYERS.index("arena") : LAYERS.index("common") + 1]
"""The Django apps, from the project down."""


def test_every_package_belongs_to_a_layer() -> None:
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    packages = {path.partition("/")[0] for path in tracked.stdout.split() if "/" in path}
    assert packages - {"tests", "examples"} == set(LAYERS) == set(LINTER["root_packages"])
    assert {f"!{package}" for package in LAYERS} <= set((ROOT / ".dockerignore").read_text().split()), (
        "not in the image"
    )


@pytest.mark.parametrize("module", ["__init__.py", "rules.py"])
def test_rules_that_open_sockets_break_a_contract(tmp_path: Path, module: str) -> None:
    for package in LAYERS:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("bots", "static", "__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    source = next(tmp_path.glob("games/*/rules.py")).with_name(module)
    source.write_text(source.read_text().replace("\nimport ", "\nimport socket\nimport ", 1))
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"is not allowed to import socket", done.stdout)
    assert "1 broken" in done.stdout


@pytest.mark.parametrize("app", SITE[1:])
def test_no_name_refers_to_an_app_above(app: str) -> None:
    above = "|".join(SITE[: SITE.index(app)])
    names = re.compile(
        rf"""(?x)
        ['"](?:{above}):[a-z]          # url names
        | \{{%\ load\ [^%]*\b(?:{above})_tags\b
        | ['"](?:{above})/[\w/]+\.\w   # templates and static files
        | ['"](?:{above})\.\w+        # modules, tasks, labels of models
        | get_model\(\s*['"](?:{above})['"]
        | (?:``|/)(?:{above})\.[a-z]\w+
        """
    )
    files = [path for path in (ROOT / app).rglob("*") if path.suffix in (".py", ".html", ".txt", ".js")]
    assert files
    found = [f"{path.relative_to(ROOT)}: {name}" for path in files for name in names.findall(path.read_text())]
    assert not found


@pytest.mark.parametrize("package", sorted(set(LAYERS) - {"games"} - set(GAME_APIS)))
def test_nothing_outside_of_a_games_folder_names_the_game(package: str) -> None:
    games = [path.parent.name for path in (ROOT / "games").glob("*/rules.py")]
    names = re.compile(rf"\b(?:{'|'.join([*games, *(game_named(game).title for game in games)])})\b", re.IGNORECASE)
    files = [path for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".html", ".txt", ".js", ".mjs")]
    assert files
    files = [path for path in files if "migrations" not in path.parts]
    found = [f"{path.relative_to(ROOT)}: {name}" for path in files for name in names.findall(path.read_text())]
    assert not found


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph(*LAYERS, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # raises an error that names the modules of a circle
