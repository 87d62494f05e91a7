"""Writes sources into folders, and builds them in a sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sandbox.api import Program, RunResult, Sandbox
from sandbox.languages import BUILD_CPU_MS, BUILD_LIMITS, Language
from sandbox.toolchains import version_of


def write(folder: Path, *names: str) -> Path:
    """Create empty files in a folder and return it."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def pack(folder: Path, files: Mapping[str, str]) -> Path:
    """Create files in a folder, from path to text, and return it."""
    for path, text in files.items():
        (write(folder, path) / path).write_text(text)
    return folder


def installed(backend: Sandbox, language: Language) -> None:
    """Skip the test if the sandbox lacks the language."""
    if version_of(backend, language) is None:
        pytest.skip(f"needs {language.title} ({backend.name}): apt-get install {' '.join(language.packages)}")


def build(backend: Sandbox, language: Language, source: Path, entry: str) -> tuple[RunResult, Path]:
    """Build the sources in a folder with the limits of a build; return the result and the folder of the program."""
    installed(backend, language)
    out = source.parent / "out"
    out.mkdir()
    result = backend.run(Program(source, language.build(entry)), BUILD_LIMITS, BUILD_CPU_MS, out)
    return result, out if language.compiled else source
