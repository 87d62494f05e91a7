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
from games.stubs.writer import LANGUAGES
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
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_of_a_stub_plays_a_match_without_a_fault(
    language: str, stub: Path, banzuke: Run, tmp_path: Path
) -> None:
    tool = languages.language(language).tool
    if shutil.which(tool) is None:
        pytest.skip(f"needs {tool}: apt-get install {' '.join(languages.language(language).packages)}")
    writer, game = LANGUAGES[language], stub.stem
    (tmp_path / "kit").mkdir()
    program = writer.written(game_named(game).title, parse(stub.read_text(), str(stub)))
    (tmp_path / "kit" / writer.file).write_text(program)
    replay = tmp_path / "match.replay"
    others = ["house:random"] * (game_named(game).players[0] - 1)
    assert banzuke("play", game, tmp_path / "kit", *others, "--seed", 4, "--replay", replay) == 0
    assert not any(decode(replay.read_bytes())[-1]["faults"])


def test_a_program_is_what_a_person_would_write() -> None:
    program = LANGUAGES["python"].written("Any\ngame", parse(EVERYTHING))
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


QUESTIONS = """
gameloop
  read heading:words  # BID or PICK
  if heading[0] == BID
    read round:int chance:int
    read chips:ints
    loop 2
      read rows:line
    write 0
  # You have won.
  else
    write {heading[1]} {chips[0]}
"""


def test_a_program_asks_which_question_it_reads_and_keeps_what_it_has_read() -> None:
    stub = parse(QUESTIONS)
    assert LANGUAGES["python"].written("Any", stub).partition("while True:  # a turn each\n")[2] == (
        "        # BID or PICK\n"
        '        heading = read_line().replace(",", " ").split()\n'
        '        if heading[0] == "BID":\n'
        "            round, chance = map(int, read_line().split())\n"
        "            chips = list(map(int, read_line().split()))\n"
        "            rows = [read_line() for _ in range(2)]\n"
        "\n"
        "            # Your strategy goes here. Standard output is the answer: debug with print(.., file=sys.stderr).\n"
        '            print("0", flush=True)\n'
        "        else:\n"
        "            # You have won.\n"
        '            print(f"{heading[1]} {chips[0]}", flush=True)\n'
        "\n"
        "\n"
        "main()\n"
    )
    java = LANGUAGES["java"].written("Any", stub)
    assert "        int round = 0;\n        int chance = 0;\n        int[] chips = null;\n" in java
    assert "        String[] rows = null;\n\n        while (true) {" in java
    assert '            if (heading[0].equals("BID")) {\n                words = readLine().split(" ");\n' in java
    assert "                round = Integer.parseInt(words[0]);\n" in java


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
        (
            "gameloop\n  read x:int\n   write A",
            "line 3: it is indented, but only lines below loop, if, else and gameloop are.",
        ),
        ("gameloop\n\tread x:int\n  write A", "line 2: it holds a tab"),
        (
            "gameloop\n  raed x:int\n  write A",
            "line 2: the command 'raed' is none of read, write, loop, if, else and gameloop",
        ),
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
        ("gameloop\n  read x:int\n  if x\n    write A", "line 3: it asks for no value"),
        ("gameloop\n  read x:int\n  if x == A\n    write A", "line 3: 'x' of kind int is never 'A' for certain"),
        ("gameloop\n  read x:int\n  if x == 1\n  write A", "line 3: the if does nothing"),
        ("gameloop\n  read x:int\n  else\n    write A", "line 3: else stands alone, below an if"),
        (
            "gameloop\n  read x:int\n  loop 2\n    if x == 1\n      read y:int\n  write A",
            "line 4: there is a read below",
        ),
        ("gameloop\n  read x:ints y:int\n  write A", "line 2: a value of kind ints is the whole line"),
        ("gameloop\n  read x:ints\n  write {x}", "line 3: 'x' is a list, or none: here it would be `x[0]`"),
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
        assert kit_languages("rps") == ["python", *sorted(set(LANGUAGES) - {"python"})]
        assert kit_files("rps", "rust")["main.rs"] == b"fn main() {}\n"
        assert packages_problems() == []
        assert sorted(kit_files("rps", "java")) == ["Main.java", "README.md", "banzuke.toml"]
        (package / "stub.txt").write_text("gameloop\n  reed turn:line\n")
        assert kit_languages("rps") == ["rust"]
        with pytest.raises(BadStub, match=r"stub\.txt, line 2: the command 'reed'"):
            kit_files("rps", "java")
        assert [problem for problem in packages_problems() if "starter kits of rps" in problem and "line 2" in problem]
