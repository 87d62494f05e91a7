"""The command runs from the wheel alone, without the source tree."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from banzuke.__main__ import WINDOWS
from setup import imports_rewritten
from tests.installing import package_made
from tests.wheels import pip_install, venv_made, wheel_built

pytestmark = pytest.mark.test_all

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this source tree, built without network."""
    return wheel_built(tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new virtual environment with the wheel, which takes the packages it needs from this one."""
    venv = venv_made(tmp_path_factory.mktemp("venv"))
    pip_install(venv, wheel)
    return venv


def run(installed: Path, folder: Path, program: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment in a folder outside of the source tree."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(installed / "bin" / program), *argv]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def printed(installed: Path, folder: Path, program: str, *argv: str) -> str:
    """Run a program that must succeed, and return its output."""
    done = run(installed, folder, program, *argv)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_what_a_wheel_should_have(wheel: Path) -> None:
    subprocess.run([sys.executable, "-m", "check_wheel_contents", wheel], cwd=ROOT, check=True)


def test_it_is_one_package_that_shadows_nobodys(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        modules = [name for name in names if name.endswith(".py") and "/bots/" not in name]
        sources = {name: archive.read(name).decode() for name in modules}
    assert {"banzuke/py.typed", "banzuke/core/game.py", "banzuke/games/puyo/judge.py"} <= set(names)
    assert [name for name in names if "/puyo/guide/" in name] == []
    assert {name.partition("/")[0] for name in names} == {"banzuke"}
    assert "from banzuke.core.game import" in sources["banzuke/games/puyo/__init__.py"]
    assert [name for name, source in sources.items() if imports_rewritten(source) != source] == []


@pytest.mark.parametrize(
    ("written", "shipped"),
    [
        ("from core.game import Game", "from banzuke.core.game import Game"),
        ("    from core import text, seeding", "    from banzuke.core import text, seeding"),
        ("from  rating import (\n    fit,\n)", "from  banzuke.rating import (\n    fit,\n)"),
        ("import core", "import banzuke.core as core"),
        (
            "import os, core as c, sandbox, games.kits as g",
            "import os, banzuke.core as c, banzuke.sandbox as sandbox, banzuke.games.kits as g",
        ),
        ("é = 1; import core", "é = 1; import banzuke.core as core"),
        ("from coreutils import core", "from coreutils import core"),
        ("from . import core\ncore = 'import core'", "from . import core\ncore = 'import core'"),
        ("text = '\x0b'\nimport core", "text = '\x0b'\nimport banzuke.core as core"),
    ],
)
def test_imports_of_packages_that_move_are_rewritten(written: str, shipped: str) -> None:
    head = "if True:\n" if written.startswith(" ") else ""
    assert imports_rewritten(head + written) == head + shipped


def test_an_import_that_cannot_be_rewritten_stops_the_build() -> None:
    with pytest.raises(ValueError, match=r"instead of `import core\.game`"):
        imports_rewritten("import core.game")


def test_each_of_its_modules_can_be_imported(installed: Path, tmp_path: Path) -> None:
    code = (
        "import banzuke, importlib, pkgutil\n"
        "names = [found.name for found in pkgutil.walk_packages(banzuke.__path__, 'banzuke.')]\n"
        "for name in names:\n"
        "    name.endswith('.__main__') or importlib.import_module(name)\n"
        "print(banzuke.__file__, 'banzuke.games.puyo.judge' in names, importlib.util.find_spec('core'))\n"
    )
    where, *found = printed(installed, tmp_path, "python", "-P", "-c", code).split()
    assert Path(where).is_relative_to(installed)
    assert found == ["True", "None"]


def test_it_plays_kits_and_house_bots(installed: Path, tmp_path: Path) -> None:
    printed(installed, tmp_path, "banzuke", "new", "kakomimasu", "python", "mine")
    printed(installed, tmp_path, "banzuke", "new", "kakomimasu", "rust", "made_of_the_stub")
    assert (tmp_path / "made_of_the_stub" / "main.rs").is_file()
    small = ["--option", "turns=2", "--option", "agents=2", "--replay", "match.replay"]
    assert "after 2 turns" in printed(
        installed, tmp_path, "banzuke", "play", "kakomimasu", "mine", "house:ring", *small
    )
    printed(installed, tmp_path, "banzuke", "verify", "match.replay")
    cup = ["tournament", "kakomimasu", "mine", "house:ring", "house:greedy", "--format", "swiss", "--rounds", "1"]
    assert "\nPlaces\n" in printed(installed, tmp_path, "banzuke", *cup, *small[:4], "--out", "cup")
    assert (tmp_path / "cup" / "stage1.trf").is_file()


def test_a_game_of_another_package_plays_beside_it(installed: Path, tmp_path: Path) -> None:
    """A package's ``banzuke.sdk`` is the same in the wheel, where there is no ``core``, as in the source tree."""
    packages = next(installed.glob("lib/python*/site-packages"))
    source = (ROOT / "tests/core/toy.py").read_text().partition("\n\ndef judge")[0]
    source = source.replace("from core.game", "from banzuke.sdk")
    (packages / "banzuke_rps").mkdir()
    (packages / "banzuke_rps/__init__.py").write_text(source)
    package_made(packages, {"rps": "banzuke_rps:RockPaperScissors"}, "banzuke-rps")
    (tmp_path / "rock.py").write_text("input()\nwhile input():\n    print('rock', flush=True)\n")
    bots = ["python3 rock.py"] * 2
    told = printed(installed, tmp_path, "banzuke", "play", "rps", *bots, "--replay", "match.replay")
    assert "after 3 turns" in told
    printed(installed, tmp_path, "banzuke", "verify", "match.replay")


@pytest.mark.parametrize("package", ["rating", "sandbox"])
def test_commands_of_packages_say_how_they_are_called(installed: Path, tmp_path: Path, package: str) -> None:
    usage = printed(installed, tmp_path, "python", "-P", "-m", f"banzuke.{package}", "--help")
    assert usage.startswith(f"usage: python -m banzuke.{package} ")
    here = subprocess.run([sys.executable, "-m", package, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert here.stdout.startswith(f"usage: python -m {package} ")


@pytest.mark.parametrize(("package", "command"), [("core", "bench"), ("rating", "simulate")])
def test_commands_that_need_the_source_tree_are_none_here(
    installed: Path, tmp_path: Path, package: str, command: str
) -> None:
    told = run(installed, tmp_path, "python", "-P", "-m", f"banzuke.{package}", command)
    assert told.returncode == 2
    assert f"'{command}'" in told.stderr
    assert "Traceback" not in told.stderr


def test_the_installed_command_has_the_viewer(installed: Path, tmp_path: Path) -> None:
    code = (
        "import re; from banzuke.viewer import HERE, static_file\n"
        "page = (HERE / 'viewer.html').read_text().replace('GAME', 'puyo')\n"
        "wanted = set(re.findall(r'/static/[^\"\\' ]+', page))\n"
        "print(len(wanted), sorted(name for name in wanted if static_file(name) is None))\n"
    )
    count, missing = printed(installed, tmp_path, "python", "-P", "-c", code).split(maxsplit=1)
    assert int(count) > 20
    assert missing.strip() == "[]"


def test_the_locked_versions_are_among_those_that_the_metadata_allows() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "requirements.in").read_text().splitlines() if "==" in line)
    wanted = {each.name: each for each in map(Requirement, PROJECT["project"]["dependencies"])}
    assert wanted.keys() & pinned
    assert [name for name in wanted.keys() & pinned if pinned[name] not in wanted[name].specifier] == []


def test_windows_users_are_pointed_to_linux(installed: Path, tmp_path: Path) -> None:
    """Windows has neither the file locks nor the process groups that the commands need."""
    windows = "import sys; sys.platform = 'win32'; sys.modules['fcntl'] = None"
    code = f"{windows}; from banzuke.__main__ import main; sys.exit(main())"
    done = run(installed, tmp_path, "python", "-P", "-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", WINDOWS)
