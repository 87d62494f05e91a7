"""The files of house bots: what makes up a bundle, which descriptions are refused, and bots made of a stub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.housebots import (
    STARTER,
    Description,
    descriptions_of,
    files_of,
    housebots_fault,
    housebots_for,
    housebots_of,
    paths_of,
)
from games.registry import FOLDER, game_named
from tests.installing import games_installed
from tests.own import OWN

TOML = 'name = "wild"\ngame = "toy"\nlanguage = "python"\ntext = "It guesses."\ndeclared_rating = 1500\n'


@pytest.fixture
def bots(tmp_path: Path) -> Iterator[Path]:
    """The folder of house bots of a game of an installed package; it has none yet."""
    folder = tmp_path / "toys" / "bots"
    folder.mkdir(parents=True)
    (tmp_path / "toys" / "__init__.py").write_text(
        "from tests.core.toy import RockPaperScissors\n\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"
    )
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        yield folder


def written(bots: Path, toml: str = TOML, name: str = "wild") -> Path:
    """Write a house bot; return its folder."""
    folder = bots / name
    folder.mkdir()
    (folder / "bot.toml").write_text(toml)
    (folder / "main.py").write_text("print('rock')\n")
    return folder


# --- Files ----------------------------------------------------------------------------------------------------------


def test_all_files_of_a_folder_are_found_but_hidden_and_compiled_ones(tmp_path: Path) -> None:
    for name in ("main.py", "deep/er/x.txt", ".git/config", ".env", "main.pyc", "deep/.cache/y"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert {path.relative_to(tmp_path).as_posix() for path in paths_of(tmp_path)} == {"main.py", "deep/er/x.txt"}
    assert files_of(tmp_path) == {"deep/er/x.txt": b"deep/er/x.txt", "main.py": b"main.py"}


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "rules.py").write_text("x")
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "lib").symlink_to(tmp_path / "shared")
    (bot / "copy.py").symlink_to(tmp_path / "shared" / "rules.py")
    assert files_of(bot) == {"copy.py": b"x", "lib/rules.py": b"x"}


def test_a_link_to_nothing_or_to_a_folder_round_it_is_refused(tmp_path: Path) -> None:
    """The attack: a link that leads to its own folder makes an endless bundle."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "again").symlink_to(tmp_path)
    with pytest.raises(OSError, match="again"):
        files_of(tmp_path)
    (tmp_path / "deep" / "again").unlink()
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    with pytest.raises(FileNotFoundError):
        files_of(tmp_path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        files_of(tmp_path / "nowhere")


def test_what_describes_a_house_bot_is_no_part_of_its_program(bots: Path) -> None:
    folder = written(bots)
    (folder / "README.md").write_text("# wild\n")
    (folder / "notes.md").write_text("more")
    assert set(files_of(folder)) == {"main.py", "notes.md"}
    (folder / "bot.toml").unlink()
    assert set(files_of(folder)) == {"README.md", "main.py", "notes.md"}, "a user's folder is taken as it is"


def test_house_bots_in_python_get_the_modules_of_their_game_and_may_have_their_own(bots: Path) -> None:
    (bots / STARTER).mkdir()
    (bots / STARTER / "toy.py").write_text("shared")
    (bots / STARTER / "notes.txt").write_text("no module")
    folder = written(bots)
    assert files_of(folder) == {"main.py": b"print('rock')\n", "toy.py": b"shared"}
    (folder / "toy.py").write_text("own")
    assert files_of(folder)["toy.py"] == b"own"
    (folder / "main.py").rename(folder / "main.rb")
    assert set(files_of(folder)) == {"main.rb", "toy.py"}


@pytest.mark.parametrize("game", OWN)
def test_house_bots_of_a_game_are_sorted_by_folder_and_have_a_main_file(game: str) -> None:
    found = housebots_of(game)
    assert [bot.description.name for bot in found] == sorted(bot.description.name for bot in found)
    for bot in found:
        assert any(Path(name).stem.lower() == "main" for name in bot.files)
        assert (FOLDER / game / "bots" / bot.description.name / "bot.toml").is_file()
        assert bot.description.game == game


# --- Descriptions ---------------------------------------------------------------------------------------------------


def test_a_description_is_read_with_what_it_leaves_out(bots: Path) -> None:
    written(bots)
    (bot,) = housebots_of("toy")
    assert bot.description == Description("wild", "toy", "python", "It guesses.", 1500.0)
    assert bot.description.plays_openly
    assert bot.description.rating("short", [2]) == 1500.0
    assert bot.description.rating("short", [3]) is None


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ('game = "puyo"', "it names the game puyo, but lies in the folder of toy"),
        ('rulesets = ["long"]', "toy has no 'long', neither as a ruleset nor as a table size"),
        ("players = [4]", "toy has no 4, neither as a ruleset nor as a table size"),
        ("strength = 3", "unknown field `strength`"),
        ("text = 3", "Expected `str`, got `int`"),
        ('text = "', "Illegal character|Unescaped|Invalid|Expected"),
    ],
)
def test_a_wrong_description_is_refused_with_its_path(bots: Path, change: str, complaint: str) -> None:
    key = change.partition(" ")[0]
    lines = [line for line in TOML.splitlines() if not line.startswith(f"{key} ")]
    written(bots, "\n".join([*lines, change, ""]))
    with pytest.raises(ValueError, match=complaint) as error:
        housebots_of("toy")
    assert str(error.value).startswith(str(bots / "wild" / "bot.toml"))
    assert housebots_fault("toy").startswith("The house bots of toy are left out, since one cannot be read: ")


def test_only_bots_of_the_open_contest_need_a_rating(bots: Path) -> None:
    unrated = TOML.replace("declared_rating = 1500\n", "")
    folder = written(bots, unrated)
    with pytest.raises(ValueError, match="a bot of the open contest needs a declared_rating"):
        housebots_of("toy")
    (folder / "bot.toml").write_text(unrated + 'rulesets = ["pauses"]\n[ratings]\npauses-3 = 1400\n')
    (bot,) = housebots_of("toy")
    assert not bot.description.plays_openly
    assert [bot.description.rating("pauses", [size]) for size in (2, 3)] == [None, 1400.0]
    assert housebots_for("toy") == []
    assert [each.description.name for each in housebots_for("toy", ruleset="pauses", sizes=[2, 3])] == ["wild"]
    assert housebots_for("toy", ruleset="pauses", sizes=[2], options=["rounds"]) == []


def test_descriptions_are_read_once_for_each_process(bots: Path) -> None:
    written(bots)
    assert [each.name for each in descriptions_of("toy")] == ["wild"]
    assert housebots_fault("toy") == ""
    written(bots, TOML.replace("wild", "tame"), "tame")
    assert [each.name for each in descriptions_of("toy")] == ["wild"]
    assert [bot.description.name for bot in housebots_of("toy")] == ["tame", "wild"]


# --- Bots of stubs --------------------------------------------------------------------------------------------------


def test_a_game_without_house_bots_has_one_made_of_its_stub(bots: Path) -> None:
    assert housebots_of("toy") == []
    (bots.parent / "stub.txt").write_text("read hello:line\ngameloop\n  read turn:line\n  write rock\n")
    (bot,) = housebots_of("toy")
    assert (bot.description.name, bot.description.language) == (STARTER, "python")
    assert bot.description.plays_openly
    assert bot.description.rating("short", [2]) == 600.0
    assert b'print("rock", flush=True)' in bot.files["main.py"]
    written(bots)
    assert [bot.description.name for bot in housebots_of("toy")] == ["wild"], "a bot of its own goes before"


def test_a_wrong_stub_is_told_instead_of_a_bot(bots: Path) -> None:
    (bots.parent / "stub.txt").write_text("gameloop\n  reed turn:line\n")
    with pytest.raises(ValueError, match=r"stub\.txt, line 2: the command 'reed'"):
        housebots_of("toy")
    assert "since one cannot be read: " in housebots_fault("toy")
    assert housebots_of("chess") == [], "an unknown game has none"
    assert game_named("toy").title == "Rock, paper, scissors", "the game itself goes on"
