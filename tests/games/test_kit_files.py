"""What starter kits hold: the program, a README of the contest, and the file that names the game."""

from __future__ import annotations

import io
import tomllib
import zipfile
from pathlib import Path

import pytest

from games.kits import MARK, kit_files, kit_game, kit_languages, kit_rivals, kits_fault, zipped
from games.registry import FOLDER, game_named
from games.stubs import BadStub
from games.stubs.writer import LANGUAGES
from tests.installing import games_installed
from tests.own import OWN


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OWN)
def test_a_kit_has_a_program_a_readme_and_the_name_of_its_game(game: str, language: str) -> None:
    files = kit_files(game, language)
    assert {"README.md", MARK, LANGUAGES[language].file} <= set(files)
    assert tomllib.loads(files[MARK].decode()) == {"game": game}
    readme = files["README.md"].decode()
    assert readme.startswith(f"# Starter kit for {game_named(game).title}\n")
    assert f"banzuke play {game} . {kit_rivals(game)}\n" in readme
    assert f"banzuke upload . --game {game} --name NAME\n" in readme
    assert "In this contest" not in readme
    assert "{" not in readme


@pytest.mark.parametrize("game", OWN)
def test_the_kit_in_python_is_the_random_house_bot_with_the_modules_of_its_game(game: str) -> None:
    files, bots = kit_files(game, "python"), FOLDER / game / "bots"
    assert files["main.py"] == (bots / "random" / "main.py").read_bytes()
    for module in (bots / "starter").glob("*.py"):
        assert files[module.name] == module.read_bytes()
    assert "bot.toml" not in files
    assert files["README.md"] != (bots / "random" / "README.md").read_bytes()


def test_the_kit_of_a_contest_tells_what_is_special_there_and_where_to_upload() -> None:
    about = "- Matches have 20 turns.\n"
    readme = kit_files("puyo", "rust", place="contests/spring", about=about)["README.md"].decode()
    assert "`/contests/spring/guide/`" in readme
    assert f"\nIn this contest:\n\n{about}" in readme
    assert "# then upload it: /upload/?contest=spring\n" in readme
    assert "banzuke upload" not in readme
    open_one = kit_files("puyo", "rust")["README.md"].decode()
    assert "`/games/puyo/guide/`" in open_one


def test_a_match_of_a_kit_is_filled_with_players_at_random() -> None:
    assert kit_rivals("puyo") == "house:random"
    assert kit_rivals("attack25") == "house:random house:random house:random"


def test_python_comes_first_among_the_languages() -> None:
    for game in OWN:
        assert kit_languages(game) == ["python", *sorted(set(LANGUAGES) - {"python"})]


@pytest.mark.parametrize(("game", "language"), [("puyo", "cobol"), ("puyo", ""), ("chess", "python")])
def test_there_is_no_kit_in_an_unknown_language_or_of_an_unknown_game(game: str, language: str) -> None:
    with pytest.raises(KeyError):
        kit_files(game, language)
    assert language not in kit_languages(game) or game == "chess"


def test_an_unknown_game_has_no_kits() -> None:
    assert kit_languages("chess") == []
    assert kits_fault("chess") == ""


def test_a_folder_counts_as_a_kit_by_its_main_file_however_that_is_written(tmp_path: Path) -> None:
    package = tmp_path / "toys"
    for language, file in {"java": "Main.java", "lisp": "MAIN.lisp", "ada": "readme.txt", "go": "main/x.go"}.items():
        path = package / "bots" / "starter" / language / file
        path.parent.mkdir(parents=True)
        path.write_text("x")
    (package / "bots" / "random").mkdir()
    (package / "__init__.py").write_text(
        "from tests.core.toy import RockPaperScissors\n\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"
    )
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        assert kit_languages("toy") == ["go", "java", "lisp"], "neither a stub nor a bot in Python is there"
        assert kit_files("toy", "lisp")["MAIN.lisp"] == b"x"
        assert kit_files("toy", "go")["main/x.go"] == b"x"
        with pytest.raises(KeyError, match="ada"):
            kit_files("toy", "ada")


def test_a_wrong_stub_is_told_and_kits_by_hand_go_on(tmp_path: Path) -> None:
    package = tmp_path / "toys"
    (package / "bots" / "random").mkdir(parents=True)
    (package / "bots" / "random" / "main.py").write_text("print('rock')\n")
    (package / "stub.txt").write_bytes(b"gameloop\n  read x:int\n  write \xff\n")
    (package / "__init__.py").write_text(
        "from tests.core.toy import RockPaperScissors\n\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"
    )
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        assert kit_languages("toy") == ["python"]
        assert kit_files("toy", "python")["main.py"] == b"print('rock')\n"
        assert kits_fault("toy").startswith("The starter kits of toy that its stub makes are left out. ")
        assert "is no text in UTF-8: save it as such." in kits_fault("toy")
        with pytest.raises(BadStub):
            kit_files("toy", "java")


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ('game = "puyo"\n', "puyo"),
        ('name = "x"\n', None),
        ("game = 3\n", None),
        ("game = \n", None),
        ("game = '\udcff'", None),
    ],
)
def test_the_game_of_a_folder_is_read_from_its_mark(tmp_path: Path, text: str, game: str | None) -> None:
    (tmp_path / MARK).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert kit_game(tmp_path) == game


def test_a_folder_without_a_mark_is_a_bot_of_any_game(tmp_path: Path) -> None:
    assert kit_game(tmp_path) is None
    (tmp_path / MARK).mkdir()
    assert kit_game(tmp_path) is None


def test_equal_files_make_equal_archives() -> None:
    one, other = zipped({"b/main.py": b"x = 1\n", "a.txt": b""}), zipped({"a.txt": b"", "b/main.py": b"x = 1\n"})
    assert one == other
    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        assert archive.namelist() == ["a.txt", "b/main.py"]
        assert archive.read("b/main.py") == b"x = 1\n"
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}, "no time of today"
