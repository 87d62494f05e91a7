"""The pages of docs/ are short and say for whom they are; what they name exists, and every command is named."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import resolve

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
PAGES += sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "games").rglob("*.md")])
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text() for page in PAGES}
FOLDERS = "core|environments|games|rating|sandbox|wire|workers|common|accounts|jobs|ladder|matches|fleet|api"
FOLDERS += "|formats|arena|banzuke|deploy|docs|tests|attacks|chaos"
PLACES = "api|games|matches|fleet|admin|healthz|livez|metrics"
OURS = {
    name: app
    for name, app in get_commands().items()
    if app in ("ladder", "matches", "fleet", "tournaments", "exhibitions", "workshop")
}

WORDS_MAX = 3_000
READERS = "administrators|authors|contributors|everybody|organisers|people|researchers|spectators"

every_page = pytest.mark.parametrize("page", TEXTS)
every_page_of_docs = pytest.mark.parametrize("page", [page for page in TEXTS if page.startswith("docs/")])


@every_page_of_docs
def test_no_page_is_long(page: str) -> None:
    assert len(TEXTS[page].split()) <= WORDS_MAX, "Cut what nobody needs, or move it to a page of its own."


@every_page_of_docs
def test_each_page_says_for_whom_it_is(page: str) -> None:
    paragraph = " ".join(TEXTS[page].split("\n\n")[1].split())
    assert re.search(rf"\b[Ff]or (?:\w+ ){{0,2}}(?:{READERS})\b", paragraph), paragraph


def test_pages_lie_in_groups_by_what_readers_do() -> None:
    pages = [page.split("/")[1] for page in TEXTS if page.startswith("docs/")]
    assert set(pages) == {"README.md", "play", "organise", "run", "understand", "contributors"}


def test_the_index_leads_to_every_page() -> None:
    """Directly from docs/README.md, or through the index of a folder."""
    indexes = [ROOT / page for page in TEXTS if page.startswith("docs/") and page.endswith("README.md")]
    links = [(index, path) for index in indexes for path in re.findall(r"\]\(([^)#:]+)\)", index.read_text())]
    reached = {(index.parent / path).resolve() for index, path in links}
    pages = {ROOT / page for page in TEXTS if page.startswith("docs/")}
    assert pages - reached - {ROOT / "docs" / "README.md"} == set()


def test_the_changelog_has_versions_and_short_entries() -> None:
    sections = re.split(r"^## ", TEXTS["CHANGELOG.md"], flags=re.MULTILINE)[1:]
    assert [
        section.split()[0] for section in sections if not re.match(r"Unreleased$|\d+\.\d+\.\d+$", section.split()[0])
    ] == []
    for section in sections:
        lines = section.splitlines()
        assert len(lines) <= 150
        assert [line for line in lines if line.startswith("- ") and len(line.split()) > 26] == []
        assert [line for line in lines if line.startswith("  ")] == [], "An entry is one line."


def test_commits_that_blame_looks_past_are_named_in_full() -> None:
    lines = [line for line in (ROOT / ".git-blame-ignore-revs").read_text().splitlines() if line]
    named = [number for number, line in enumerate(lines) if not line.startswith("#")]
    assert [lines[number] for number in named if not re.fullmatch(r"[0-9a-f]{40}", lines[number])] == []
    assert [lines[number] for number in named if not lines[number - 1].startswith("# ")] == []


def today(page: str) -> str:
    """Return what a page says of today: the changelog also tells of earlier releases, and of what was removed."""
    text = TEXTS[page]
    if page != "CHANGELOG.md":
        return text
    newest = text.split("\n## ")[1]
    return "\n### ".join(group for group in newest.split("\n### ") if not group.startswith("Removed"))


def prose(page: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", today(page), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
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
    for module in re.findall(r"python3? -m ([a-z][\w.]+)", today(page)):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists() or module == "venv", module


@every_page
def test_urls_that_are_named_exist(page: str) -> None:
    for url in re.findall(rf"(?:`|GET |\$SITE)(/(?:{PLACES})\b[\w/<>$-]*)", today(page)):
        path = re.sub(r"NUMBER|<number>|\$[A-Z]+", "1", url.replace("GAME", "puyo")).rstrip(".")
        if path != "/api/v1/":  # every path below it has a view, which answers that there is no such endpoint
            assert resolve(path).route != resolve("/api/v1/nothing/").route, path


def commands(page: str) -> Iterator[list[str]]:
    """Yield the management commands that a page names, split into words."""
    for line in re.findall(r"manage\.(?:py|sh) ([^`\n;]+)", today(page)):
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


def test_every_command_is_documented() -> None:
    text = "".join(TEXTS.values())
    assert {name for name in OURS if not re.search(rf"manage\.(?:py|sh) {name}\b|make {name}\b", text)} == set()
