"""The games under ``examples/``, built and installed by their own ``pyproject.toml``, as a user does it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from banzuke.commands import main
from banzuke.testing import check_game
from banzuke.testing.setups import setups_of
from core.replay import encode
from deploy.settings import ROOT
from games.registry import folder_of, game_named, game_names, games_broken
from games.replays import verify
from tests.installing import packages_found

pytestmark = pytest.mark.test_all

EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda folder: folder.name)
def games(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Install an example; these are the games that it brings."""
    source, site = tmp_path_factory.mktemp("source") / "example", tmp_path_factory.mktemp("site")
    shutil.copytree(request.param, source)
    # Without its dependencies and without the network: this is an environment in which Banzuke is installed.
    install = ("install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", site, source)
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    with packages_found(site):
        yield [name for name in game_names() if (folder_of(name) or ROOT).is_relative_to(site)]


def test_an_example_is_in_order(games: list[str]) -> None:
    assert games
    assert games_broken() == {}
    for game in games:
        check_game(game)


def test_matches_of_an_example_end_and_their_replays_verify(games: list[str]) -> None:
    for setup in (setup for game in games for setup in setups_of(game_named(game))):
        records = setup.match(seed=3)
        assert records[-1]["faults"] == [None] * setup.players
        verify(encode(records))


def test_the_starter_kit_of_an_example_plays_at_once(
    games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for game in games:
        assert main(["new", game, "python"]) == 0
        others = ["house:random"] * (game_named(game).players[0] - 1)
        assert main(["play", game, f"{game}_python", *others, "--strict"]) == 0


@pytest.mark.django_db
def test_the_site_has_pages_of_an_example(games: list[str], client: Client, settings: Settings) -> None:
    settings.GAMES = games
    for game in games:
        title = game_named(game).title
        for page in ("/", f"/games/{game}/", f"/games/{game}/guide/"):
            answer = client.get(page, follow=True)
            assert answer.status_code == 200
            assert title in answer.content.decode()
