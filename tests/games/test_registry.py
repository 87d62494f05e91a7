"""Games of installed packages: how they are found, and that a wrong one is named while the others go on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from banzuke.commands import main
from contests.selectors.contests import limits_installed
from core.playout import random_answers, replay_answers
from core.replay import ReplayMismatch, encode
from games.registry import (
    BrokenGame,
    folder_of,
    game_keys,
    game_named,
    game_names,
    game_part,
    games_broken,
    rules_versions,
)
from games.replays import verify
from tests.installing import games_installed, package_made
from tests.ladder.makers import make_user
from tests.own import OWN
from wire.jobs import BotLimits

ROOT = Path(__file__).parents[2]
TOY = """
from tests.core.toy import RockPaperScissors

class Toy(RockPaperScissors):
    name = "toy"
    rules_version = "{version}"
    {change}
"""


def written(site: Path, module: str = "toys", version: str = "2", change: str = "") -> None:
    """Write the module of a package with the game ``Toy``."""
    (site / module).mkdir(parents=True)
    (site / module / "__init__.py").write_text(TOY.format(version=version, change=change))


def test_games_of_packages_follow_those_of_the_source_tree(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "toys/judge.py").write_text("judge = dict")
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        assert game_names() == (*OWN, "toy")
        assert folder_of("toy") == tmp_path / "toys"
        assert game_part("toy", "judge").judge is dict
    assert game_names() == OWN
    assert folder_of("toy") is None


BROKEN = {
    "raises": ({"toy": "toys:Toy"}, "1 / 0", "It cannot be imported: ZeroDivisionError: division by zero"),
    "exits": ({"toy": "toys:Toy"}, "raise SystemExit", "It cannot be imported: SystemExit"),
    "no class": ({"toy": "toys:Chess"}, "", "It cannot be imported: AttributeError: .* has no attribute 'Chess'"),
    "no game": ({"toy": "toys:RockPaperScissors.rulesets"}, "", "It cannot be imported: TypeError"),
    "no title": ({"toy": "toys:Toy"}, "title = ''", "Its class has no title, or a wrong one."),
    "other name": ({"toys": "toys:Toy"}, "", "Its class has the name 'toy', and its entry point 'toys'"),
    "taken name": ({"puyo": "toys:Toy"}, "name = 'puyo'", "Banzuke itself has a game of this name"),
    "wrong name": ({"Toy": "toys:Toy"}, "name = 'Toy'", "A name is made of small letters"),
    "seven players": ({"toy": "toys:Toy"}, "players = (7,)", r"It is for \(7,\) players, but 2 to 4 can play"),
    "no JSON": (
        {"toy": "toys:Toy"},
        "setting = lambda *_: {1j: {}}",
        "Its setting or its first frame cannot be written",
    ),
    "no start": ({"toy": "toys:Toy"}, "reset = 1", "No match can begin: TypeError: 'int' object is not callable"),
    "old version": ({"toy.1": "toys:Toy"}, "", "Its rules have version '2', and its entry point says '1'"),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("games", "change", "words"), BROKEN.values(), ids=list(BROKEN))
def test_a_wrong_package_is_named_and_the_others_go_on(
    tmp_path: Path, client: Client, games: dict[str, str], change: str, words: str
) -> None:
    written(tmp_path / "one", "toys", change=change)
    written(tmp_path / "two", "good", change="name = 'good'")
    with games_installed(tmp_path / "one", games, "wrong"), games_installed(tmp_path / "two", {"good": "good:Toy"}):
        assert game_names() == (*OWN, "good")
        ((key, sentence),) = games_broken().items()
        assert sentence.startswith(f"The game {key} of the package wrong cannot be used. ")
        assert re.search(words, sentence)
        assert [warning.msg for warning in run_checks()] == [sentence]
        client.force_login(make_user("root", is_staff=True))
        page = client.get(reverse("fleet:fleet")).content.decode()
        assert "Games that do not work" in page
        assert key in page
        if key in game_keys():
            assert game_named(key).title == "Puyo Puyo", "the game of the source tree keeps its name"
        else:
            with pytest.raises(BrokenGame, match=re.escape(sentence)):
                game_named(key)


@pytest.mark.parametrize("command", ["play", "league", "tui", "new", "judge"])
def test_commands_say_why_a_game_cannot_be_used(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, change="1 / 0")
    words = {"new": ["python"], "play": ["a", "b"], "tui": ["a", "b"]}.get(command, [])
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        with suppress(SystemExit):
            main([command, "toy", *words])
        assert "It cannot be imported: ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("bot_limits = {'memory_mib': 99_999}", "The limits of bots that toy declares are left out"),
        ("", r"The house bots of toy are left out, since one cannot be read: .*bot\.toml"),
    ],
    ids=["limits", "house bots"],
)
def test_a_part_of_a_game_that_cannot_be_used_is_left_out_and_named(
    tmp_path: Path, settings: Settings, change: str, words: str
) -> None:
    written(tmp_path, change=change)
    if not change:
        (tmp_path / "toys/bots/wild").mkdir(parents=True)
        (tmp_path / "toys/bots/wild/bot.toml").write_text("name = ")
    settings.GAMES = ["toy", "puyo"]
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        (warning,) = run_checks()
        assert re.match(words, warning.msg)
        assert limits_installed(game="toy") == BotLimits()


def test_two_packages_that_claim_a_name_are_both_named(tmp_path: Path) -> None:
    written(tmp_path)
    package_made(tmp_path, {"toy": "toys:Toy"}, "first")
    with games_installed(tmp_path, {"toy": "toys:Toy"}, "second"):
        assert game_names() == OWN
        assert "claimed by the packages first and second: uninstall one of them." in games_broken()["toy"]


def test_a_setting_that_names_a_wrong_package_leaves_it_out(tmp_path: Path) -> None:
    written(tmp_path, change="1 / 0")
    package_made(tmp_path, {"toy": "toys:Toy"})
    code = "from django.conf import settings; print(settings.GAMES)"
    environment = {**os.environ, "GAMES": "puyo,toy", "PYTHONPATH": str(tmp_path)}
    environment |= {"DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert shown.stdout == "['puyo']\n", shown.stderr


def replay_of(game: str, version: str) -> bytes:
    rules = game_named(game, version)
    answers = random_answers(rules, seed=7, players=2, options={})
    return encode(replay_answers(rules, answers, seed=7, players=2, options={})[1])


def test_replays_of_earlier_rules_verify_as_long_as_they_are_installed(tmp_path: Path) -> None:
    shown = "frame = lambda self, state, b: super(Toy, self).frame(state, b) | {'colours': True}"
    written(tmp_path, change=shown)
    written(tmp_path, "toys/v1", version="1")
    with games_installed(tmp_path, {"toy": "toys:Toy", "toy.1": "toys.v1:Toy"}):
        assert (game_names()[-1], rules_versions("toy")) == ("toy", ("2", "1"))
        assert game_named("toy").rules_version == "2"
        assert folder_of("toy.1") == tmp_path / "toys/v1"
        old, new = replay_of("toy", "1"), replay_of("toy", "2")
        assert old != new
        verify(old)
        verify(new)
    (tmp_path / "toys-1.0.dist-info/entry_points.txt").unlink()
    with games_installed(tmp_path, {"toy": "toys:Toy"}, "later"):
        verify(new)
        with pytest.raises(
            ReplayMismatch, match=r"version 1 of the rules of Rock, .*; only version 2 can be played here"
        ):
            verify(old)
    with pytest.raises(ReplayMismatch, match="of an unknown game, 'toy'"):
        verify(new)
