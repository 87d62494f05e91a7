"""The page about the sandbox says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from sandbox.api import Limits, Verdict
from sandbox.languages import ALL, BUILD_CPU_MS, BUILD_LIMITS
from sandbox.limits import limits_table

AUTHORS = (Path(__file__).parents[2] / "docs" / "authors" / "faults.md").read_text(encoding="utf-8")
PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text(encoding="utf-8")


def test_the_table_of_limits_is_the_one_the_code_prints() -> None:
    assert f"\n{limits_table()}\n" in PAGE


def test_every_limit_has_a_meaning() -> None:
    assert [field.name for field in fields(Limits) if f"`{field.name}`" not in limits_table()] == []


def test_every_verdict_is_explained() -> None:
    assert [verdict for verdict in Verdict if f"`{verdict}`" not in PAGE] == []


def test_authors_read_what_runtimes_are_told_of_their_memory() -> None:
    rows = {line.split(" | ")[0].strip("| "): line for line in AUTHORS.splitlines() if line.startswith("| ")}
    assert f"{Limits().memory_mib} MiB" in rows["memory"]
    for title, entry in (("Java", "Main.java"), ("JavaScript", "main.js"), ("Go", "main.go")):
        (known,) = (language for language in ALL if entry in language.entries)
        sizes = re.findall(r"(?:-Xmx|-Xss|space-size=|MEMLIMIT=)(\d+)", " ".join(known.command(entry, Limits())))
        assert sizes
        assert [size for size in sizes if not re.search(rf"\b{size} ?MiB", rows[title])] == []
    assert f"{BUILD_CPU_MS // 1_000} s of CPU time and {BUILD_LIMITS.memory_mib // 1_024} GiB" in rows["C, C++"]


def test_the_image_has_the_packages_of_every_language() -> None:
    image = (Path(__file__).parents[2] / "deploy" / "images" / "packages.txt").read_text().split()
    assert {package for language in ALL for package in language.packages} - set(image) == set()


def test_every_language_is_in_the_table_with_its_entry_points_and_packages() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    for language in ALL:
        row = next(row for row in rows if row.startswith((f"| {language.title} |", f"| {language.title},")))
        for word in (*language.entries, *language.packages):
            assert f"`{word}`" in row
