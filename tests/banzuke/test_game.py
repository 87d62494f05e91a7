"""`banzuke game`: a game of one's own is begun, checked, played and watched, before it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
import requests

from banzuke.commands.game.new import template_files
from banzuke.packages import games_found
from banzuke.testing import check_game
from banzuke.viewer import viewer_server
from core.replay import decode
from tests.banzuke.conftest import Refusal, Run

pytestmark = pytest.mark.test_all

ROOT = Path(__file__).parents[2]
NUMBERS = count()
Mend = Callable[..., Path]


@pytest.fixture
def package(tmp_path: Path) -> Mend:
    """Return a function that writes a small new game with some texts of its files replaced, and returns its folder."""
    name = f"toy{next(NUMBERS)}"  # Python keeps modules that it has imported by their names

    def write(path: str = "", *replaced: tuple[str, str]) -> Path:
        for place, content in template_files(name).items():
            for old, new in replaced if place.endswith(path) and path else ():
                assert old in content, old
                content = content.replace(old, new)
            if place.endswith("__init__.py"):
                content = content.replace("(2, 3, 4)", "(2,)").replace('"standard": {}, "small"', '"small"')
            (tmp_path / name / place).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / place).write_text(content)
        return tmp_path / name

    return write


@pytest.fixture
def only_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the compilers, and Node.js, which take long."""
    (tmp_path / "bin").mkdir()
    for tool in ("sh", "python3"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def test_a_new_game_is_in_order_plays_and_is_watched(
    banzuke: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert banzuke("game", "new", "my_land") == 0
    commands = re.findall("^  banzuke (game .*?)  ", capsys.readouterr().out, re.MULTILINE)
    assert commands == [
        "game check banzuke-my-land",
        "game play banzuke-my-land --watch",
        "game watch banzuke-my-land",
    ]
    assert banzuke(*commands[0].split()) == 0, capsys.readouterr().out
    assert "my_land is in order." in capsys.readouterr().out
    assert banzuke(*commands[1].split(), "--replay", "match.replay") == 0
    assert "The match ended after" in capsys.readouterr().out
    replay = Path("match.replay").read_bytes()
    with games_found("banzuke-my-land"), viewer_server(replay, decode(replay)) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        module = "/static/games/my_land/viewer.js"
        assert f'href="{module}"' in requests.get(url, timeout=9).text
        assert "drawMoving" in requests.get(url + module, timeout=9).text
        server.shutdown()


def test_the_tests_of_a_new_game_pass(package: Mend) -> None:
    folder = package()
    with games_found(str(folder)):
        path = os.pathsep.join([*sys.path[:3], str(ROOT)])
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests"]
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stdout


RULES, VIEWER, WORDS = "__init__.py", "viewer.js", "en.ftl"


WRONG = [
    (RULES, "import random\n", "import randomness\n", "It cannot be imported: ModuleNotFoundError"),
    (RULES, "    def over(", "    def ended(", "abstract method '?over"),  # Python 3.12 added the quotation mark
    (RULES, "    title = ", "    label = ", "Its class has no title"),
    (RULES, "(2, 3, 4)", "(7,)", r"It is for \(7,\) players, but 2 to 4 can play a match"),
    (RULES, '{"rows": [', '{"now": {1}, "rows": [', r"`frame`\['now'\] is a set, which is no JSON"),
    (RULES, "random.Random(seed)", "random", "the rules may depend on nothing but seed, options and answers"),
    (RULES, "return state.turns_left == 0", "return False #", "`over` is still false after"),
    (RULES, "if (x, y) not in", "if (x, y) in", "`parse` refuses an answer that the game itself calls legal"),
    (RULES, "str(len(answers)), ", '"é", ', "A bot would be asked 'é'"),
    (RULES, "claimed = ", "claimed = moves[0][5] or ", "IndexError in __init__.py, line [0-9]+, in `step`"),
    (RULES, '"clash", None', '"crash", None', r"There is no sentence for 'crash' \(__init__.py, line"),
    (WORDS, "{ $cell }", "{ $cell", "Line [0-9]+ is no Fluent"),
    (WORDS, "stuck = { $bot }", "stuck = { $bott }", "The sentence of 'stuck' cannot be made: .*bott"),
    ("stub.txt", "loop count", "loop number", "stub.txt, line [0-9]+:"),
    ("stub.txt", "{moves[0]}", "99 99", "starter kit, Python 3: It is at fault in turn 1"),
    (VIEWER, "context.fillRect(corner", "context.fillRect(900 + corner", "drawMoving draws outside its board"),
    (VIEWER, "export * from", "export { grid } from", "does not export the function `shape`"),
    (VIEWER, "export const symbols", "export const placeOf = () => [0];\nexport const symbols", "placeOf returns"),
    (VIEWER, "export function", "export funktion", "SyntaxError"),
]
"""File, a text in it, by what it is replaced, and what is told then."""


@pytest.mark.parametrize(("path", "old", "new", "told"), WRONG, ids=[told for *_, told in WRONG])
def test_what_is_wrong_is_told_in_a_sentence(
    path: str,
    old: str,
    new: str,
    told: str,
    package: Mend,
    banzuke: Run,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    if path != VIEWER:
        request.getfixturevalue("only_python")
    elif shutil.which("node") is None:
        pytest.skip("needs node: apt-get install nodejs")
    assert banzuke("game", "check", package(path, (old, new))) == 1
    out = capsys.readouterr().out
    assert re.search(told, out), out
    assert out.rstrip().endswith("to mend.")


def test_a_taken_name_is_told(package: Mend, banzuke: Run, capsys: pytest.CaptureFixture[str]) -> None:
    folder = package("pyproject.toml", ("\ntoy", "\npuyo = 'nothing:Nothing'\ntoy"))
    assert banzuke("game", "check", folder, "--no-kits") == 1
    assert "The game puyo of the package" in (out := capsys.readouterr().out)
    assert "Banzuke itself has a game of this name" in out


@pytest.mark.usefixtures("only_python")
def test_what_may_be_lacking_and_what_was_not_tried_is_told(
    package: Mend, banzuke: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = package()
    shutil.rmtree(next(folder.glob("*/guide")))
    assert banzuke("game", "check", folder) == 0
    out = capsys.readouterr().out
    assert "guide/en.html: There is none." in out
    assert "starter kit, C++: It was not tried, since g++ is not installed here." in out
    assert "viewer.js: Only its exports were looked for, since Node.js is not installed" in out


def test_what_is_no_game_is_refused(banzuke: Run, refusal: Refusal, tmp_path: Path) -> None:
    assert "holds no package: it has no pyproject.toml" in refusal("game", "check", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert "names no game: add [project.entry-points" in refusal("game", "play", tmp_path)
    assert "is no name for a game" in refusal("game", "new", "My game")
    assert "There is a game puyo already" in refusal("game", "new", "puyo")
    assert "exists already: choose another folder" in refusal("game", "new", "land", tmp_path)
    assert "There is no game 'chess'" in refusal("game", "watch", "chess")
    assert banzuke("game", "check", "chess") == 1


def test_a_test_of_ones_own_lists_what_is_wrong(package: Mend) -> None:
    with (
        games_found(str(package(WORDS, ("clash =", "crash =")))) as (name,),
        pytest.raises(AssertionError, match=r"(?s)is not in order:.*There is no sentence for 'clash'"),
    ):
        check_game(name)
