"""Installs game packages for tests: an entry point is all that an installed package is to the registry."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from games import registry
from games.housebots import descriptions_of
from games.words import words_of


def package_made(site: Path, games: Mapping[str, str], package: str = "toys") -> None:
    """Write what an installer writes of a package that brings games, besides its modules.

    Args:
        site: a folder of installed packages.
        games: the entry points: ``module:Class`` by name.
        package: name of the package.
    """
    info = site / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{registry.GROUP}]", *(f"{name} = {value}" for name, value in games.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))


@contextmanager
def games_installed(site: Path, games: Mapping[str, str], package: str = "toys") -> Iterator[None]:
    """Have a package installed that brings games (see ``package_made``); the modules in its site can be imported."""
    package_made(site, games, package)
    with packages_found(site):
        yield


@contextmanager
def packages_found(site: Path) -> Iterator[None]:
    """Have the packages of a folder installed; their modules can be imported."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(site)
            _forget()
            yield
    finally:
        _forget()
        for name, module in list(sys.modules.items()):
            if (file := getattr(module, "__file__", None)) and Path(file).is_relative_to(site):
                del sys.modules[name]


def _forget() -> None:
    registry.forget()
    words_of.cache_clear()
    descriptions_of.cache_clear()
