"""Starter kits that are made from a ``stub.txt``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from contests.selectors.contests import packages_problems
from core.replay import decode
from games.kits import kit_files, kit_languages
from games.registry import game_named
from games.stubs import BadStub, parse
from games.stubs.languages import WRITERS
from sandbox import languages
from tests.banzuke.conftest import Run, banzuke
from tests.installing import games_installed

__all__ = ["banzuke"]

STUBS = sorted((Path(__file__).parent / "stubs").glob("*.txt"))
EVERYTHING = """
# Your seat.
read seat:int
loop 2 read weights:float
gameloop
  read turn:int name:word
  read enemy_count:int
  loop enemy_count
    read enemy_x:int y:int
    read items:int
    loop items
      read note:line
  write WAIT
  write {turn}{seat} {name} {weights[1]}
"""


@pytest.mark.test_all
@pytest.mark.parametrize("stub", STUBS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", WRITERS)
def test_a_program_of_a_stub_plays_a_match_without_a_fault(
    language: str, stub: Path, banzuke: Run, tmp_path: Path
) -> None:
    tool = languages.language(language).tool
    if shutil.which(tool) is None:
        pytest.skip(f"needs {tool}: apt-get install {' '.join(languages.language(language).packages)}")
    writer, game = WRITERS[language], stub.stem
    (tmp_path / "kit").mkdir()
    program = writer.program(game_named(game).title, parse(stub.read_text(), str(stub)))
    (tmp_path / "kit" / writer.file).write_text(program)
    replay = tmp_path / "match.replay"
    others = ["house:random"] * (game_named(game).players[0] - 1)
    assert banzuke("play", game, tmp_path / "kit", *others, "--seed", 4, "--replay", replay) == 0
    assert not any(decode(replay.read_bytes())[-1]["faults"])


def test_a_program_is_what_a_person_would_write() -> None:
    program = WRITERS["python"].program("Any\ngame", parse(EVERYTHING))
    assert program.startswith("# A bot for Any game: ")
    assert program.partition("def main():\n")[2] == (
        "    # Once, before the first turn:\n"
        "    # Your seat.\n"
        "    seat = int(read_line())\n"
        "    weights = [float(read_line()) for _ in range(2)]\n"
        "\n"
        "    while True:  # a turn each\n"
        "        words = read_line().split()\n"
        "        turn = int(words[0])\n"
        "        name = words[1]\n"
        "        enemy_count = int(read_line())\n"
        "        enemy_x = []\n"
        "        y = []\n"
        "        items = []\n"
        "        note = []\n"
        "        for i in range(enemy_count):\n"
        "            words = read_line().split()\n"
        "            enemy_x.append(int(words[0]))\n"
        "            y.append(int(words[1]))\n"
        "            items.append(int(read_line()))\n"
        "            note.append([])\n"
        "            for _ in range(items[i]):\n"
        "                note[i].append(read_line())\n"
        "\n"
        "        # Your strategy goes here. Standard output is the answer: debug with print(.., file=sys.stderr).\n"
        '        print("WAIT", flush=True)\n'
        '        print(f"{turn}{seat} {name} {weights[1]}", flush=True)\n'
        "\n"
        "\n"
        "main()\n"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("read x:int\nwrite A", "stub.txt has no gameloop: "),
        ("write A\ngameloop\n  read x:int\n  write A", "stub.txt has a write before its gameloop"),
        ("gameloop now\n  read x:int\n  write A", "line 1: gameloop stands alone"),
        ("gameloop\n  read x:int\n", "line 1: nothing is written"),
        ("gameloop\n  write A\n", "line 1: nothing is read"),
        ("gameloop\n  write A\ngameloop\n  read x:int", "line 3: it is indented by 0 spaces"),
        ("gameloop\n  read x:int\n  gameloop\n  write A", "line 3: it is a second gameloop"),
        ("gameloop\n  read x:int\n   write A", "line 3: it is indented, but only lines below a loop"),
        ("gameloop\n\tread x:int\n  write A", "line 2: it holds a tab"),
        ("gameloop\n  raed x:int\n  write A", "line 2: the command 'raed' is none of read, write, loop and gameloop"),
        ("gameloop\n  read\n  write A", "line 2: it reads nothing"),
        ("gameloop\n  read x\n  write A", "line 2: 'x' is no name:kind"),
        ("gameloop\n  read x:string(9)\n  write A", "line 2: 'x:string(9)' is no name:kind"),
        ("gameloop\n  read X:int\n  write A", "line 2: the name 'X' is not made of small letters"),
        ("gameloop\n  read class:int\n  write A", "line 2: the name 'class' has a meaning"),
        ("read x:int\ngameloop\n  read x:int\n  write A", "line 3: the name 'x' is read a second time"),
        ("gameloop\n  read x:int rest:line\n  write A", "line 2: a value of kind line is the whole line"),
        ("gameloop\n  read x:word\n  loop x read y:int\n  write A", "line 3: the count 'x' is no int"),
        ("gameloop\n  loop n\n    read x:int\n  write A", "line 2: 'n' is nothing that has been read"),
        ("gameloop\n  loop 3\n  write A", "line 2: the loop repeats nothing"),
        ("gameloop\n  loop 3 read x:int\n    read y:int\n  write A", "line 3: it is below a loop that has its command"),
        ("gameloop\n  loop 2 loop 2 loop 2 loop 2 read x:int\n  write A", "line 2: there are 3 loops around it"),
        ("gameloop\n  loop 3 read x:int\n  write {x}", "line 3: 'x' is a list, or none: here it would be `x[0]`"),
        ("gameloop\n  read x:int\n  write {x[0]}", "line 3: 'x[0]' is a list, or none: here it would be `x`"),
        ("gameloop\n  read x:int\n  write {", "line 3: it has a { without a }"),
        ("gameloop\n  read x:int\n  write", "line 3: what it writes must be text in ASCII"),
        ("gameloop\n  read x:int # C:\\u000a\n  write A", "line 2: its comment holds a \\"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(BadStub) as error:
        parse(text)
    assert str(error.value).removeprefix("stub.txt, ").startswith(complaint)


def test_a_game_has_the_kits_of_its_stub_until_somebody_writes_them(tmp_path: Path, settings: Settings) -> None:
    settings.GAMES = ["rps"]
    package = tmp_path / "rps"
    package.mkdir()
    (package / "__init__.py").write_text("from tests.core.toy import RockPaperScissors\n")
    (package / "stub.txt").write_text("read hello:line\ngameloop\n  read turn:line\n  write rock\n")
    by_hand = package / "bots" / "starter" / "rust"
    by_hand.mkdir(parents=True)
    (by_hand / "main.rs").write_text("fn main() {}\n")
    with games_installed(tmp_path, {"rps": "rps:RockPaperScissors"}):
        assert kit_languages("rps") == ["python", *sorted(set(WRITERS) - {"python"})]
        assert kit_files("rps", "rust")["main.rs"] == b"fn main() {}\n"
        assert packages_problems() == []
        assert sorted(kit_files("rps", "java")) == ["Main.java", "README.md", "banzuke.toml"]
        (package / "stub.txt").write_text("gameloop\n  reed turn:line\n")
        assert kit_languages("rps") == ["rust"]
        with pytest.raises(BadStub, match=r"stub\.txt, line 2: the command 'reed'"):
            kit_files("rps", "java")
        assert [problem for problem in packages_problems() if "starter kits of rps" in problem and "line 2" in problem]
