"""The page about the sandbox says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from sandbox.api import Limits, Verdict
from sandbox.languages import ALL, BUILD_CPU_MS, BUILD_LIMITS
from sandbox.languages.language import STACK_MIB
from sandbox.limits import limits_table

ROOT = Path(__file__).parents[2]
AUTHORS = (ROOT / "docs/play/faults.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/run/sandbox.md").read_text(encoding="utf-8")


def test_the_table_of_limits_is_the_one_the_code_prints() -> None:
    assert f"\n{limits_table()}\n" in PAGE


def test_every_limit_has_a_meaning() -> None:
    assert [field.name for field in fields(Limits) if f"`{field.name}`" not in limits_table()] == []


def test_every_verdict_is_explained() -> None:
    assert [verdict for verdict in Verdict if f"`{verdict}`" not in PAGE] == []


def test_the_page_for_authors_has_the_memory_options_of_runtimes() -> None:
    lines = [line for line in AUTHORS.splitlines() if line.startswith("| ")]
    rows = {
        name: line
        for line in lines
        for name in (line.split(" | ")[0].strip("| "), *line[2:].split(" | ")[0].split(", "))
    }
    assert f"{Limits().memory_mib} MiB" in rows["memory"]
    assert f"up to {Limits().start_cpu_ms // 1_000} s of CPU time" in AUTHORS
    assert f"has {BUILD_CPU_MS // 1_000} s of CPU time" in " ".join(PAGE.split())
    for title, entry in (
        ("C#", "Main.cs"),
        ("Java", "Main.java"),
        ("Kotlin", "Main.kt"),
        ("PHP", "main.php"),
        ("TypeScript", "main.ts"),
        ("JavaScript", "main.js"),
        ("Go", "main.go"),
    ):
        (known,) = (language for language in ALL if entry in language.entries)
        sizes = re.findall(
            r"(?:-Xmx|-Xss|space-size=|MEMLIMIT=|heap-limit=|memory_limit=)(\d+)",
            " ".join(known.command(entry, Limits())),
        )
        assert sizes
        assert [size for size in sizes if not re.search(rf"\b{size} ?MiB", rows[title])] == []
    assert f"{BUILD_CPU_MS // 1_000} s of CPU time and {BUILD_LIMITS.memory_mib // 1_024} GiB" in rows["C, C++"]
    assert f"files of at most {BUILD_LIMITS.file_mib} MiB and stacks of {STACK_MIB} MiB" in rows["C, C++"]


def test_image_and_tests_install_the_packages_of_every_language() -> None:
    wanted = {package for language in ALL for package in language.packages}
    image = (ROOT / "deploy/images/packages.txt").read_text().split()
    assert wanted - set(image) == set(), "Add them to deploy/images/packages.txt."
    scripts = "".join((ROOT / "deploy" / name).read_text() for name in ("bootstrap.sh", "test.sh"))
    tests = re.findall(r"^ *need (\S+)", scripts, re.MULTILINE)
    assert wanted - set(tests) == set(), "Add them to deploy/test.sh."


def test_every_language_is_in_the_table_with_its_entry_points_and_packages() -> None:
    for language in ALL:
        rows = [row for row in PAGE.splitlines() if row.startswith((f"| {language.title} |", f"| {language.title},"))]
        assert rows, f"docs/run/sandbox.md (Languages) has no row for {language.title}"
        for word in (*language.entries, *language.packages):
            assert f"`{word}`" in rows[0]


def test_the_first_page_for_authors_names_every_language() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [language.title.split()[0] for language in ALL]
    assert [name for name in names if not re.search(rf"(?<!\w){re.escape(name)}(?![a-zA-Z+])", text)] == []
