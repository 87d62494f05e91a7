"""Static files as an installation serves them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings


@pytest.fixture
def collected(settings: Settings, tmp_path: Path) -> Path:
    """The folder of the collected static files."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "arena.serving.static_files.StaticStorage"}}
    call_command("collectstatic", interactive=False, verbosity=0)
    return tmp_path


def test_modules_import_each_other_by_hashed_names(collected: Path) -> None:
    viewer = collected / "matches" / "viewer"
    hashed = [path for path in viewer.rglob("*.js") if re.search(r"\.[0-9a-f]{12}\.js$", path.name)]
    name = re.compile(r'(?:from |import\()"(\..*?)"')
    imports = [(path, found) for path in hashed for found in name.findall(path.read_text())]

    assert len(hashed) >= 10
    assert len(imports) >= 15
    for path, imported in imports:
        assert re.search(r"\.[0-9a-f]{12}\.js$", imported), f"{path.name} imports {imported}"
        assert (path.parent / imported).exists()


def test_the_favicon_redirects_to_the_seal(client: Client) -> None:
    assert client.get("/favicon.ico").headers["Location"].endswith("ladder/seal.svg")
