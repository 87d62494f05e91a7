"""The example Tron: its own tests, and its guide on the site."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from deploy.settings import ROOT
from ladder.guides import guide_figure
from tests.installing import games_installed

PACKAGE = ROOT / "examples" / "tron"


@pytest.fixture
def tron(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
    """Have the game installed and offered, as if the site had been started with it."""
    monkeypatch.syspath_prepend(PACKAGE)
    settings.GAMES = ["tron"]
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, ("games/tron", PACKAGE / "banzuke_tron" / "viewer")]
    with games_installed(tmp_path, {"tron": "banzuke_tron:Tron"}):
        yield


@pytest.mark.timeout(600)
def test_the_installed_package_passes_its_own_tests(tmp_path: Path) -> None:
    """They need no more than an author has: Banzuke, pytest and the package."""
    source, site = tmp_path / "source", tmp_path / "site"
    shutil.copytree(PACKAGE, source)
    install = ("install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", site, source)
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    environment = {**os.environ, "PYTHONPATH": f"{site}:{ROOT}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    pytest_of_its_own = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests"]
    done = subprocess.run(pytest_of_its_own, cwd=source, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.django_db
@pytest.mark.usefixtures("tron")
@pytest.mark.parametrize(("language", "crash"), [("en", "You crash if your next cell"), ("ja", "衝突して脱落します")])
def test_the_guide_is_there_in_two_languages(client: Client, language: str, crash: str) -> None:
    html = client.get("/games/tron/guide/", headers={"accept-language": language}).content.decode()
    assert f'<article class="prose guide" lang="{language}">' in html
    assert crash in html
    assert html.count("<figure") >= 3
    conversation = re.sub("<[^>]*>", "", html)
    assert "0 2 30 20" in conversation
    for name in ("ride", "crashes", "space"):
        assert guide_figure("tron", name).boards
