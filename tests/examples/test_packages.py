"""The packages under ``examples/`` as authors copy them: their declarations, READMEs, stubs and words are true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message

from banzuke.testing.parts import problems
from deploy.settings import ROOT
from games.housebots import files_of, housebots_of
from games.kits import kit_files, kit_languages
from games.registry import GROUP, game_named, is_key
from games.stubs import stub_read
from games.stubs.writer import LANGUAGES
from tests.installing import games_installed, packages_found

EXAMPLES = {path.parent.name: path.parent for path in sorted(ROOT.glob("examples/*/pyproject.toml"))}
every_example = pytest.mark.parametrize("name", EXAMPLES)


def declared(name: str) -> dict[str, Any]:
    return tomllib.loads((EXAMPLES[name] / "pyproject.toml").read_text())


def package(name: str) -> Path:
    return EXAMPLES[name] / f"banzuke_{name}"


@every_example
def test_a_package_declares_the_game_that_its_folder_is_named_after(name: str) -> None:
    project = declared(name)["project"]
    assert project["name"] == f"banzuke-{name.replace('_', '-')}"
    assert any(re.match(r"banzuke(\[\w+\])?$", needed) for needed in project["dependencies"])
    (entry,) = project["entry-points"][GROUP].items()
    key, place = entry
    assert key == name
    assert is_key(key)
    module, _, title = place.partition(":")
    assert module == f"banzuke_{name}"
    assert re.search(rf"^class {title}\(", (package(name) / "__init__.py").read_text(), re.MULTILINE)


@every_example
def test_all_files_of_a_package_are_installed(name: str) -> None:
    """A pattern that is forgotten leaves the viewer or the words out, and nobody sees it before the site runs."""
    tools = declared(name)["tool"]["setuptools"]
    assert f"banzuke_{name}" in tools["packages"]
    patterns = [pattern for each in tools["package-data"].values() for pattern in each]
    data = {path for pattern in patterns for path in package(name).glob(pattern) if path.is_file()}
    modules = {
        path for folder in tools["packages"] for path in (EXAMPLES[name] / folder.replace(".", "/")).glob("*.py")
    }
    files = {path for path in package(name).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert files - data - modules == set()


@every_example
def test_the_readme_names_what_is_there_and_how_to_play(name: str) -> None:
    readme = (EXAMPLES[name] / "README.md").read_text()
    assert f"banzuke play {name} " in readme
    for path in re.findall(r"^\| `([^`]+)` \|", readme, re.MULTILINE):
        assert (EXAMPLES[name] / path).exists(), path
    for bot in set(re.findall(r"house:(\w+)", readme)) - {"random"}:
        assert (package(name) / "bots" / bot / "bot.toml").is_file(), bot


@every_example
def test_the_stub_of_an_example_makes_a_kit_in_each_language(name: str, tmp_path: Path) -> None:
    stub = stub_read(package(name))
    assert stub
    title = declared(name)["project"]["entry-points"][GROUP][name].partition(":")[2]
    for language in LANGUAGES.values():
        program = language.written(title, stub)
        assert title in program.partition("\n\n")[0]
        assert not re.search(r"%[a-z]+%", program), "all places are filled"


@pytest.mark.parametrize("name", ["tron", "dots_and_boxes"])
def test_words_of_an_example_are_sentences_and_other_languages_add_none(name: str) -> None:
    tables = {path.stem: FluentParser().parse(path.read_text()).body for path in package(name).glob("words/*.ftl")}
    ids = {
        language: {entry.id.name for entry in body if isinstance(entry, Message)} for language, body in tables.items()
    }
    assert not any(isinstance(entry, Junk) for body in tables.values() for entry in body)
    assert all(own <= ids["en"] for own in ids.values())
    assert ids["en"]


@pytest.mark.parametrize("name", ["tron", "dots_and_boxes"])
def test_an_example_is_in_order_as_the_check_of_games_sees_it(name: str, tmp_path: Path) -> None:
    entries = declared(name)["project"]["entry-points"][GROUP]
    with packages_found(EXAMPLES[name]), games_installed(tmp_path, entries):
        game = game_named(name)
        assert list(problems(game, package(name))) == []
        assert kit_languages(name)[0] == "python"
        assert kit_files(name, "java")["banzuke.toml"] == f'game = "{name}"\n'.encode()
        bots = [bot.description.name for bot in housebots_of(name)]
        assert bots == (["random", "space"] if name == "tron" else ["starter"])


def test_house_bots_of_an_example_share_its_starter_module(tmp_path: Path) -> None:
    for bot in ("random", "space"):
        files = files_of(package("tron") / "bots" / bot)
        assert set(files) == {"main.py", "tron.py"}
        assert files["tron.py"] == (package("tron") / "bots" / "starter" / "tron.py").read_bytes()


def test_a_game_of_openspiel_is_a_name_and_a_title(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    entries = declared("breakthrough")["project"]["entry-points"][GROUP]
    with packages_found(EXAMPLES["breakthrough"]), games_installed(tmp_path, entries):
        game = game_named("breakthrough")
        state = game.reset([1], 2)
        assert game.title == "Breakthrough"
        assert game.introduce(state, 0, 1) == ["1 2"]
        count, *rest = game.observe(state, 0, 0)
        assert len(rest) == int(count) + 1 + 8 + 1, "moves, the number of rows, eight rows and the letters of columns"
