"""What the pages name exists: places, files, programs, commands and their options; and every command is named."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import resolve

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "games").rglob("*.md")])
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text() for page in PAGES}
FOLDERS = "core|games|rating|sandbox|wire|workers|common|accounts|jobs|ladder|matches|fleet|api|arena|banzuke"
FOLDERS += "|deploy|docs|tests"
PLACES = "api|games|matches|fleet|admin|healthz|livez|metrics"
OURS = {name: app for name, app in get_commands().items() if app in ("ladder", "matches", "fleet")}

every_page = pytest.mark.parametrize("page", TEXTS)


def prose(page: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", TEXTS[page], flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(
        r"^#+ (.*)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE), re.M
    )
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!http)([^)]+)\)", TEXTS[page]):
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@every_page
def test_files_and_tests_that_are_named_exist(page: str) -> None:
    for path, test in re.findall(rf"`((?:{FOLDERS})/[\w./-]+)(?:::(\w+))?`", prose(page)):
        file = next((folder / path for folder in (ROOT, ROOT / "tests") if (folder / path).exists()), None)
        assert file, path
        assert not test or f"def {test}(" in file.read_text(), test


@every_page
def test_programs_that_are_named_exist(page: str) -> None:
    for module in re.findall(r"python3? -m ([a-z][\w.]+)", TEXTS[page]):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists() or module == "venv", module


@every_page
def test_addresses_that_are_named_exist(page: str) -> None:
    for address in re.findall(rf"(?:`|GET |\$SITE)(/(?:{PLACES})\b[\w/<>$-]*)", TEXTS[page]):
        path = re.sub(r"NUMBER|<number>|\$[A-Z]+", "1", address.replace("GAME", "puyo")).rstrip(".")
        if path != "/api/v1/":  # below it every address is known, to be told that it is none
            assert resolve(path).route != resolve("/api/v1/nothing/").route, path


def commands(page: str) -> Iterator[list[str]]:
    """The management commands that a page names, in words."""
    for line in re.findall(r"manage\.(?:py|sh) ([^`\n;]+)", TEXTS[page]):
        yield line.split()
    for span in re.findall(r"`([^`\n]+)`", prose(page)):
        words = span.split()
        if words[0] in OURS:
            yield words


@every_page
def test_commands_and_options_that_are_named_exist(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name, *words in commands(page):
        name = name.rstrip(".,")
        assert name in get_commands(), name
        act = [word for word in words[:1] if word.isalpha() and word.islower() and name != "changepassword"]
        parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
        with pytest.raises(SystemExit) as ended:
            parser.parse_args([*act, "--help"])
        assert ended.value.code == 0, f"{name} {act}"
        known = capsys.readouterr().out
        assert [option for option in re.findall(r"--[a-z-]+", " ".join(words)) if option not in known] == []


def options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for act in action.choices.values():
                yield from options(act)
        elif action.option_strings:
            yield action


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_option_says_what_it_is_for(name: str) -> None:
    parser = load_command_class(OURS[name], name).create_parser("manage.py", name)
    assert [action.option_strings for action in options(parser) if not action.help] == []


def test_who_quarantines_a_worker_knows_that_everybody_reads_why() -> None:
    (told,) = (
        action.help
        for action in options(load_command_class("fleet", "workers").create_parser("manage.py", "workers"))
        if action.required
    )
    assert told == "everybody reads it at the matches that are taken out"


def test_every_command_is_told() -> None:
    text = "".join(TEXTS.values())
    assert {name for name in OURS if not re.search(rf"manage\.(?:py|sh) {name}\b|make {name}\b", text)} == set()
